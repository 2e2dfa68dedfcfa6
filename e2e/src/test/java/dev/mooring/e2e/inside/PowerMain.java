// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One boot of a machine whose power fails. Everything that lasts lies on a disk of the guest's; what was acknowledged to the writer is
 * told to the host. A pod writes a few lines, goes and comes again, until the power is cut; another one lives through all boots and writes to
 * its emptyDir. Each boot begins by proving that every line that was acknowledged in an earlier one is there.
 *
 * <p>Arguments: the storage, the shared directory, after how many boundaries the power is cut (0 for never: then everything is taken away
 * in the end) and how many microseconds later.
 */
public final class PowerMain {
    static final Path DISK = Path.of("/srv/disk");
    private static final int LINES = 5;

    private final Backend backend;
    private final Path told;
    private final Path toldOfScratch;
    private final Path base = DISK.resolve("world");

    private PowerMain(Backend backend, Path shared) {
        this.backend = backend;
        this.told = shared.resolve("acknowledged");
        this.toldOfScratch = shared.resolve("acknowledged-scratch");
    }

    /** Boots, in effect. */
    public static void main(String[] arguments) throws IOException {
        int boundary = Integer.parseInt(arguments[2]);
        long micros = Long.parseLong(arguments[3]);
        // What the guest's end is taken for, unless it comes to a better one.
        Files.writeString(Path.of("/guest/run/status"), "137\n");
        MachineView.run("sync", "-f", "/guest/run");
        try {
            new PowerMain(Backends.named(arguments[0]), Path.of(arguments[1])).boot(boundary, micros);
        } catch (AssertionError | RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private void boot(int boundary, long micros) {
        mountDisk();
        backend.start();
        backend.make(base.resolve("data"));
        List<String> before = MachineView.traces();
        Boundaries boundaries = Boundaries.doing(boundary, () -> cutIn(micros));
        try (GuestWorld world = new GuestWorld(base, boundaries, before)) {
            if (!backend.objects().isEmpty()) {
                world.createUnlessThere(Kinds.SECRET, "chap", backend.objects());
            }
            world.createUnlessThere(Kinds.PERSISTENT_VOLUME, Life.VOLUME, Life.volume(backend, base));
            world.claim("data", Life.VOLUME, "Filesystem", "ReadWriteOnce");
            do {
                Path scratch = world.scratch("scratch").resolve("lines");
                Acknowledged.prove(lines(toldOfScratch), lines(scratch), scratch.toString());
                write(scratch, toldOfScratch);
                Path file = Life.shown(world, backend, "writer").resolve("lines");
                Acknowledged.prove(lines(told), lines(file), file.toString());
                write(file, told);
                world.delete(Kinds.POD, "writer");
            } while (boundary > 0);
            world.delete(Kinds.POD, "scratch");
            world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
            world.awaitVolume(Life.VOLUME, PersistentVolumePhase.RELEASED);
            world.delete(Kinds.PERSISTENT_VOLUME, Life.VOLUME);
            world.end();
        }
    }

    /** The disk that outlives the guest, with what the initiator keeps. */
    static void mountDisk() {
        if (MachineView.tryRun("blkid", "-p", "-o", "value", "-s", "TYPE", "/dev/ubdb")
                .isEmpty()) {
            MachineView.run("mkfs.ext4", "-q", "/dev/ubdb");
        }
        MachineView.run("mkdir", "-p", DISK.toString(), "/etc/iscsi/nodes");
        MachineView.run("mount", "/dev/ubdb", DISK.toString());
        // The initiator's database lasts on a real machine, too.
        MachineView.run("mkdir", "-p", DISK + "/nodes");
        MachineView.run("mount", "--bind", DISK + "/nodes", "/etc/iscsi/nodes");
    }

    private static void write(Path file, Path told) {
        int next = lines(file).size();
        for (int line = next; line < next + LINES; line++) {
            append(file, line + "\n");
            append(told, line + "\n");
        }
    }

    /** Whole lines; a crash may have torn the last one. */
    private static List<String> lines(Path file) {
        if (!Files.exists(file)) {
            return List.of();
        }
        String text = MachineView.read(file);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static void append(Path file, String line) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            channel.write(StandardCharsets.UTF_8.encode(line));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A thread of its own, so that the instant falls anywhere. */
    private static void cutIn(long micros) {
        Thread cutting = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
            try {
                Files.writeString(Path.of("/proc/sysrq-trigger"), "b");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        cutting.setDaemon(true);
        cutting.start();
    }
}

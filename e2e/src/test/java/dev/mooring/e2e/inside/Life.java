// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The life of a volume in steps that may be taken up after any crash: offered, claimed, written by one pod, read by another, released,
 * taken away. What it has come to is written down beside it.
 *
 * @param backend where the volume comes from
 * @param base the directory of the world
 */
record Life(Backend backend, Path base) {
    static final String VOLUME = "disk";
    private static final String CLAIM = "data";
    private static final String WRITTEN = "written";
    private static final String READ = "read";
    private static final String TEXT = "kept";

    /** Lives it, from wherever it is, until the pod that writes has gone, and with it every trace of the volume on the node. */
    void liveOfWriter(GuestWorld world) {
        if (has(READ)) {
            return;
        }
        if (!backend.objects().isEmpty()) {
            world.createUnlessThere(Kinds.SECRET, "chap", backend.objects());
        }
        world.createUnlessThere(Kinds.PERSISTENT_VOLUME, VOLUME, volume(backend, base));
        world.claim(CLAIM, VOLUME, backend.mode(), "ReadWriteOnce");
        if (!has(WRITTEN)) {
            write(place(shown(world, backend, "writer")));
            mark(WRITTEN);
        }
        world.delete(Kinds.POD, "writer");
        world.noneLeft(Kinds.VOLUME_ATTACHMENT);
        world.quiet();
    }

    /** Lives it to its end, from wherever it is. */
    void live(GuestWorld world) {
        liveOfWriter(world);
        if (!has(READ)) {
            assertThat(beginning(place(shown(world, backend, "reader")))).isEqualTo(TEXT);
            mark(READ);
        }
        world.delete(Kinds.POD, "reader");
        world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM);
        if (world.isThere(Kinds.PERSISTENT_VOLUME, VOLUME)) {
            world.awaitVolume(VOLUME, PersistentVolumePhase.RELEASED);
        }
        world.delete(Kinds.PERSISTENT_VOLUME, VOLUME);
    }

    /** Starts a pod unless it runs; answers where it sees the volume, or its device, which is mounted there once. */
    static Path shown(GuestWorld world, Backend backend, String pod) {
        if (isBlock(backend)) {
            // A link to the device, which is bound below the plugin's directory.
            Path device = world.device(world.podWithDevice(pod, CLAIM), backend.plugin(), VOLUME);
            assertThat(device).exists();
            assertThat(MachineView.mountPointsBelow(world.root()))
                    .as("bound once")
                    .hasSize(1);
            return device;
        }
        Path mounted = world.mounted(world.pod(pod, CLAIM), backend.plugin(), VOLUME);
        world.awaitMounted(mounted);
        List<String> points = MachineView.mountPointsBelow(world.root());
        assertThat(points).as("mounted once, and shown").doesNotHaveDuplicates().contains(mounted.toString());
        return mounted;
    }

    /** The volume as its administrator offers it. */
    static String volume(Backend backend, Path base) {
        return """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: %s},
                 spec: {capacity: {storage: 32Mi}, accessModes: [ReadWriteOnce], volumeMode: %s, persistentVolumeReclaimPolicy: Retain, %s}}""".formatted(VOLUME, backend.mode(), backend.spec(base.resolve("data")));
    }

    private static boolean isBlock(Backend backend) {
        return backend.mode().equals("Block");
    }

    /** Where the pod writes: into a file, or at the beginning of the device. */
    private Path place(Path shown) {
        return isBlock(backend) ? shown : shown.resolve("file");
    }

    private static String beginning(Path place) {
        try (InputStream from = Files.newInputStream(place)) {
            return new String(from.readNBytes(TEXT.length()), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean has(String mark) {
        return Files.exists(base.resolve(mark));
    }

    private void mark(String mark) {
        try {
            Files.createFile(base.resolve(mark));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A machine with a volume of a target that is shut down in order, and its next boot. What lasts lies on a disk of the guest's; the target
 * is on the same machine, so that what reached it can be looked at. The argument says which boot: {@code first} or {@code next}.
 */
public final class ShutdownMain {
    private static final String STORAGE = "iscsi";
    private static final Path SESSIONS = Path.of("/sys/class/iscsi_session");

    private final Backend backend = Backends.named(STORAGE);
    private final Path base = PowerMain.DISK.resolve("world");

    private ShutdownMain() {}

    /** Boots, in effect. */
    public static void main(String[] arguments) throws IOException {
        try {
            ShutdownMain machine = new ShutdownMain();
            if (arguments[0].equals("first")) {
                machine.first();
            } else {
                machine.next();
            }
        } catch (AssertionError | RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    /** A pod writes and does not flush, the agent is told of the shutdown, and nothing else is orderly any more. */
    private void first() throws IOException {
        PowerMain.mountDisk();
        backend.start();
        backend.make(base.resolve("data"));
        List<String> before = MachineView.traces();
        GuestWorld world = new GuestWorld(base, Boundaries.none(), before);
        world.create(Life.volume(backend, base));
        world.claim("data", Life.VOLUME, "Filesystem", "ReadWriteOnce");
        Files.writeString(Life.shown(world, backend, "writer").resolve("file"), "kept");
        Files.writeString(world.scratch("scratch").resolve("part/file"), "kept too");
        MachineView.run("sync", "-f", base.toString());
        world.leaveMachine();
        assertThat(MachineView.mountPointsBelow(world.root())).isEmpty();
        assertThat(MachineView.names(SESSIONS)).isEmpty();
        // This end is the right one.
        Files.writeString(Path.of("/guest/run/status"), "137\n");
        MachineView.run("sync", "-f", "/guest/run");
        Files.writeString(Path.of("/proc/sysrq-trigger"), "b");
    }

    private void next() {
        PowerMain.mountDisk();
        Path image = base.resolve("data/image");
        assertThat(MachineView.run("dumpe2fs", "-h", image.toString()))
                .as("the file system was unmounted")
                .contains("Filesystem state:         clean")
                .doesNotContain("needs_recovery");
        MachineView.run("e2fsck", "-n", "-f", image.toString());
        backend.start();
        backend.make(base.resolve("data"));
        // What the initiator's unit does at each boot; it fails where there is nothing to log in to.
        MachineView.tryRun("iscsiadm", "-m", "node", "--loginall=automatic");
        assertThat(MachineView.names(SESSIONS)).as("sessions after the boot").isEmpty();

        try (GuestWorld world = new GuestWorld(base, Boundaries.none(), MachineView.traces())) {
            assertThat(Life.shown(world, backend, "writer").resolve("file")).hasContent("kept");
            assertThat(world.scratch("scratch").resolve("part/file")).hasContent("kept too");
            world.delete(Kinds.POD, "scratch");
            world.delete(Kinds.POD, "writer");
            world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
            world.awaitVolume(Life.VOLUME, PersistentVolumePhase.RELEASED);
            world.delete(Kinds.PERSISTENT_VOLUME, Life.VOLUME);
            world.end();
        }
    }
}

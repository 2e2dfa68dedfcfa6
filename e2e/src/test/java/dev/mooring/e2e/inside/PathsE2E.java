// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.ListOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole way of a volume, from its offer to the last trace of it, for one kind of storage. */
public final class PathsE2E {
    private static final String OFFER = """
            {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
             spec: {capacity: {storage: 32Mi}, accessModes: [ReadWriteOnce], volumeMode: %s,
                    persistentVolumeReclaimPolicy: Retain, %s}}""";

    private PathsE2E() {}

    /** Volumes that show files. */
    static void filesAreWrittenByOnePodAndReadByAnother(String name) throws IOException {
        Backend backend = Backends.named(name);
        Path base = begin(backend);
        try (GuestWorld world = new GuestWorld(base, Boundaries.none(), MachineView.traces())) {
            offer(world, backend, base, "Filesystem");
            Path first = world.mounted(world.pod("writer", "data"), backend.plugin(), "disk");
            Files.writeString(first.resolve("greeting"), "hello");
            attachedOnce(world, backend);
            Path second = world.mounted(world.pod("reader", "data"), backend.plugin(), "disk");
            assertThat(second.resolve("greeting")).hasContent("hello");
            world.delete(Kinds.POD, "writer");
            assertThat(second.resolve("greeting")).hasContent("hello");
            world.delete(Kinds.POD, "reader");
            // Everything was unstaged and detached: what the next pod reads comes from the storage.
            world.noneLeft(Kinds.VOLUME_ATTACHMENT);
            Path third = world.mounted(world.pod("late", "data"), backend.plugin(), "disk");
            assertThat(third.resolve("greeting")).hasContent("hello");
            world.delete(Kinds.POD, "late");
            retained(world);
        }
        backend.remove(base.resolve("data"));
    }

    /** Volumes that show a device. */
    static void deviceIsWrittenByOnePodAndReadByAnother(String name) throws IOException {
        Backend backend = Backends.named(name);
        Path base = begin(backend);
        try (GuestWorld world = new GuestWorld(base, Boundaries.none(), MachineView.traces())) {
            offer(world, backend, base, "Block");
            Path first = world.device(world.podWithDevice("writer", "data"), backend.plugin(), "disk");
            try (FileChannel device = FileChannel.open(first, StandardOpenOption.WRITE)) {
                device.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
                device.force(true);
            }
            attachedOnce(world, backend);
            Path second = world.device(world.podWithDevice("reader", "data"), backend.plugin(), "disk");
            assertThat(beginning(second)).isEqualTo("hello");
            world.delete(Kinds.POD, "writer");
            assertThat(beginning(second)).isEqualTo("hello");
            world.delete(Kinds.POD, "reader");
            world.noneLeft(Kinds.VOLUME_ATTACHMENT);
            Path third = world.device(world.podWithDevice("late", "data"), backend.plugin(), "disk");
            assertThat(beginning(third)).isEqualTo("hello");
            world.delete(Kinds.POD, "late");
            retained(world);
        }
        backend.remove(base.resolve("data"));
    }

    private static Path begin(Backend backend) {
        Path base = GuestWorld.temporary();
        backend.start();
        backend.make(base.resolve("data"));
        return base;
    }

    private static void offer(GuestWorld world, Backend backend, Path base, String mode) {
        world.create(backend.objects());
        world.create(OFFER.formatted(mode, backend.spec(base.resolve("data"))));
        world.claim("data", "disk", mode, "ReadWriteOnce");
    }

    private static void attachedOnce(GuestWorld world, Backend backend) {
        List<?> attachments = world.store()
                .list(Kinds.VOLUME_ATTACHMENT, ListOptions.ALL)
                .orThrow()
                .items();
        assertThat(attachments).hasSize(backend.attached() ? 1 : 0);
    }

    private static void retained(GuestWorld world) {
        world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
        world.awaitVolume("disk", PersistentVolumePhase.RELEASED);
        world.delete(Kinds.PERSISTENT_VOLUME, "disk");
        world.end();
    }

    private static String beginning(Path device) throws IOException {
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
            ByteBuffer read = ByteBuffer.allocate(5);
            channel.read(read);
            return new String(read.array(), StandardCharsets.UTF_8);
        }
    }

    /** Storage of this machine. */
    public static class LocalE2E {
        @ParameterizedTest
        @ValueSource(strings = {"hostPath", "local", "local-device"})
        void files(String backend) throws IOException {
            filesAreWrittenByOnePodAndReadByAnother(backend);
        }

        @ParameterizedTest
        @ValueSource(strings = "local-device")
        void device(String backend) throws IOException {
            deviceIsWrittenByOnePodAndReadByAnother(backend);
        }
    }

    /** Directories of a server. */
    public static class NfsE2E {
        @ParameterizedTest
        @ValueSource(strings = {"nfs3", "nfs4"})
        void files(String backend) throws IOException {
            filesAreWrittenByOnePodAndReadByAnother(backend);
        }
    }

    /** Units of a target. */
    public static class IscsiE2E {
        @ParameterizedTest
        @ValueSource(strings = {"iscsi", "iscsi-chap", "iscsi-chap-mutual"})
        void files(String backend) throws IOException {
            filesAreWrittenByOnePodAndReadByAnother(backend);
        }

        @ParameterizedTest
        @ValueSource(strings = {"iscsi", "iscsi-chap"})
        void device(String backend) throws IOException {
            deviceIsWrittenByOnePodAndReadByAnother(backend);
        }
    }
}

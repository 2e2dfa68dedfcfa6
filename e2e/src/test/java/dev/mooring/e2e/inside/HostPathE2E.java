// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths of the node, of every type. */
public class HostPathE2E {
    private static final String PLUGIN = "kubernetes.io/host-path";

    @ParameterizedTest
    @CsvSource({"'', true", "Directory, true", "DirectoryOrCreate, false"})
    void directoryIsWrittenByOnePodAndReadByAnother(String type, boolean exists) throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            Path path = world.data().resolve("disk");
            if (exists) {
                Files.createDirectory(path);
            }
            offer(world, path, type, "Recycle");
            world.claim("data", "disk", "Filesystem", "ReadWriteMany");
            Path first = world.mounted(world.pod("writer", "data"), PLUGIN, "disk");
            Files.writeString(first.resolve("greeting"), "hello");
            Path second = world.mounted(world.pod("reader", "data"), PLUGIN, "disk");
            assertThat(second.resolve("greeting")).hasContent("hello");
            assertThat(path.resolve("greeting")).hasContent("hello");
            world.delete(Kinds.POD, "writer");
            assertThat(second.resolve("greeting")).hasContent("hello");
            world.delete(Kinds.POD, "reader");
            world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
            world.awaitVolume("disk", PersistentVolumePhase.AVAILABLE);
            assertThat(MachineView.tree(path)).as("recycled").isEmpty();
            world.delete(Kinds.PERSISTENT_VOLUME, "disk");
            world.end();
        }
    }

    @ParameterizedTest
    @CsvSource({"'', true", "File, true", "FileOrCreate, false"})
    void fileIsWrittenByOnePodAndReadByAnother(String type, boolean exists) throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            Path path = world.data().resolve("file");
            if (exists) {
                Files.createFile(path);
            }
            throughTwoPods(world, path, type);
            assertThat(path).hasContent("hello");
            retained(world, path);
        }
    }

    @ParameterizedTest
    @CsvSource({"CharDevice, /dev/null", "CharDevice, /dev/zero"})
    void deviceIsShown(String type, Path path) throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            offer(world, path, type, "Retain");
            world.claim("data", "disk", "Filesystem", "ReadWriteMany");
            Path shown = world.mounted(world.pod("user", "data"), PLUGIN, "disk");
            assertThat(Files.getAttribute(shown, "unix:rdev")).isEqualTo(Files.getAttribute(path, "unix:rdev"));
            world.delete(Kinds.POD, "user");
            retained(world, path);
        }
    }

    @ParameterizedTest
    @CsvSource("BlockDevice")
    void blockDeviceIsShown(String type) throws IOException {
        try (GuestWorld world = new GuestWorld()) {
            Path node = world.data().resolve("device");
            MachineView.run("mknod", node.toString(), "b", "7", "200");
            offer(world, node, type, "Retain");
            world.claim("data", "disk", "Filesystem", "ReadWriteMany");
            Path shown = world.mounted(world.pod("user", "data"), PLUGIN, "disk");
            assertThat(Files.getAttribute(shown, "unix:rdev")).isEqualTo(Files.getAttribute(node, "unix:rdev"));
            world.delete(Kinds.POD, "user");
            retained(world, node);
        }
    }

    @ParameterizedTest
    @CsvSource("Socket")
    void socketIsShown(String type) throws IOException {
        try (GuestWorld world = new GuestWorld();
                ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Path path = world.data().resolve("socket");
            listening.bind(UnixDomainSocketAddress.of(path));
            offer(world, path, type, "Retain");
            world.claim("data", "disk", "Filesystem", "ReadWriteMany");
            Path shown = world.mounted(world.pod("user", "data"), PLUGIN, "disk");
            assertThat(Files.getAttribute(shown, "unix:ino")).isEqualTo(Files.getAttribute(path, "unix:ino"));
            world.delete(Kinds.POD, "user");
            retained(world, path);
        }
    }

    private static void throughTwoPods(GuestWorld world, Path path, String type) throws IOException {
        offer(world, path, type, "Retain");
        world.claim("data", "disk", "Filesystem", "ReadWriteMany");
        Path first = world.mounted(world.pod("writer", "data"), PLUGIN, "disk");
        Files.writeString(first, "hello");
        Path second = world.mounted(world.pod("reader", "data"), PLUGIN, "disk");
        assertThat(second).hasContent("hello");
        world.delete(Kinds.POD, "writer");
        world.delete(Kinds.POD, "reader");
    }

    private static void retained(GuestWorld world, Path path) {
        world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
        world.awaitVolume("disk", PersistentVolumePhase.RELEASED);
        assertThat(path).exists();
        world.delete(Kinds.PERSISTENT_VOLUME, "disk");
        world.end();
    }

    private static void offer(GuestWorld world, Path path, String type, String policy) {
        world.create("""
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: %s,
                        hostPath: {path: %s, type: "%s"},
                        nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
                          {key: kubernetes.io/hostname, operator: In, values: [%s]}]}]}}}}""".formatted(policy, path, type, GuestWorld.NODE));
    }
}

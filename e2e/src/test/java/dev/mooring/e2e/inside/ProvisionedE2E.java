// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that are made for a claim and go with it, or are emptied for the next one. */
public final class ProvisionedE2E {
    private static final String CLASS = """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: made}, provisioner: %s, parameters: {%s}, allowVolumeExpansion: true,
             mountOptions: [%s]}""";

    private ProvisionedE2E() {}

    /** One pod writes, another reads; then pods and claim go, and the volume with them. */
    private static String lived(GuestWorld world, String plugin) throws IOException {
        String volume = world.claimOfClass("data", "made");
        Path first = world.mounted(world.pod("writer", "data"), plugin, volume);
        Files.writeString(first.resolve("greeting"), "hello");
        Path second = world.mounted(world.pod("reader", "data"), plugin, volume);
        assertThat(second.resolve("greeting")).hasContent("hello");
        world.delete(Kinds.POD, "writer");
        world.delete(Kinds.POD, "reader");
        world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
        world.delete(Kinds.PERSISTENT_VOLUME, volume);
        return volume;
    }

    private static List<String> visible(Path directory) throws IOException {
        try (var names = Files.list(directory)) {
            return names.map(each -> String.valueOf(each.getFileName()))
                    .filter(name -> !name.startsWith("."))
                    .toList();
        }
    }

    /** Directories of a server. */
    public static class OfServer {
        private static final String NFS = "kubernetes.io/nfs";
        private static final Path EXPORT = Path.of("/srv/nfs");

        private static Path share(GuestWorld world, String version, String more) throws IOException {
            MachineView.service("nfs-start", EXPORT.toString());
            Path share = Files.createDirectories(
                    EXPORT.resolve(String.valueOf(world.data().getParent().getFileName())));
            world.create(CLASS.formatted(NFS, "server: 127.0.0.1, share: " + share + more, version));
            return share;
        }

        @ParameterizedTest
        @ValueSource(strings = {"nfsvers=3", "nfsvers=4.2"})
        void directoryIsMadeForAClaimAndGoesWithIt(String version) throws IOException {
            try (GuestWorld world = new GuestWorld()) {
                Path share = share(world, version, "");
                lived(world, NFS);
                assertThat(visible(share)).isEmpty();
                world.end();
            }
        }

        @Test
        void directoryIsPutAsideIfTheClassSaysSo() throws IOException {
            try (GuestWorld world = new GuestWorld()) {
                Path share = share(world, "nfsvers=4.2", ", pathPattern: '${.PVC.name}', onDelete: archive");
                lived(world, NFS);
                assertThat(visible(share)).singleElement().satisfies(name -> {
                    assertThat(name).startsWith("archived-data");
                    assertThat(share.resolve(name).resolve("greeting")).hasContent("hello");
                });
                world.end();
            }
        }

        @Test
        void volumeGrowsWhileAPodHasIt() throws IOException {
            try (GuestWorld world = new GuestWorld()) {
                share(world, "nfsvers=4.2", "");
                String volume = world.claimOfClass("data", "made");
                Path mounted = world.mounted(world.pod("writer", "data"), NFS, volume);
                world.grow("data", Quantity.parse("2Mi"));
                Files.writeString(mounted.resolve("greeting"), "hello");
                world.delete(Kinds.POD, "writer");
                world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
                world.delete(Kinds.PERSISTENT_VOLUME, volume);
                world.end();
            }
        }

        @Test
        void exportIsEmptiedForTheNextClaim() throws IOException {
            try (GuestWorld world = new GuestWorld()) {
                Path share = share(world, "nfsvers=4.2", "");
                world.create("""
                        {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
                         spec: {capacity: {storage: 32Mi}, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: Recycle,
                                nfs: {server: 127.0.0.1, path: %s}}}""".formatted(share));
                world.claim("data", "disk", "Filesystem", "ReadWriteMany");
                Path mounted = world.mounted(world.pod("writer", "data"), NFS, "disk");
                Files.createDirectories(mounted.resolve("some/where"));
                Files.writeString(mounted.resolve("some/where/secret"), "hello");
                world.delete(Kinds.POD, "writer");
                world.delete(Kinds.PERSISTENT_VOLUME_CLAIM, "data");
                world.awaitVolume("disk", PersistentVolumePhase.AVAILABLE);
                assertThat(visible(share)).isEmpty();
                world.delete(Kinds.PERSISTENT_VOLUME, "disk");
                world.end();
            }
        }
    }

    /** Directories of this machine. */
    public static class OfNode {
        @Test
        void directoryIsMadeForAClaimAndGoesWithIt() throws IOException {
            Path root = Files.createDirectories(Path.of("/var/lib/mooring/hostpath"));
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            try (GuestWorld world = new GuestWorld()) {
                world.create(CLASS.formatted("kubernetes.io/host-path", "", ""));
                String volume = lived(world, "kubernetes.io/host-path");
                assertThat(root.resolve("v").resolve(volume)).doesNotExist();
                world.end();
            }
        }
    }
}

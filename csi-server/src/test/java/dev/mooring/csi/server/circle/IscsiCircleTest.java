// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.csi.server.GuestServices;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.PluginConformance;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The plugin for iSCSI after it went through a driver's socket, with the kernel's own target, which asks for a password. */
@Tag("guest")
@Tag("kit")
class IscsiCircleTest extends CircleSuite {
    private final PluginConformance plain = new Units();

    @Override
    PluginConformance plain() {
        return plain;
    }

    @Override
    String column() {
        return "iSCSI";
    }

    @Override
    Map<String, Object> secretReferences() {
        return Map.of("nodeStageSecretRef", Map.of("name", "chap", "namespace", "default"));
    }

    private static final class Units implements PluginConformance {
        private static final String IQN = "iqn.2026-01.dev.mooring:circle";
        private static final String USER = "someone";
        private static final String PASSWORD = "planted-secret-1";
        private static final int RAW = 100;

        private final Set<Integer> units = new HashSet<>();

        @Override
        public StoragePlugin plugin(Machine machine) {
            try {
                // A lock that a dead agent left is taken over after a minute, which is tested elsewhere.
                Files.deleteIfExists(Path.of("/run/lock/iscsi/lock.write"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return ServedPlugins.named("kubernetes.io/iscsi");
        }

        @Override
        public Machine machine() {
            GuestServices.need();
            GuestServices.service("iscsi-start");
            GuestServices.service("target-start", IQN, USER, PASSWORD);
            units.clear();
            return GuestMachines.machine(() -> {
                GuestServices.tool(
                        "sh", "-c", "iscsiadm -m node --logout; iscsiadm -m node -o delete; rm -f /tmp/disk*");
                GuestServices.service("target-stop", IQN);
            });
        }

        /** To log in to a target and to find its disks takes a second and more. */
        @Override
        public boolean sharesMachine() {
            return true;
        }

        @Override
        public VolumeSource existing(Machine machine, int number) {
            return unit(number);
        }

        /** A unit of its own: no file system is made on a raw device. */
        @Override
        public Optional<VolumeSource> existingDevice(Machine machine, int number) {
            return Optional.of(unit(RAW + number));
        }

        private VolumeSource unit(int number) {
            if (units.add(number)) {
                GuestServices.service("target-lun", IQN, Integer.toString(number), disk(number), "64M");
            }
            return source(number);
        }

        private static VolumeSource source(long number) {
            return new VolumeSource(
                    "iscsi",
                    Document.of(Map.of(
                            "targetPortal",
                            "127.0.0.1:3260",
                            "iqn",
                            IQN,
                            "lun",
                            number,
                            "fsType",
                            "ext4",
                            "chapAuthSession",
                            true,
                            "secretRef",
                            Map.of("name", "chap", "namespace", "default"))));
        }

        private static String disk(long number) {
            return "/tmp/disk" + number;
        }

        @Override
        public void grow(Machine machine, VolumeSource source, Quantity size) {
            long unit = IscsiSource.of(source).orElseThrow().lun();
            GuestServices.service("target-grow", disk(unit), Long.toString(size.longValue()));
        }

        @Override
        public Quantity size() {
            return Quantity.parse("64Mi");
        }

        @Override
        public Secrets secrets() {
            return secret -> Optional.of(SecretValue.all(
                    Map.of("node.session.auth.username", USER, "node.session.auth.password", PASSWORD)));
        }

        /** Each call takes a second or more here. */
        @Override
        public int points() {
            return 1;
        }

        @Override
        public List<VolumeSource> faultySources() {
            return List.of(new VolumeSource("iscsi", Document.of(Map.of("targetPortal", "127.0.0.1"))));
        }

        /** Sessions, what the initiator has noted, and disks. */
        @Override
        public List<String> backendInventory(Machine machine) {
            List<String> traces = new ArrayList<>();
            for (String directory : List.of(
                    "/sys/class/iscsi_session", "/etc/iscsi/nodes", "/etc/iscsi/ifaces", "/etc/iscsi/send_targets")) {
                names(directory).forEach(name -> traces.add(directory + "/" + name));
            }
            names("/sys/block").stream()
                    .filter(name -> name.startsWith("sd") || name.startsWith("dm-"))
                    .forEach(traces::add);
            return traces;
        }

        private static List<String> names(String directory) {
            if (!Files.isDirectory(Path.of(directory))) {
                return List.of();
            }
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                return files.map(file -> String.valueOf(file.getFileName()))
                        .sorted()
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

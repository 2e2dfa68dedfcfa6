// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.NodeStageVolumeRequest;
import dev.mooring.csi.v1.Volume;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plugin for iSCSI as a driver of units that exist, with the kernel's own target, which asks for a password. */
@Tag("guest")
class IscsiDriverTest extends DriverSuite {
    private static final String IQN = "iqn.2026-01.dev.mooring:served";
    private static final String USER = "someone";
    private static final String PASSWORD = "planted-secret-1";
    private static final int DEVICES = 100;

    private final Target target = new Target();

    @Override
    DriverSubject subject() {
        return target;
    }

    @Override
    boolean split() {
        return true;
    }

    private static final class Target implements DriverSubject {
        private final Set<Integer> units = new HashSet<>();

        @Override
        public String plugin() {
            return "kubernetes.io/iscsi";
        }

        @Override
        public void start(Path directory) {
            GuestServices.need();
            GuestServices.service("iscsi-start");
            GuestServices.service("target-start", IQN, USER, PASSWORD);
        }

        @Override
        public void end() {
            GuestServices.service("target-stop", IQN);
        }

        @Override
        public VolumeSource existing(Path directory, int number) {
            if (units.add(number)) {
                GuestServices.service(
                        "target-lun",
                        IQN,
                        "" + number,
                        directory.resolve("disk" + number).toString(),
                        "64M");
            }
            return new VolumeSource(
                    "iscsi",
                    Document.of(Map.of(
                            "targetPortal",
                            "127.0.0.1:3260",
                            "iqn",
                            IQN,
                            "lun",
                            (long) number,
                            "fsType",
                            "ext4",
                            "chapAuthSession",
                            true,
                            "secretRef",
                            Map.of("name", "chap", "namespace", "default"))));
        }

        @Override
        public Optional<VolumeSource> existingDevice(Path directory, int number) {
            return Optional.of(existing(directory, DEVICES + number));
        }

        @Override
        public Map<String, String> secrets() {
            return Map.of("node.session.auth.username", USER, "node.session.auth.password", PASSWORD);
        }
    }

    @Test
    void aWrongPasswordIsRefusedAndNotShown() throws IOException {
        Volume volume = bench.volume(1);
        NodeStageVolumeRequest wrong = bench.stageRequest(volume, writer()).toBuilder()
                .putSecrets("node.session.auth.password", "planted-secret-0")
                .build();
        assertThat(driver.status(NodeGrpc.getNodeStageVolumeMethod(), wrong))
                .satisfies(status -> assertThat(status.code()).isNotIn(Status.Code.OK, Status.Code.INTERNAL))
                .satisfies(status -> assertThat(status.message()).doesNotContain("planted"));
        driver.call(
                NodeGrpc.getNodeUnstageVolumeMethod(),
                CsiRequests.unstage(volume.getVolumeId(), bench.staging(volume)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.tool;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A target on a real kernel of whose two portals one is away, and comes while the volume is used. */
@Tag("guest")
class GuestPortalsTest {
    private static final byte[] ADDRESS = {127, 0, 0, 2};
    private static final int PORT = 3260;
    private static final String SECOND = "127.0.0.2:" + PORT;

    private IscsiMachine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() {
        machine = new IscsiMachine();
        before = IscsiMachine.traces();
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(IscsiMachine.traces()).isEqualTo(before);
            assertThat(machine.ledger()).isEmpty();
            service("lio-stop", IQN);
        }
    }

    private static VolumeSpec fileSystem() {
        return Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
    }

    /** The target listens there too from now on. */
    private static void secondPortalComes() throws IOException {
        Files.createDirectory(Path.of("/sys/kernel/config/target/iscsi", IQN, "tpgt_1/np", SECOND));
    }

    private static List<String> sessions() {
        return IscsiMachine.names("/sys/class/iscsi_session");
    }

    /** A server takes connections there and never answers, as a target does whose disks hang. */
    @Test
    void i15_aPortalThatKeepsSilentDoesNotKeepTheVolumeAwayAndBecomesAPathWhenItSpeaks() throws IOException {
        service("multipath-start");
        try {
            VolumeSpec volume = fileSystem();
            PluginState state;
            try (ServerSocket silent = new ServerSocket(PORT, 50, InetAddress.getByAddress(ADDRESS))) {
                assertThat(silent.isBound()).isTrue();
                state = value(machine.stage(volume));
            }
            assertThat(machine.plugin.missing(state)).contains("no path to unit 0 of " + IQN + " over " + SECOND);
            assertThat(machine.said).anyMatch(text -> text.contains("no path over " + SECOND));
            assertThat(sessions()).hasSize(1);
            String map = machine.device(volume).name();
            assertThat(map).startsWith("dm-");
            assertThat(pathsOf(map)).hasSize(1);
            Path file = machine.staging(volume).resolve("file");
            Files.writeString(file, "kept");

            secondPortalComes();
            PluginState whole = value(machine.complete(volume, state));
            assertThat(machine.plugin.missing(whole)).isEmpty();
            assertThat(sessions()).hasSize(2);
            assertThat(machine.device(volume).name()).isEqualTo(map);
            untilItHasTwoPaths(map);
            assertThat(file).hasContent("kept");

            // the path that there was from the start goes; what is written goes over the other one
            Path first = Path.of("/sys/block", pathsOf(map).get(0), "device/state");
            Files.writeString(first, "offline\n");
            Files.writeString(file, "written later");
            tool("sync", "-f", file.toString());
            Files.writeString(first, "running\n");
            assertThat(answer(machine.unstage(volume, whole))).isEqualTo("done");
        } finally {
            IscsiMachine.attempt("multipathd", "shutdown");
        }
    }

    private static List<String> pathsOf(String map) {
        return IscsiMachine.names("/sys/block/" + map + "/slaves");
    }

    /** multipathd hears of a new disk by udev. */
    private static void untilItHasTwoPaths(String map) {
        for (int attempt = 0; attempt < 30 && pathsOf(map).size() < 2; attempt++) {
            tool("sleep", "1");
        }
        assertThat(pathsOf(map)).hasSize(2);
    }
}

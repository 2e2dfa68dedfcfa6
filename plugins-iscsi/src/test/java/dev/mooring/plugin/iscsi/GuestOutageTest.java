// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.tool;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of volumes when their target dies. */
@Tag("guest")
class GuestOutageTest {
    private static final String OTHER = "iqn.2000-01.test:other";
    private static final Path SESSIONS = Path.of("/sys/class/iscsi_session");

    private IscsiMachine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() {
        machine = new IscsiMachine();
        before = IscsiMachine.traces();
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        service("lio-start", OTHER);
        service("lio-lun", OTHER, "0", "/tmp/disk1", "64M");
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(IscsiMachine.traces()).isEqualTo(before);
            assertThat(machine.ledger()).isEmpty();
            service("lio-stop", OTHER);
        }
    }

    /** The target goes for good, and the kernel soon stops waiting for it. */
    private static void targetDies() throws IOException {
        for (String session : IscsiMachine.names(SESSIONS.toString())) {
            Files.writeString(SESSIONS.resolve(session).resolve("recovery_tmo"), "3");
        }
        service("lio-stop", IQN);
    }

    @Test
    void i29_aDeadTargetHoldsUpNoOtherAndItsVolumeGoesWithAWordOnWhatIsLost() throws IOException {
        VolumeSpec volume = Volumes.fileSystem(Volumes.source(IQN, 0).toSource());
        PluginState state = value(machine.stage(volume));
        Files.write(machine.staging(volume).resolve("written"), new byte[1 << 20]);
        targetDies();

        VolumeSpec other = Volumes.fileSystem(Volumes.source(OTHER, 0).toSource());
        PluginState alive = value(machine.stage(other));
        assertThat(answer(machine.unstage(other, alive))).isEqualTo("done");

        assertThat(untilGone(volume, state)).isEqualTo("done");
        assertThat(machine.said).anyMatch(text -> text.startsWith("DirtyDataLost"));
    }

    @Test
    void i29_aBlockDeviceOfADeadTargetGoesToo() throws IOException {
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());
        PluginState state = value(machine.stage(volume));
        targetDies();

        assertThat(untilGone(volume, state)).isEqualTo("done");
    }

    /** The host repeats what is uncertain or cannot be done yet; the kernel gives the disk up within a few seconds. */
    private String untilGone(VolumeSpec volume, PluginState state) {
        String last = "";
        for (int attempt = 0; attempt < 20 && !last.equals("done"); attempt++) {
            last = answer(machine.unstage(volume, state));
            tool("sleep", "1");
        }
        return last;
    }
}

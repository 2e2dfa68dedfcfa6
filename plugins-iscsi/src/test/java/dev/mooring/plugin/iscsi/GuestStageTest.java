// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.Machine.answer;
import static dev.mooring.plugin.iscsi.Machine.service;
import static dev.mooring.plugin.iscsi.Machine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real initiator against the kernel's own target. */
@Tag("guest")
class GuestStageTest {
    private Machine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() {
        machine = new Machine();
        before = Machine.traces();
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(Machine.traces()).isEqualTo(before);
            assertThat(machine.ledger()).isEmpty();
            service("lio-stop", IQN);
        }
    }

    @Test
    void i04_onlyTheVolumesUnitAppears() {
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        service("lio-lun", IQN, "3", "/tmp/disk3", "64M");
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 3).toSource());

        PluginState state = value(machine.stage(volume));

        assertThat(Machine.names("/sys/block").stream().filter(name -> name.startsWith("sd")))
                .hasSize(1);
        assertThat(value(machine.stage(volume))).isEqualTo(state);
        assertThat(machine.device(volume).sizeBytes()).isEqualTo(64L << 20);
        assertThat(machine.notes(volume)).containsKey(Disks.NOTE);
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
    }

    @Test
    void i05_chapOneWayAndAWrongSecretLeavesNoRecord() {
        service("lio-start", IQN, "someone", "some-password");
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        VolumeSpec volume = Volumes.block(Volumes.withChap(Volumes.source(IQN, 0)));
        machine.secret.put("node.session.auth.username", "someone");
        machine.secret.put("node.session.auth.password", "wrong-password");

        Outcome<PluginState> denied = machine.stage(volume);
        assertThat(answer(denied)).as(denied::toString).isEqualTo("DENIED");
        assertThat(Machine.traces()).isEqualTo(before);

        machine.secret.put("node.session.auth.password", "some-password");
        PluginState state = value(machine.stage(volume));
        assertThat(state.content()).doesNotContain("some-password");
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
    }

    @Test
    void i12_whatWasWrittenIsThereAfterTheNextStaging() throws IOException {
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        VolumeSpec volume = Volumes.fileSystem(Volumes.source(IQN, 0).toSource());

        PluginState state = value(machine.stage(volume));
        PluginState shown = value(machine.publish(volume, "a", false));
        PluginState readOnly = value(machine.publish(volume, "b", true));
        Files.writeString(machine.target("a").resolve("file"), "kept");
        assertThat(machine.target("b").resolve("file")).hasContent("kept");
        assertThatThrownBy(() -> Files.writeString(machine.target("b").resolve("other"), "no"))
                .isInstanceOf(FileSystemException.class);
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("IN_USE");
        assertThat(answer(machine.unpublish(volume, "a", shown))).isEqualTo("done");
        assertThat(answer(machine.unpublish(volume, "b", readOnly))).isEqualTo("done");
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
        assertThat(machine.mounts()).isEmpty();

        state = value(machine.stage(volume));
        assertThat(machine.staging(volume).resolve("file")).hasContent("kept");
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
    }
}

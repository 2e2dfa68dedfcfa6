// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.Machine.answer;
import static dev.mooring.plugin.iscsi.Machine.attempt;
import static dev.mooring.plugin.iscsi.Machine.service;
import static dev.mooring.plugin.iscsi.Machine.tool;
import static dev.mooring.plugin.iscsi.Machine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes with initiators of their own, on one kernel, at a target with reservations. */
@Tag("guest")
class GuestFencingTest {
    private static final NodeRef OTHER = new NodeRef("node-2", "node-uid-2");

    private Machine machine;
    private Machine other;
    private List<String> before = List.of();
    private final VolumeSpec here = Volumes.block(Volumes.source(IQN, 0).toSource());
    private final VolumeSpec there =
            Volumes.block(Volumes.withInitiator(Volumes.source(IQN, 0), "iqn.2000-01.test:other"));

    @BeforeEach
    void setUp() {
        machine = new Machine();
        other = new Machine(machine, OTHER);
        before = Machine.traces();
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(Machine.traces()).isEqualTo(before);
            service("lio-stop", IQN);
        }
    }

    private static boolean canWrite(Machine node, VolumeSpec volume) {
        String device = node.device(volume).path().toString();
        return attempt("dd", "if=/dev/zero", "of=" + device, "bs=4096", "count=1", "oflag=direct")[0].equals("0");
    }

    @Test
    void i24_whoIsSecondIsToldWhoHoldsTheVolumeAndCannotWrite() {
        PluginState state = value(machine.stage(here));
        assertThat(canWrite(machine, here)).isTrue();

        Outcome<PluginState> refused = other.stage(there);
        assertThat(answer(refused)).as(refused::toString).isEqualTo("elsewhere");
        assertThat(refused.message()).contains("node-1");

        VolumeSpec careless = Volumes.block(there.source(), Settings.FENCING, "off");
        PluginState unfenced = value(other.stage(careless));
        assertThat(canWrite(other, careless)).isFalse();
        assertThat(canWrite(machine, here)).isTrue();

        assertThat(answer(other.unstage(careless, unfenced))).isEqualTo("done");
        assertThat(answer(machine.unstage(here, state))).isEqualTo("done");
    }

    @Test
    void i25_theNewNodeTakesTheOldOnesPowerToWrite() {
        PluginState lost = value(machine.stage(here));
        PluginState state = value(other.stage(there, false, Map.of(Reservations.FENCE, "node-uid-1")));

        assertThat(canWrite(machine, here)).isFalse();
        assertThat(canWrite(other, there)).isTrue();
        // back again, the old node does not get hold of it by staging
        assertThat(answer(machine.stage(here))).isIn("elsewhere", "uncertain");

        assertThat(answer(machine.unstage(here, lost))).isEqualTo("done");
        assertThat(canWrite(other, there)).isTrue();
        assertThat(answer(other.unstage(there, state))).isEqualTo("done");
    }

    @Test
    void i26_afterANewSessionTheNodeWritesAgain() {
        value(machine.stage(here));
        String[] node = {"iscsiadm", "-m", "node", "-T", IQN, "-p", PORTAL, "-I", "default"};
        for (String action : List.of("--logout", "--login")) {
            tool(Stream.concat(Stream.of(node), Stream.of(action)).toArray(String[]::new));
        }

        PluginState state = value(machine.stage(here));
        assertThat(canWrite(machine, here)).isTrue();
        assertThat(answer(machine.unstage(here, state))).isEqualTo("done");
        PluginState second = value(other.stage(there));
        assertThat(answer(other.unstage(there, second))).isEqualTo("done");
    }

    @Test
    void i26_aTargetThatForgotTheReservationIsReservedAgain() {
        value(machine.stage(here));
        String device = machine.device(here).path().toString();
        tool("sg_persist", "-n", "-o", "-C", "-K", "0x" + Reservations.key("node-uid-1"), device);
        assertThat(attempt("sg_persist", "-n", "-i", "-k", device)[1]).contains("NO registered");

        PluginState state = value(machine.stage(here));
        assertThat(attempt("sg_persist", "-n", "-i", "-r", device)[1]).contains(Reservations.key("node-uid-1"));
        assertThat(answer(machine.unstage(here, state))).isEqualTo("done");
    }
}

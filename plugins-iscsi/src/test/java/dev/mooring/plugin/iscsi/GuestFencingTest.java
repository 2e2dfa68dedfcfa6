// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.attempt;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.tool;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes with initiators of their own, on one kernel, at a target with reservations. */
@Tag("guest")
class GuestFencingTest {
    private static final NodeRef OTHER = new NodeRef("node-2", "node-uid-2");

    private static final String SECOND = "127.0.0.2:3260";
    private static final String OLD_KEY = Reservations.key("node-uid-1");
    private static final byte[] PATTERN = pattern();

    private IscsiMachine machine;
    private IscsiMachine other;
    private List<String> before = List.of();
    private final VolumeSpec here = Volumes.block(Volumes.source(IQN, 0).toSource());
    private final VolumeSpec there =
            Volumes.block(Volumes.withInitiator(Volumes.source(IQN, 0), "iqn.2000-01.test:other"));

    @BeforeEach
    void setUp() {
        machine = new IscsiMachine();
        other = new IscsiMachine(machine, OTHER);
        before = IscsiMachine.traces();
        service("lio-start", IQN);
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(IscsiMachine.traces()).isEqualTo(before);
            service("lio-stop", IQN);
        }
    }

    private static boolean canWrite(IscsiMachine node, VolumeSpec volume) {
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

    /** Both mount it: the old node has what it wrote last in its memory, and goes on as if it had lost nothing but its cluster. */
    @Test
    void i25_theNewNodeReadsWhatWasSyncedAndTheOldOneAddsNothing() throws IOException {
        VolumeSpec mine = Volumes.fileSystem(here.source());
        VolumeSpec theirs = Volumes.fileSystem(there.source());
        PluginState lost = value(machine.stage(mine));
        Path old = machine.staging(mine);
        synced(old.resolve("kept"), PATTERN);

        PluginState first = value(other.stage(theirs, false, Map.of(Reservations.FENCE, "node-uid-1")));
        assertThat(other.staging(theirs).resolve("kept")).hasBinaryContent(PATTERN);
        assertThatThrownBy(() -> synced(old.resolve("kept"), new byte[PATTERN.length]))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> synced(old.resolve("late"), PATTERN)).isInstanceOf(IOException.class);
        assertThat(answer(machine.stage(mine))).isIn("elsewhere", "uncertain");
        assertThat(registered(theirs)).contains(Reservations.key("node-uid-2")).doesNotContain(OLD_KEY);
        // What it could not write is told once, before its disk goes.
        assertThat(answer(machine.unstage(mine, lost))).isIn("done", "uncertain");
        Outcome<?> again = machine.unstage(mine, lost);
        assertThat(answer(again)).as(again::toString).isEqualTo("done");
        assertThat(registered(theirs)).contains(Reservations.key("node-uid-2")).doesNotContain(OLD_KEY);
        assertThat(answer(other.unstage(theirs, first))).isEqualTo("done");

        // Nothing is in the new node's memory any more: this is what the target has.
        tool("e2fsck", "-f", "-n", "/tmp/disk0");
        PluginState second = value(other.stage(theirs));
        assertThat(other.staging(theirs).resolve("kept")).hasBinaryContent(PATTERN);
        assertThat(IscsiMachine.names(other.staging(theirs).toString())).containsExactly("kept", "lost+found");
        assertThat(answer(other.unstage(theirs, second))).isEqualTo("done");
    }

    private String registered(VolumeSpec volume) {
        return tool("sg_persist", "-n", "-i", "-k", other.device(volume).path().toString());
    }

    /** Writes a file and has its file system tell whether it is on the disk. */
    private static void synced(Path file, byte[] content) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(content));
            channel.force(true);
        }
        try (FileChannel directory = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static byte[] pattern() {
        byte[] bytes = new byte[1 << 20];
        new SplittableRandom(25).nextBytes(bytes);
        return bytes;
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

    @Test
    void i26_aReservationOfAllRegistrantsIsOursToo() {
        value(machine.stage(here));
        String device = machine.device(here).path().toString();
        tool("sg_persist", "-n", "-o", "-L", "-K", "0x" + OLD_KEY, "-T", "5", device);
        tool("sg_persist", "-n", "-o", "-R", "-K", "0x" + OLD_KEY, "-T", "7", device);

        PluginState state = value(machine.stage(here));
        assertThat(canWrite(machine, here)).isTrue();
        assertThat(answer(other.stage(there))).isEqualTo("elsewhere");
        assertThat(canWrite(machine, here)).isTrue();
        assertThat(answer(machine.unstage(here, state))).isEqualTo("done");
        PluginState next = value(other.stage(there));
        assertThat(answer(other.unstage(there, next))).isEqualTo("done");
    }

    /** As after a reboot: its key is at the target, and it has no session to give it up by. */
    @Test
    void aNodeThatLetsGoWithoutAPathLocksNoOtherNodeOut() {
        PluginState state = value(machine.stage(here));
        tool("iscsiadm", "-m", "node", "-T", IQN, "-p", PORTAL, "-I", "default", "--logout");

        assertThat(answer(machine.unstage(here, state))).isEqualTo("done");
        PluginState next = value(other.stage(there));
        assertThat(canWrite(other, there)).isTrue();
        assertThat(registered(there)).doesNotContain(OLD_KEY);
        assertThat(answer(other.unstage(there, next))).isEqualTo("done");
    }

    /** Over the one that answers it takes its key from the other one, too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aNodeThatLetsGoWithAPathThatIsDeadLeavesNoKey(int dead) throws IOException {
        Files.createDirectory(Path.of("/sys/kernel/config/target/iscsi", IQN, "tpgt_1/np", SECOND));
        VolumeSpec twice = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        PluginState state = value(machine.stage(twice));
        List<String> paths = IscsiMachine.names("/sys/block").stream()
                .filter(name -> name.startsWith("sd"))
                .toList();
        assertThat(paths).hasSize(2);
        Files.writeString(Path.of("/sys/block", paths.get(dead), "device/state"), "offline\n");

        assertThat(answer(machine.unstage(twice, state))).isEqualTo("done");
        assertThat(machine.notes(twice).getOrDefault(HolderNote.NAME, "")).doesNotContain("released");
        PluginState next = value(other.stage(there));
        assertThat(registered(there)).doesNotContain(OLD_KEY);
        assertThat(answer(other.unstage(there, next))).isEqualTo("done");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.service;
import static dev.mooring.plugin.iscsi.IscsiMachine.serviceAt;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real initiator against the kernel's own target. */
@Tag("guest")
class GuestStageTest {
    private IscsiMachine machine;
    private List<String> before = List.of();

    @BeforeEach
    void setUp() {
        machine = new IscsiMachine();
        before = IscsiMachine.traces();
    }

    @AfterEach
    void nothingIsLeft() {
        if (machine != null) {
            assertThat(IscsiMachine.traces()).isEqualTo(before);
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

        assertThat(IscsiMachine.names("/sys/block").stream().filter(name -> name.startsWith("sd")))
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
        assertThat(IscsiMachine.traces()).isEqualTo(before);

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

    @Test
    void i05_bothSidesProveThemselves() throws IOException {
        service("lio-start", IQN, "someone", "some-password");
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        Path auth = Path.of("/sys/kernel/config/target/iscsi", IQN, "tpgt_1/auth");
        Files.writeString(auth.resolve("userid_mutual"), "target");
        Files.writeString(auth.resolve("password_mutual"), "target-password");
        VolumeSpec volume = Volumes.block(Volumes.withChap(Volumes.source(IQN, 0)));
        machine.secret.put("node.session.auth.username", "someone");
        machine.secret.put("node.session.auth.password", "some-password");
        machine.secret.put("node.session.auth.username_in", "target");
        machine.secret.put("node.session.auth.password_in", "not-the-target's");

        assertThat(answer(machine.stage(volume))).isEqualTo("DENIED");
        assertThat(IscsiMachine.traces()).isEqualTo(before);
        machine.secret.put("node.session.auth.password_in", "target-password");
        PluginState state = value(machine.stage(volume));
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
    }

    @Test
    void i06_noProcessIsGivenASecretAndNoLogShowsIt() throws Exception {
        service("lio-start", IQN, "someone", "planted-secret");
        service("lio-lun", IQN, "0", "/tmp/disk0", "64M");
        VolumeSpec volume = Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, 0)));
        machine.secret.put("node.session.auth.username", "someone");
        machine.secret.put("node.session.auth.password", "planted-secret");
        AtomicBoolean stop = new AtomicBoolean();
        List<String> seen = new CopyOnWriteArrayList<>();
        Thread watcher = new Thread(() -> watch(stop, seen));
        watcher.start();

        PluginState state = value(machine.stage(volume));
        stop.set(true);
        watcher.join();
        assertThat(seen).anyMatch(line -> line.contains("iscsiadm")).noneMatch(line -> line.contains("planted"));
        assertThat(machine.said.toString() + state + machine.notes(volume)).doesNotContain("planted");
        try (var files = Files.walk(machine.base.resolve("state"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("planted"));
        }
        assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
    }

    private static void watch(AtomicBoolean stop, List<String> seen) {
        while (!stop.get()) {
            for (String process : IscsiMachine.names("/proc")) {
                if (process.matches("\\d+")) {
                    try {
                        seen.add(Files.readString(Path.of("/proc", process, "cmdline"), StandardCharsets.ISO_8859_1));
                    } catch (IOException gone) {
                        seen.add("");
                    }
                }
            }
            seen.removeIf(line -> !line.contains("iscsiadm") && !line.contains("planted"));
        }
    }

    @Test
    void anotherKindOfTargetServesToo() {
        assumeTrue(Files.exists(Path.of("/usr/sbin/tgtd")), "needs tgt");
        service("lio-start", IQN);
        String iqn = "iqn.2000-01.test:tgt";
        serviceAt("127.0.0.1:3261", "tgt-start", iqn, "someone", "some-password");
        try {
            service("tgt-lun", iqn, "1", "/tmp/tgt1", "64M");
            VolumeSpec volume = Volumes.fileSystem(Volumes.withChap(Volumes.source(iqn, 1, "127.0.0.1:3261")));
            machine.secret.put("node.session.auth.username", "someone");
            machine.secret.put("node.session.auth.password", "wrong-password");
            assertThat(answer(machine.stage(volume))).isEqualTo("DENIED");
            machine.secret.put("node.session.auth.password", "some-password");
            PluginState state = value(machine.stage(volume));
            assertThat(IscsiMachine.tool(
                            "sg_persist",
                            "-n",
                            "-i",
                            "-r",
                            machine.device(volume).path().toString()))
                    .contains(Reservations.key("node-uid-1"));
            assertThat(answer(machine.unstage(volume, state))).isEqualTo("done");
        } finally {
            service("tgt-stop");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node and a target prove to each other, and where the secrets are. */
class FakeSecretsTest extends FakeStaging {
    @Test
    void i05_aWrongSecretLeavesNothing() {
        node.world.targets.clear();
        node.world.target(IQN, "right", new String[] {PORTAL});
        node.world.unit(IQN, 0, "naa.1");
        node.secret.put("node.session.auth.username", "someone");
        node.secret.put("node.session.auth.password", "planted-wrong");
        VolumeSpec volume = Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, 0)));

        Outcome<PluginState> outcome = node.stage(volume);
        assertThat(answer(outcome)).isEqualTo("DENIED");
        assertThat(node.traces()).isEmpty();
        assertThat(outcome.toString()).doesNotContain("planted");
    }

    @Test
    void i06_secretsAreNowhereButInTheRecord() throws IOException {
        node.world.targets.clear();
        node.world.target(IQN, "planted-secret", new String[] {PORTAL});
        node.world.unit(IQN, 0, "naa.1");
        node.secret.put("node.session.auth.username", "someone");
        node.secret.put("node.session.auth.password", "planted-secret");
        VolumeSpec volume = Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, 0)));

        PluginState state = value(node.stage(volume));
        assertThat(root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260"))
                .content()
                .contains("node.session.auth.password = planted-secret\n");
        assertThat(node.tools.ran + " " + node.said + state + node.record(volume) + node.notes(volume))
                .doesNotContain("planted");
        try (var files = Files.walk(root.resolve("var"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("planted"));
        }
    }

    /** A volume whose secret the target accepts, or not. */
    private VolumeSpec withSecret(long lun, String accepted) {
        node.world.targets.clear();
        node.world.target(IQN, accepted, new String[] {PORTAL});
        node.world.unit(IQN, 0, "naa.1");
        node.world.unit(IQN, 1, "naa.2");
        node.secret.put("node.session.auth.username", "someone");
        node.secret.put("node.session.auth.password", "planted-secret");
        return Volumes.fileSystem(Volumes.withChap(Volumes.source(IQN, lun)));
    }

    /** A record that another program has made. */
    private Path record(String... authentication) throws IOException {
        Path record = root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260,1/default");
        Files.createDirectories(record.resolve("..").normalize());
        return Files.writeString(
                record,
                "# BEGIN RECORD 2.1.8\nnode.name = " + IQN + "\niface.iscsi_ifacename = default\n"
                        + String.join("", authentication) + "# END RECORD\n");
    }

    @Test
    void i09_otherSecretsInAForeignRecordAreNotReplaced() throws IOException {
        VolumeSpec volume = withSecret(0, "planted-secret");
        Path record = record(
                "node.session.auth.authmethod = CHAP\n",
                "node.session.auth.username = owner\n",
                "node.session.auth.password = planted-owners\n");
        String before = Files.readString(record);

        Outcome<PluginState> outcome = node.stage(volume);
        assertThat(answer(outcome)).isEqualTo("INCOMPATIBLE");
        assertThat(outcome.message()).contains(PORTAL, IQN, "CHAP").doesNotContain("planted", "owner\n", "someone");
        assertThat(record).hasContent(before);
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void i09_aForeignRecordHasOurSecretsOnlyWhileTheyAreNeeded() throws IOException {
        VolumeSpec volume = withSecret(0, "planted-secret");
        VolumeSpec other = withSecret(1, "planted-secret");
        Path record = record("node.session.auth.authmethod = None\n", "node.session.auth.username = \n");

        PluginState state = value(node.stage(volume));
        assertThat(record).content().contains("password = planted-secret\n", "authmethod = CHAP\n");
        node.world.reboot();
        PluginState second = value(node.stage(other));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(record).content().contains("password = planted-secret\n");
        assertThat(answer(node.unstage(other, second))).isEqualTo("done");
        assertThat(record).content().contains("authmethod = None\n").doesNotContain("planted", "someone", "CHAP");
        assertThat(node.world.sessions).isEmpty();
    }

    @Test
    void i09_ourSecretsGoEvenIfAVolumeWithoutAnyStillNeedsTheSession() throws IOException {
        node.world.login(IQN, FIRST, "default");
        PluginState plain = value(node.stage(volume(1)));
        node.world.reboot();
        VolumeSpec volume = withSecret(0, "planted-secret");
        Path record = record();
        PluginState state = value(node.stage(volume));
        assertThat(record).content().contains("planted-secret");

        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(record).content().contains("authmethod = None\n").doesNotContain("planted");
        assertThat(answer(node.unstage(volume(1), plain))).isEqualTo("done");
    }

    @Test
    void i05_aWrongSecretDoesNotStayInAForeignRecord() throws IOException {
        VolumeSpec volume = withSecret(0, "another");
        Path record = record("node.session.auth.authmethod = CHAP\n");

        assertThat(answer(node.stage(volume))).isEqualTo("DENIED");
        assertThat(record).content().contains("authmethod = CHAP\n").doesNotContain("planted", "someone");
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void i09_theSameSecretsInAForeignRecordStayWhetherTheyAreAcceptedOrNot() throws IOException {
        VolumeSpec volume = withSecret(0, "planted-secret");
        Path record = record(
                "node.session.auth.authmethod = CHAP\n",
                "node.session.auth.username = someone\n",
                "node.session.auth.password = planted-secret\n");

        assertThat(answer(node.unstage(volume, value(node.stage(volume))))).isEqualTo("done");
        assertThat(record).content().contains("username = someone\n", "password = planted-secret\n");
        assertThat(answer(node.stage(withSecret(0, "another")))).isEqualTo("DENIED");
        assertThat(record).content().contains("username = someone\n", "password = planted-secret\n");
    }

    private VolumeSpec askingWithChap() {
        node.secret.put(Chap.DISCOVERY + "username", "someone");
        node.secret.put(Chap.DISCOVERY + "password", "planted-secret");
        return Volumes.fileSystem(Volumes.withDiscoveryChap(Volumes.source(IQN, 0)), Settings.DISCOVERY, "sendtargets");
    }

    @Test
    void i05_aPortalIsShownWhoAsksAndTheSecretStaysNowhere() throws IOException {
        VolumeSpec volume = askingWithChap();
        node.secret.put(Chap.DISCOVERY + "username_in", "target");
        node.secret.put(Chap.DISCOVERY + "password_in", "planted-other");
        node.tools.discoveryPassword = "planted-secret";

        PluginState state = value(node.stage(volume));
        assertThat(node.tools.shown)
                .singleElement()
                .asString()
                .contains("discovery.sendtargets.auth.username = someone\n")
                .contains("discovery.sendtargets.auth.username_in = target\n")
                .contains("discovery.sendtargets.auth.password_in = planted-other\n");
        assertThat(node.tools.ran + " " + node.said + state + node.record(volume) + node.notes(volume))
                .doesNotContain("planted");
        try (var files = Files.walk(root)) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("planted"));
        }
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i05_whoIsNotBelievedAtDiscoveryIsDeniedAndLeavesNothing() {
        node.tools.discoveryPassword = "another";
        assertThat(answer(node.stage(askingWithChap()))).isEqualTo("DENIED");
        assertThat(node.traces()).isEmpty();

        VolumeSpec volume = askingWithChap();
        node.secret.remove(Chap.DISCOVERY + "password");
        node.tools.ran.clear();
        assertThat(answer(node.stage(volume))).isEqualTo("INVALID");
        assertThat(node.tools.ran).isEmpty();
        node.secret.clear();
    }

    /** It is whole, so that open-iscsi would take it for one more record, and it has the secrets. */
    @Test
    void whatAWriteThatWasCutOffHasLeftGoesBeforeItIsTakenForARecord() throws IOException {
        Path group = Files.createDirectories(root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260,1"));
        String record =
                "# BEGIN RECORD 2.1.8\nnode.name = " + IQN + "\niface.iscsi_ifacename = default\n# END RECORD\n";
        Path ofNode = Files.writeString(group.resolve(".mooring-new-default"), record);
        Path ofPortal = Files.writeString(group.resolveSibling(".mooring-new-127.0.0.1,3260"), record);
        Path portal = Files.createDirectories(root.resolve("etc/iscsi/send_targets/127.0.0.1,3260"));
        Path ofDiscovery = Files.writeString(portal.resolve(".mooring-new-st_config"), record);
        VolumeSpec volume = askingWithChap();

        PluginState state = value(node.stage(volume));
        assertThat(List.of(ofNode, ofPortal, ofDiscovery))
                .allSatisfy(left -> assertThat(left).doesNotExist());
        assertThat(commands("-o new")).anyMatch(command -> command.contains("-m node"));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i09_aForeignDiscoveryRecordIsUsedAndStaysAsItIs() throws IOException {
        Path record = root.resolve("etc/iscsi/send_targets/127.0.0.1,3260/st_config");
        String content = """
                # BEGIN RECORD 2.1.8
                discovery.sendtargets.auth.authmethod = CHAP
                discovery.sendtargets.auth.password = another
                # END RECORD
                """;
        Files.createDirectories(record.resolve("..").normalize());
        Files.writeString(record, content);
        node.tools.discoveryPassword = "another";
        VolumeSpec volume = askingWithChap();

        PluginState state = value(node.stage(volume));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(record).content().isEqualTo(content);
    }
}

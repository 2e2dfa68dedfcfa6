// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.IscsiMachine.answer;
import static dev.mooring.plugin.iscsi.IscsiMachine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions and their records: whose they are, how many there are, and when they end. */
class FakeSessionsTest extends FakeStaging {
    @Test
    void i02_aNameAndItsAddressLeadToOneSession() {
        PluginState first = value(node.stage(volume(0, PORTAL)));
        PluginState second = value(node.stage(volume(1, "storage.example.com")));

        assertThat(node.world.sessions).hasSize(1);
        assertThat(answer(node.unstage(volume(0), first))).isEqualTo("done");
        assertThat(answer(node.unstage(volume(1), second))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i08_sessionsAreCountedWhateverTheOrderOfPortalsAndTheMode() {
        VolumeSpec one = volume(0, PORTAL, SECOND);
        VolumeSpec other = Volumes.block(Volumes.source(IQN, 1, SECOND, PORTAL).toSource());
        PluginState first = value(node.stage(one));
        PluginState second = value(node.stage(other));
        assertThat(node.world.sessions).hasSize(2);

        assertThat(answer(node.unstage(one, first))).isEqualTo("done");
        assertThat(node.world.sessions).hasSize(2);
        assertThat(answer(node.unstage(other, second))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i08_aTargetWhoseNameBeginsLikeAnothersIsAnother() {
        String ten = IQN + "0";
        node.world.target(ten, PORTAL);
        node.world.unit(ten, 0, "naa.10");
        VolumeSpec longer = Volumes.fileSystem(Volumes.source(ten, 0).toSource());
        PluginState kept = value(node.stage(longer));
        PluginState state = value(node.stage(volume(0)));

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.world.sessions).extracting(session -> session.iqn).containsExactly(ten);
        assertThat(answer(node.unstage(longer, kept))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i09_aForeignSessionIsUsedAndNeverEnded() {
        node.world.login(IQN, FIRST, "default");
        VolumeSpec volume = volume(0);

        PluginState state = value(node.stage(volume));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");

        assertThat(node.world.sessions).hasSize(1);
        assertThat(node.world.disks).isEmpty();
        assertThat(commands("-m node")).isEmpty();
    }

    @Test
    void i09_aForeignRecordIsNotRemoved() throws IOException {
        Path record = root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260,1/default");
        Files.createDirectories(record.resolve("..").normalize());
        Files.writeString(
                record,
                "# BEGIN RECORD 2.1.8\nnode.name = " + IQN
                        + "\niface.iscsi_ifacename = default\nnode.startup = automatic\n# END RECORD\n");
        VolumeSpec volume = volume(0);

        PluginState state = value(node.stage(volume));
        assertThat(commands("-o new")).isEmpty();
        assertThat(record).content().contains("node.startup = manual");
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(record).exists();
    }

    @Test
    void i09_theSecretsInAForeignRecordStay() throws IOException {
        node.world.targets.clear();
        node.world.target(IQN, "another", new String[] {PORTAL});
        node.world.unit(IQN, 0, "naa.1");
        Path record = root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260,1/default");
        Files.createDirectories(record.resolve("..").normalize());
        Files.writeString(
                record,
                "# BEGIN RECORD 2.1.8\nnode.name = " + IQN
                        + "\niface.iscsi_ifacename = default\nnode.session.auth.authmethod = CHAP\n"
                        + "node.session.auth.username = owner\nnode.session.auth.password = owners\n# END RECORD\n");

        assertThat(answer(node.stage(volume(0)))).isEqualTo("DENIED");
        assertThat(record)
                .content()
                .contains("node.session.auth.authmethod = CHAP\n", "node.session.auth.password = owners\n");
    }

    @Test
    void i30_aNodeWithTheInitiatorNameOfAnotherIsRefused() throws IOException {
        Path name = root.resolve("etc/iscsi/initiatorname.iscsi");
        Files.createDirectories(name.resolve("..").normalize());
        Files.writeString(name, "## a copied machine\nInitiatorName=iqn.1993-08.org.debian:01:copy\n");
        PluginState state = value(node.stage(volume(0)));
        assertThat(answer(node.stage(volume(0)))).isEqualTo("done");
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");

        node.becomes(new NodeRef("node-2", "node-uid-2"));
        int before = node.tools.ran.size();
        Outcome<PluginState> refused = node.stage(volume(0));
        assertThat(answer(refused)).isEqualTo("INCOMPATIBLE");
        assertThat(refused.message()).contains("node-1", "iqn.1993-08.org.debian:01:copy");
        assertThat(node.tools.ran).hasSize(before);

        Files.writeString(name, "InitiatorName=iqn.1993-08.org.debian:01:own\n");
        assertThat(answer(node.unstage(volume(0), value(node.stage(volume(0))))))
                .isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i30_aNodeThatWasRegisteredAnewIsTheSameOne() throws IOException {
        Path name = root.resolve("etc/iscsi/initiatorname.iscsi");
        Files.createDirectories(name.resolve("..").normalize());
        Files.writeString(name, "InitiatorName=iqn.1993-08.org.debian:01:own\n");
        PluginState state = value(node.stage(volume(0)));
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");

        node.becomes(new NodeRef("node-1", "node-uid-3"));
        assertThat(answer(node.unstage(volume(0), value(node.stage(volume(0))))))
                .isEqualTo("done");
    }

    @Test
    void aTornRecordIsRemovedAndMadeAgain() throws IOException {
        Path record = root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260");
        Files.createDirectories(record.resolve("..").normalize());
        Files.writeString(record, "");

        PluginState state = value(node.stage(volume(0)));
        assertThat(node.said).anyMatch(text -> text.contains("torn"));
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    private static final String WHOLE = "# BEGIN RECORD 2.1.8\nnode.name = " + IQN
            + "\niface.iscsi_ifacename = default\nnode.startup = manual\nnode.session.scan = manual\n# END RECORD\n";

    private Path record() throws IOException {
        Path record = root.resolve("etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260");
        Files.createDirectories(record.resolve("..").normalize());
        return record;
    }

    /** Who rewrites a record empties it first, and has the lock of the data base meanwhile. */
    @Test
    void i09_aRecordThatIsJustBeingWrittenIsNotTorn() throws IOException {
        Path record = Files.writeString(record(), "");
        Path lock = Files.createDirectories(root.resolve("run/lock/iscsi")).resolve("lock.write");
        Files.createFile(lock);
        node.waits = () -> {
            if (Files.exists(lock)) {
                write(record, WHOLE);
                delete(lock);
            }
        };

        PluginState state = value(node.stage(volume(0)));
        assertThat(commands("-o new")).isEmpty();
        assertThat(node.said).noneMatch(text -> text.contains("torn"));
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(record).content().contains("node.startup = manual");
    }

    private static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void i09_aRecordThatCannotBeReadStaysIfItIsNotOurs() throws IOException {
        Path record = Files.writeString(record(), WHOLE.substring(0, 60));

        Outcome<PluginState> outcome = node.stage(volume(0));
        assertThat(answer(outcome)).isEqualTo("UNSUPPORTED");
        assertThat(outcome.message()).contains("/etc/iscsi/nodes/" + IQN + "/127.0.0.1,3260", "not ours");
        assertThat(record).hasContent(WHOLE.substring(0, 60));
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void aRecordOfOursThatCannotBeReadIsRemovedAndMadeAgain() throws IOException {
        VolumeSpec other = volume(1);
        value(node.stage(volume(0)));
        node.world.reboot();
        Files.writeString(record(), WHOLE.substring(0, 60));

        // of the first volume, which another one of the same target may go by
        value(node.stage(other));
        assertThat(node.said).anyMatch(text -> text.contains("torn"));
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(answer(node.unstage(other, PluginState.NONE))).isEqualTo("done");
        assertThat(node.world.sessions).isEmpty();
        assertThat(node.tools.records()).isEmpty();
        assertThat(node.ledger()).isEmpty();
    }

    /** The volume that came last goes last: then no other volume is left that knows whose the record was. */
    @Test
    void i08_aRecordThatTwoVolumesHaveGoneByGoesWithTheLastOfThem() {
        value(node.stage(volume(0)));
        node.world.reboot();
        value(node.stage(volume(1)));

        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.tools.records()).hasSize(1);
        assertThat(answer(node.unstage(volume(1), PluginState.NONE))).isEqualTo("done");
        assertThat(node.tools.records()).isEmpty();
    }

    @Test
    void i20_recordsAreManualBeforeTheFirstLogin() {
        value(node.stage(volume(0)));

        List<String> commands = commands("-m node").stream()
                .map(command -> command.replaceAll(".*-I default ", ""))
                .toList();
        assertThat(commands)
                .containsSubsequence(
                        "-o new",
                        "-o update -n node.startup -v manual",
                        "-o update -n node.session.scan -v manual",
                        "--login");
        // the other unit of the target has not been looked at
        assertThat(node.world.disks).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"static", "sendtargets"})
    void recordsAreMadeWithAndWithoutAskingTheTarget(String discovery) {
        VolumeSpec volume = Volumes.fileSystem(Volumes.source(IQN, 0).toSource(), Settings.DISCOVERY, discovery);

        PluginState state = value(node.stage(volume));
        assertThat(commands("nonpersistent")).hasSize(discovery.equals("static") ? 0 : 1);
        assertThat(node.tools.records())
                .containsExactly(
                        "record " + IQN + "/127.0.0.1,3260" + (discovery.equals("static") ? "" : ",1/default"));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void twoInterfacesOfOnePortalDoNotOverwriteEachOthersRecords() {
        VolumeSpec own = Volumes.fileSystem(Volumes.withInitiator(Volumes.source(IQN, 1), "iqn.2000-01.test:other"));
        PluginState first = value(node.stage(volume(0)));
        PluginState second = value(node.stage(own));

        assertThat(node.world.sessions).hasSize(2);
        assertThat(answer(node.unstage(volume(0), first))).isEqualTo("done");
        assertThat(answer(node.unstage(own, second))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.FakeTools.exit;
import static dev.mooring.plugin.iscsi.Machine.answer;
import static dev.mooring.plugin.iscsi.Machine.value;
import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.FormatPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FakeStageTest {
    private static final String SECOND = "127.0.0.2:3260";
    private static final Portal FIRST = Portal.parse(PORTAL).orElseThrow();

    @TempDir
    private Path root = Path.of("");

    private FakeNode node;

    @BeforeEach
    void setUp() throws IOException {
        Files.createDirectories(root.resolve("run/lock"));
        node = new FakeNode(root);
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        node.world.unit(IQN, 1, "naa.2");
    }

    private static VolumeSpec volume(long lun, String... portals) {
        return Volumes.fileSystem(Volumes.source(IQN, lun, portals).toSource());
    }

    private List<String> commands(String part) {
        return node.tools.ran.stream().filter(command -> command.contains(part)).toList();
    }

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
    void i09_aSessionOfSomebodyElseIsUsedAndNeverEnded() {
        node.world.login(IQN, FIRST, "default");
        VolumeSpec volume = volume(0);

        PluginState state = value(node.stage(volume));
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");

        assertThat(node.world.sessions).hasSize(1);
        assertThat(node.world.disks).isEmpty();
        assertThat(commands("-m node")).isEmpty();
    }

    @Test
    void i09_aRecordOfSomebodyElseIsNotRemoved() throws IOException {
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
    void i09_theSecretsInARecordOfSomebodyElseStay() throws IOException {
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

    @Test
    void i10_aDiskInUseIsNotTakenAway() {
        VolumeSpec volume = Volumes.block(Volumes.source(IQN, 0).toSource());
        PluginState state = value(node.stage(volume));
        node.world.users.put("sda", "process 7");

        Outcome<?> outcome = node.unstage(volume, state);
        assertThat(answer(outcome)).isEqualTo("IN_USE");
        assertThat(outcome.message()).contains("process 7");
        assertThat(node.world.disks).hasSize(1);
        assertThat(node.world.sessions).hasSize(1);
        node.world.users.clear();
        assertThat(answer(node.unstage(volume, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i11_whereTheUnmountFailsNothingElseIsDone() {
        PluginState state = value(node.stage(volume(0)));
        node.unmountFails = true;
        int before = node.tools.ran.size();
        node.steps.clear();

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("IN_USE");
        assertThat(node.steps).isEmpty();
        assertThat(node.tools.ran).hasSize(before);
        assertThat(node.world.sessions).hasSize(1);
    }

    @Test
    void i12_whatTheKernelHoldsIsWrittenOutBeforeTheDiskGoes() {
        PluginState state = value(node.stage(volume(0)));
        node.steps.clear();

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.steps).containsSubsequence("unmount", "flush sda", "remove sda");
    }

    @Test
    void i13_anotherDiskBehindTheSameNumberIsRefused() {
        PluginState state = value(node.stage(volume(0)));
        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        node.world.unit(IQN, 0, "naa.other");

        assertThat(answer(node.stage(volume(0)))).isEqualTo("CORRUPT");
        assertThat(node.traces()).isEmpty();
        assertThat(node.requests).hasSize(1);
    }

    @Test
    void i13_pathsThatAreNotOneDiskAreRefused() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        FakeWorld.Unit other = new FakeWorld.Unit("naa.other", 64L << 20);
        node.world.disks.computeIfPresent(
                "sdb", (name, disk) -> new FakeWorld.Scsi(name, disk.place(), disk.session(), other, disk.number()));
        node.world.mounts.clear();

        Outcome<PluginState> again = node.stage(two);
        assertThat(again.message()).contains("are not one disk");
        assertThat(node.world.mounts).isEmpty();
    }

    @Test
    void i14_theDiskOfAnEarlierUnitIsRemovedBeforeTheScan() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        node.world.get(IQN).units().put(0L, new FakeWorld.Unit("naa.new", 64L << 20));

        value(node.stage(volume(0)));
        assertThat(node.notes(volume(0))).containsEntry(Disks.NOTE, "naa.new");
    }

    @Test
    void i14_theDiskOfAnEarlierUnitThatIsUsedIsLeftAlone() {
        node.world.login(IQN, FIRST, "default");
        node.world.scan(1, 0);
        node.world.users.put("sda", "process 7");

        assertThat(answer(node.stage(volume(0)))).isEqualTo("IN_USE");
        assertThat(node.world.disks).hasSize(1);
        assertThat(node.world.sessions).hasSize(1);
    }

    @Test
    void i15_aMapIsUsedAndItsPoliciesHold() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        assertThat(node.said).anyMatch(text -> text.contains("MultipathMissing"));
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, PluginState.NONE))).isEqualTo("done");

        VolumeSpec required =
                Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource(), Settings.MULTIPATH, "require");
        assertThat(answer(node.stage(required))).isEqualTo("deferred");
        assertThat(node.traces()).isEmpty();

        node.world.multipathd = true;
        value(node.stage(required));
        assertThat(node.world.mounts).containsValue("253:0");
        assertThat(answer(node.unstage(required, PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();

        VolumeSpec off =
                Volumes.fileSystem(Volumes.source(IQN, 0, PORTAL, SECOND).toSource(), Settings.MULTIPATH, "off");
        assertThat(answer(node.stage(off))).isEqualTo("IN_USE");
    }

    @Test
    void i15_aMapOverTheOnlyPathIsUsedAlthoughMultipathdHearsOfTheDiskLate() {
        node.world.multipathd = true;
        node.world.multipathdIsDeaf = 3;

        value(node.stage(volume(0)));
        assertThat(node.world.mounts).containsValue("253:0");
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aDiskThatMultipathdNeverHearsOfIsUsedAfterAWhile() {
        node.world.multipathd = true;
        node.world.multipathdIsDeaf = Integer.MAX_VALUE;

        value(node.stage(volume(0)));
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_onePathIsEnough() {
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(volume(0, PORTAL, SECOND)));
        assertThat(node.said).anyMatch(text -> text.contains("no path over 127.0.0.1:3260"));
        assertThat(answer(node.unstage(volume(0, PORTAL, SECOND), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPortalThatWasMissingIsAddedWhileTheVolumeIsUsed() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        assertThat(node.plugin().missing(state)).contains("no path to unit 0 of " + IQN + " over 127.0.0.1:3260");

        assertThat(node.complete(two, state).message())
                .startsWith("no path to unit 0 of " + IQN + " over 127.0.0.1:3260: ");
        assertThat(answer(node.complete(two, state))).isEqualTo("deferred");
        assertThat(node.world.mounts).containsValue("8:0");

        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);
        int ran = node.tools.ran.size();
        PluginState whole = value(node.complete(two, state));
        assertThat(node.plugin().missing(whole)).isEmpty();
        assertThat(node.tools.ran.subList(ran, node.tools.ran.size())).noneMatch(text -> text.contains(SECOND));
        assertThat(node.world.sessions).hasSize(2);
        assertThat(unit.keys).hasSize(2);
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.mounts).hasSize(1).containsValue("8:0");
        assertThat(answer(node.unstage(two, whole))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i25_aNodeThatWasFencedDoesNotComeBackByAPortalThatDoes() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        FakeWorld.Unit unit = node.world.unitOf(IQN, 0);
        unit.keys.clear();
        unit.keys.put("initiator-2 1", Reservations.key("node-uid-2"));
        node.world.target(IQN, PORTAL, SECOND).units().put(0L, unit);

        assertThat(node.complete(two, state).message()).contains("lost its registration");
        assertThat(node.complete(two, state).message()).contains("lost its registration");
        assertThat(unit.keys).containsOnlyKeys("initiator-2 1");
        assertThat(node.world.sessions).hasSize(2);
    }

    @Test
    void i15_anotherDiskBehindAPortalThatComesBackIsNoPath() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        PluginState state = value(node.stage(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.9");

        assertThat(answer(node.complete(two, state))).isEqualTo("CORRUPT");
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPortalWhoseNameLedNowhereIsAddedToo() {
        VolumeSpec two = volume(0, SECOND, "storage.example.com");
        node.tools.instead.put("getent", command -> Optional.of(exit(2, "")));
        PluginState state = value(node.stage(two));
        assertThat(node.plugin().missing(state))
                .hasValueSatisfying(text -> assertThat(text).endsWith("over storage.example.com:3260"));
        assertThat(answer(node.complete(two, state))).isEqualTo("deferred");

        node.tools.instead.clear();
        PluginState whole = value(node.complete(two, state));
        assertThat(node.plugin().missing(whole)).isEmpty();
        assertThat(node.world.sessions).hasSize(2);
        assertThat(answer(node.unstage(two, whole))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aPathThatComesBackDoesNotReplaceTheOneThatIsMounted() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        value(node.stage(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(two));
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.mounts).containsValue("8:0");
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aMapThatComesLateDoesNotReplaceThePathThatIsMounted() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        value(node.stage(two));
        node.world.multipathd = true;

        PluginState state = value(node.stage(two));
        assertThat(node.world.mounts).containsValue("8:0");
        node.world.multipathd = false;
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i15_aBlockDeviceStaysTheOneThatPodsHave() {
        VolumeSpec two = Volumes.block(Volumes.source(IQN, 0, PORTAL, SECOND).toSource());
        node.world.targets.clear();
        node.world.target(IQN, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        value(node.stage(two));
        Path first = value(node.map(two));
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");

        PluginState state = value(node.stage(two));
        assertThat(value(node.map(two))).isEqualTo(first);
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i16_whereTheMapDoesNotGoThePathsStay() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        node.world.mapStuck = true;

        assertThat(answer(node.unstage(two, state))).isEqualTo("uncertain");
        assertThat(node.world.disks).hasSize(2);
        assertThat(node.world.sessions).hasSize(2);
        assertThat(commands("fail_if_no_path")).hasSize(1);

        node.tools.instead.put("dmsetup info", command -> Optional.of(exit(0, "1")));
        assertThat(answer(node.unstage(two, state))).isEqualTo("IN_USE");
        node.world.mapStuck = false;
        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
    }

    @Test
    void i16_aMapThatHasLostItsLastPathGoesToo() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        // somebody ends the sessions
        List.copyOf(node.world.sessions).forEach(node.world::logout);
        node.world.pathless = "naa.1";

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.world.mapFlushed).isTrue();
        assertThat(node.said).anyMatch(text -> text.startsWith("DirtyDataLost"));
        assertThat(node.ledger()).isEmpty();
    }

    @Test
    void i16_aMapOfAnotherDiskThatHasTheNameNowStays() {
        node.world.multipathd = true;
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        List.copyOf(node.world.sessions).forEach(node.world::logout);
        node.world.pathless = "naa.another";

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.world.mapFlushed).isFalse();
    }

    @Test
    void i17_theLockOfADeadProcessIsRemovedOnce() throws IOException {
        Path lock = root.resolve("run/lock/iscsi/lock.write");
        Files.createDirectories(lock.resolve("..").normalize());
        Files.createFile(lock);
        node.tools.instead.put(
                "-o new",
                command -> Files.exists(lock)
                        ? Optional.of(new CommandResult(Ending.EXITED, 6, "", "Timeout on acquiring lock on DB"))
                        : Optional.empty());

        value(node.stage(volume(0)));
        assertThat(lock).doesNotExist();
        assertThat(node.said.stream().filter(text -> text.contains("lock"))).hasSize(1);
    }

    @Test
    void i17_aYoungLockIsWaitedFor() throws IOException {
        Path lock = root.resolve("run/lock/iscsi/lock.write");
        Files.createDirectories(lock.resolve("..").normalize());
        Files.createFile(lock);
        node.tools.instead.put("-o new", command -> Optional.of(new CommandResult(Ending.EXITED, 6, "", "lock")));
        node.tools.lockTime = node.clock().instant().getEpochSecond();

        assertThat(answer(node.stage(volume(0)))).isEqualTo("deferred");
        assertThat(lock).exists();
    }

    @Test
    void i29_whatTheKernelHasGivenUpIsTakenAwayWithAWordOnWhatIsLost() {
        PluginState state = value(node.stage(volume(0)));
        node.world.givenUp.add("sda");

        assertThat(answer(node.unstage(volume(0), state))).isEqualTo("done");
        assertThat(node.traces()).isEmpty();
        assertThat(node.said).anyMatch(text -> text.startsWith("DirtyDataLost") && text.contains(IQN));
    }

    @Test
    void i29_aPathThatIsGivenUpDoesNotKeepAVolumeWhoseDataIsWrittenByAnother() {
        VolumeSpec two = volume(0, PORTAL, SECOND);
        PluginState state = value(node.stage(two));
        node.world.givenUp.add("sdb");
        node.steps.clear();

        assertThat(answer(node.unstage(two, state))).isEqualTo("done");
        assertThat(node.steps).contains("flush sda").doesNotContain("flush sdb");
        assertThat(node.said).noneMatch(text -> text.startsWith("DirtyDataLost"));
        assertThat(node.traces()).isEmpty();
    }

    /** The pool that all share may have one thread only. */
    private static <T> CompletableFuture<T> onItsOwnThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, "staging").start());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void i29_aTargetThatDoesNotAnswerHoldsUpNoOther() throws Exception {
        String dead = IQN + "dead";
        node.world.target(dead, PORTAL);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch givenUp = new CountDownLatch(1);
        node.tools.instead.put("-T " + dead + " -p 127.0.0.1:3260 -I default --login", command -> {
            asked.countDown();
            await(givenUp);
            return Optional.of(exit(8, "connection timed out"));
        });
        VolumeSpec unreachable = Volumes.fileSystem(Volumes.source(dead, 0).toSource());
        CompletableFuture<Outcome<PluginState>> stuck = onItsOwnThread(() -> node.stage(unreachable));
        asked.await();

        CompletableFuture<Outcome<PluginState>> other = onItsOwnThread(() -> node.stage(volume(0)));
        assertThat(value(other.get(20, TimeUnit.SECONDS))).isNotNull();
        assertThat(stuck).isNotDone();
        givenUp.countDown();
        assertThat(answer(stuck.get(20, TimeUnit.SECONDS))).isEqualTo("deferred");
    }

    @Test
    void i18_aLoginThatWasInterruptedIsUncertainAndUndoneAlthoughItSucceedsLate() {
        node.tools.instead.put("--login", command -> Optional.of(new CommandResult(Ending.KILLED, 143, "", "")));

        assertThat(answer(node.stage(volume(0)))).isEqualTo("uncertain");
        node.tools.instead.clear();
        node.world.login(IQN, FIRST, "default");

        assertThat(answer(node.unstage(volume(0), node.record(volume(0)).get())))
                .isEqualTo("done");
        assertThat(node.traces()).isEmpty();
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

    @Test
    void i21_theUnitGrowsAndNeverShrinks() {
        VolumeSpec volume = volume(0);
        value(node.stage(volume));
        Quantity wanted = Quantity.ofBytes(128L << 20);
        assertThat(answer(expand(volume, wanted))).isEqualTo("deferred");

        node.world.unitOf(IQN, 0).bytes = 128L << 20;
        assertThat(value(expand(volume, wanted))).isEqualTo(wanted);
        assertThat(node.steps).contains("grow");
        assertThat(value(expand(volume, wanted))).isEqualTo(wanted);

        node.world.unitOf(IQN, 0).bytes = 64L << 20;
        assertThat(answer(expand(volume, wanted))).isEqualTo("CORRUPT");
    }

    /** A claim of 1G is no whole number of a file system's blocks, and is satisfied all the same. */
    @Test
    void i21_aVolumeIsAsLargeAsItsUnitAlthoughItsFileSystemIsALittleSmaller() {
        VolumeSpec volume = volume(0);
        value(node.stage(volume));
        node.world.unitOf(IQN, 0).bytes = 1_000_000_000;

        assertThat(value(expand(volume, Quantity.parse("1G")))).isEqualByComparingTo(Quantity.parse("1G"));
    }

    private Outcome<Quantity> expand(VolumeSpec volume, Quantity wanted) {
        return node.plugin().expandOnNode(node.context(volume), volume, node.staging(volume), wanted);
    }

    @Test
    void i28_whatIsSharedIsNeverWritten() {
        VolumeSpec shared = Volumes.withModes(volume(0), AccessMode.READ_ONLY_MANY);

        value(node.stage(shared));
        assertThat(node.world.readOnly).containsEntry("sda", true);
        assertThat(node.requests).singleElement().satisfies(request -> {
            assertThat(request.readOnly()).isTrue();
            assertThat(request.shared()).isTrue();
            assertThat(request.policy()).isEqualTo(FormatPolicy.NEVER);
        });
        assertThat(commands("sg_persist")).isEmpty();
        assertThat(node.steps).containsSubsequence("read-only sda", "mount");
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

    @Test
    void aVolumeThatIsNotStagedIsUnstaged() {
        assertThat(answer(node.unstage(volume(0), PluginState.NONE))).isEqualTo("done");
        assertThat(node.tools.ran).isEmpty();
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

    @Test
    void i09_aDiscoveryRecordOfSomebodyElseIsUsedAndStaysAsItIs() throws IOException {
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

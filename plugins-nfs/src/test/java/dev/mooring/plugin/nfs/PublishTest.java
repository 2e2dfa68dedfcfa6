// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.source;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.support.Pause;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishTest {
    private FakeHost host = new FakeHost();
    private final VolumeSpec volume = volume(source("server", "/a"));
    private NfsPlugin plugin = freshPlugin();

    private NfsPlugin freshPlugin() {
        host.export("/a");
        host.export("/b");
        return new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> host.clock.pass(time));
    }

    @AfterEach
    void close() {
        host.close();
    }

    private Outcome<PluginState> publish(VolumeSpec volume) {
        return publish(host, volume, false, Occasion.INITIAL);
    }

    private Outcome<PluginState> publish(
            HostServices services, VolumeSpec volume, boolean readOnly, Occasion occasion) {
        return plugin.publish(
                new Calls.Context(services, host.clock, host.clock.instant().plusSeconds(120), memory()),
                Calls.request(volume, host.target("t"), readOnly, occasion));
    }

    private static java.util.concurrent.atomic.AtomicReference<PluginState> memory() {
        return new java.util.concurrent.atomic.AtomicReference<>(PluginState.NONE);
    }

    private Outcome<Nothing> unpublish(PluginState state) {
        return unpublish(host, state);
    }

    private Outcome<Nothing> unpublish(HostServices services, PluginState state) {
        return plugin.unpublish(
                new Calls.Context(services, host.clock, host.clock.instant().plusSeconds(120), memory()),
                plugin.identify(volume.source()),
                Calls.POD,
                host.target("t"),
                state);
    }

    @Test
    void n06_theToolGetsOneArgumentOfCheckedOptions() {
        value(publish(volume(source("server", "/a"), "vers=4.2", "hard")));
        assertThat(host.commands)
                .containsExactly("mount.nfs server:/a " + host.target("t") + " -n -o vers=4.2,hard,retry=0");
        assertThat(answer(publish(volume(source("server", "/a"), "hard,remount"))))
                .isEqualTo("INVALID");
        assertThat(answer(publish(volume(source("server", "/a/../b"))))).isEqualTo("INVALID");
        assertThat(host.commands).hasSize(1);
    }

    @Test
    void n03_publishTwiceIsDoneAndOtherOptionsAreNotPutUnderARunningPod() {
        PluginState state = value(publish(volume));
        assertThat(value(publish(host, volume, false, Occasion.REPUBLISH))).isEqualTo(state);
        assertThat(host.commands).hasSize(1);
        assertThat(answer(publish(host, volume, true, Occasion.REPUBLISH))).isEqualTo("INCOMPATIBLE");
        assertThat(host.at(host.target("t"))).hasSize(1);
        // what an interrupted attempt left is mounted anew
        value(publish(host, volume, true, Occasion.RECOVERY));
        assertThat(host.at(host.target("t"))).singleElement().matches(MountEntry::readOnly);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "nfs4"})
    void n03_aForeignMountIsNeitherAcceptedNorTouched(String type) {
        foreign(type);
        assertThat(answer(publish(volume))).isEqualTo("IN_USE");
        assertThat(answer(unpublish(PluginState.NONE))).isEqualTo("IN_USE");
        assertThat(host.done).isEmpty();
        assertThat(host.table).hasSize(1);
    }

    private void foreign(String type) {
        host.table.add(new MountEntry(
                9,
                1,
                "0:9",
                "/",
                false,
                host.target("t"),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                type.equals("ext4") ? "server:/a" : "server:/b",
                List.of()));
    }

    @Test
    void n04_theTableDecidesAndNotTheTool() {
        host.script("mount.nfs", ScriptedRun.fails(16, "cannot lock mtab").butMounts());
        value(publish(volume));
        value(unpublish(PluginState.NONE));
        host.script("mount.nfs", ScriptedRun.ends(Ending.KILLED).butMounts());
        value(publish(volume));
        value(unpublish(PluginState.NONE));
        host.script("mount.nfs", ScriptedRun.fails(0, ""));
        assertThat(answer(publish(volume))).isEqualTo("uncertain");
        host.script("mount.nfs", ScriptedRun.fails(32, "something new"));
        assertThat(answer(publish(volume))).isEqualTo("uncertain");
        value(publish(volume));
    }

    @Test
    void n04_anUnsupportedVersionIsFinalAfterTwoMinutes() {
        String text = "mount.nfs: requested NFS version or transport protocol is not supported";
        host.script("mount.nfs", ScriptedRun.fails(32, text), ScriptedRun.fails(32, text), ScriptedRun.fails(32, text));
        assertThat(answer(publish(volume))).isEqualTo("deferred");
        host.clock.pass(Duration.ofSeconds(119));
        assertThat(answer(publish(volume))).isEqualTo("deferred");
        host.clock.pass(Duration.ofSeconds(1));
        assertThat(answer(publish(volume))).isEqualTo("INCOMPATIBLE");
        assertThat(host.target("t")).doesNotExist();
    }

    @Test
    void aServerThatTakesNoConnectionIsNotMountedFrom() {
        NfsPlugin careful =
                new NfsPlugin(NfsSettings.DEFAULT, (server, options) -> Optional.of("refused"), (context, time) -> {});
        Outcome<PluginState> answer =
                careful.publish(host.context(), Calls.request(volume, host.target("t"), false, Occasion.INITIAL));
        assertThat(answer(answer)).isEqualTo("deferred");
        assertThat(answer.message()).contains("server").contains("refused");
        assertThat(host.commands).isEmpty();
        assertThat(host.target("t")).doesNotExist();
    }

    @Test
    void n07_aVersionThatWasNotHonouredIsUnmountedAndRefused() {
        host.forcedVersion = "vers=3";
        Outcome<PluginState> answer = publish(volume(source("server", "/a"), "vers=4.2"));
        assertThat(answer(answer)).isEqualTo("INCOMPATIBLE");
        assertThat(answer.message()).contains("3").contains("4.2");
        assertThat(host.table).isEmpty();
        assertThat(host.target("t")).doesNotExist();
    }

    @Test
    void n15_volumeClaimAndAccessModeMakeItReadOnly() {
        VolumeSpec byVolume = volume(new NfsSource("server", "/a", true).toSource());
        VolumeSpec byMode = Calls.withModes(volume, AccessMode.READ_ONLY_MANY);
        for (VolumeSpec spec : List.of(byVolume, byMode)) {
            Calls.Context context = host.context();
            value(plugin.publish(context, Calls.request(spec, host.target("t"), false, Occasion.INITIAL)));
            assertThat(host.at(host.target("t"))).singleElement().matches(MountEntry::readOnly);
            assertThat(context.heard).singleElement().asString().contains("read-only");
            value(unpublish(PluginState.NONE));
        }
        value(publish(host, volume, true, Occasion.INITIAL));
        assertThat(host.at(host.target("t"))).singleElement().matches(MountEntry::readOnly);
        value(unpublish(PluginState.NONE));

        plugin =
                new NfsPlugin(value(NfsSettings.read(Map.of("roxMeansReadOnly", "false"))), Connector.NONE, Pause.REAL);
        value(publish(byMode));
        assertThat(host.at(host.target("t"))).singleElement().matches(entry -> !entry.readOnly());
    }

    @Test
    void n09_statisticsOfASilentServerAreUnknownAndNobodyElseAsks() {
        value(publish(volume));
        Statistics.Usage usage =
                value(plugin.usage(host.context(), plugin.identify(volume.source()), host.target("t")));
        assertThat(usage).isEqualTo(new Statistics.Usage(1000L << 20, 600L << 20, 300L << 20, 5000, 4000));
        assertThat(value(plugin.check(host.context(), volume)).abnormal()).isFalse();
        host.dead.add("server");
        host.commands.clear();
        for (int i = 0; i < 3; i++) {
            assertThat(answer(plugin.usage(host.context(), plugin.identify(volume.source()), host.target("t"))))
                    .isEqualTo("deferred");
        }
        assertThat(host.commands).hasSize(1);
        assertThat(value(plugin.check(host.context(), volume)).message()).contains("Unresponsive");
        host.dead.clear();
        host.clock.pass(Duration.ofMinutes(1));
        value(plugin.usage(host.context(), plugin.identify(volume.source()), host.target("t")));
        assertThat(answer(plugin.usage(host.context(), plugin.identify(volume.source()), host.target("other"))))
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void n13_aStaleMountIsReportedAndReplaced() {
        PluginState state = value(publish(volume));
        host.script("stat", ScriptedRun.fails(1, "stat: cannot stat 't': Stale file handle"));
        assertThat(value(plugin.check(host.context(), volume)).message()).contains("VolumeStale");
        value(unpublish(state));
        value(publish(volume));
        assertThat(host.done).containsExactly("mount t", "NONE t", "mount t");
    }

    @Test
    void n10_aDeadServersMountGoesByTheLadder() {
        PluginState state = value(publish(volume));
        host.dead.add("server");
        host.done.clear();
        value(unpublish(state));
        assertThat(host.done).containsExactly("NONE t", "ABORT_REQUESTS t");
        assertThat(host.target("t")).doesNotExist();
    }

    @Test
    void n10_whereNothingElseHelpsItIsTakenOutOfSight() {
        PluginState state = value(publish(volume));
        host.dead.add("server");
        host.abortHelps = false;
        host.done.clear();
        value(unpublish(state));
        assertThat(host.done)
                .containsExactly("NONE t", "ABORT_REQUESTS t", "ABORT_REQUESTS t", "ABORT_REQUESTS t", "DETACH t");
        assertThat(host.table).isEmpty();
    }

    @Test
    void n11_whatOthersShareIsNeverForced() {
        PluginState state = value(publish(volume));
        value(plugin.publish(host.context(), Calls.request(volume, host.target("other"), false, Occasion.INITIAL)));
        host.dead.add("server");
        host.done.clear();
        value(unpublish(state));
        assertThat(host.done).containsExactly("NONE t", "DETACH t");
        assertThat(host.at(host.target("other"))).hasSize(1);
    }

    @Test
    void aMountInWhichSomebodyWorksWaitsForHimIfTheServerAnswers() {
        PluginState state = value(publish(volume));
        host.busy.add(host.target("t"));
        host.done.clear();
        Outcome<Nothing> answer = unpublish(state);
        assertThat(answer(answer)).isEqualTo("IN_USE");
        assertThat(answer.message()).contains("held by");
        assertThat(host.done).containsExactly("NONE t");
        host.busy.clear();
        value(unpublish(state));
    }

    @Test
    void aServerThatWasSilentAMomentAgoIsAskedAgainBeforeAnybodyLosesHisRequests() {
        PluginState state = value(publish(volume));
        host.dead.add("server");
        assertThat(plugin.publish(host.context(), Calls.request(volume, host.target("u"), false, Occasion.INITIAL))
                        .isDone())
                .isFalse();
        host.dead.clear();
        host.busy.add(host.target("t"));
        host.done.clear();
        assertThat(answer(unpublish(state))).isEqualTo("IN_USE");
        assertThat(host.done).containsExactly("NONE t");
    }

    /** Measuring is enough to make a mount busy, and takes the one place of those who ask a server. */
    @Test
    void aServerThatIsBeingAskedIsNotTakenForASilentOne() {
        PluginState state = value(publish(volume));
        host.busy.add(host.target("t"));
        host.occupied.add("questions to server");
        host.done.clear();
        assertThat(answer(unpublish(state))).isEqualTo("IN_USE");
        assertThat(host.done).containsExactly("NONE t");
        // nobody waits that long for an answer that comes
        host.clock.pass(Duration.ofSeconds(6));
        value(unpublish(state));
        assertThat(host.table).isEmpty();
    }

    @Test
    void whatStaysMountedWithOtherOptionsIsNotCalledRefused() {
        host.forcedVersion = "vers=3";
        host.busy.add(host.target("t"));
        assertThat(answer(publish(volume(source("server", "/a"), "vers=4.2")))).isEqualTo("uncertain");
        assertThat(host.at(host.target("t"))).hasSize(1);
    }

    @Test
    void theNameOfAnExportIsNotTakenForTheToolsReason() {
        String hostile = "/connection refused";
        host.export(hostile);
        host.script(
                "mount.nfs",
                ScriptedRun.fails(32, "mount.nfs: access denied by server while mounting server:" + hostile));
        assertThat(answer(publish(volume(source("server", hostile))))).isEqualTo("DENIED");
        host.script("mount.nfs", ScriptedRun.fails(32, "mount.nfs: something new about server:" + hostile));
        assertThat(answer(publish(volume(source("server", hostile))))).isEqualTo("uncertain");
    }

    @Test
    void n12_anExclusiveVolumeIsHeldUntilTheKernelHasLetGo() {
        VolumeSpec exclusive = Calls.withModes(volume, AccessMode.READ_WRITE_ONCE_POD);
        PluginState state = value(publish(exclusive));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        assertThat(host.table).isEmpty();
        assertThat(host.target("t")).doesNotExist();
        assertThat(unpublish(state).message()).contains("draining");
        host.draining.clear();
        value(unpublish(state));
    }

    @Test
    void n12_aNumberThatWasGivenToAFileSystemOfAnotherTypeHoldsNothing() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.table.add(numbered(device, "tmpfs", "tmpfs", "rw"));
        // the kernel takes its record away a moment after it has let go of the number
        value(unpublish(state));
        host.draining.clear();
        value(unpublish(state));
    }

    @Test
    void n12_aNumberThatWasGivenToAMountOfAnotherServerHoldsNothing() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.draining.clear();
        host.table.add(numbered(device, "nfs4", "other:/a", "rw,vers=4.2,addr=other"));
        value(unpublish(state));
    }

    @Test
    void n12_aNumberOfAMountOfTheSameServerStillHolds() {
        PluginState state = drainingState();
        String device = host.draining.iterator().next();
        host.draining.clear();
        host.table.add(numbered(device, "nfs4", "server:/b", "rw,vers=4.2,addr=server"));
        assertThat(unpublish(state).message()).contains("draining").contains("another place");
        host.table.clear();
        value(unpublish(state));
    }

    /** An exclusive volume whose mount is out of sight while the kernel still writes. */
    private PluginState drainingState() {
        PluginState state = value(publish(Calls.withModes(volume, AccessMode.READ_WRITE_ONCE_POD)));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        return state;
    }

    private MountEntry numbered(String device, String type, String source, String superOptions) {
        return new MountEntry(
                99,
                1,
                device,
                "/",
                false,
                host.target("another-pods"),
                List.of("rw"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                type,
                source,
                List.of(superOptions.split(",")));
    }

    @Test
    void n12_afterAnotherBootNothingDrains() {
        PluginState state = value(publish(Calls.withAnnotations(volume, Map.of("mooring.dev/exclusive", "true"))));
        host.dead.add("server");
        host.abortHelps = false;
        assertThat(answer(unpublish(state))).isEqualTo("uncertain");
        host.boot = "boot-2";
        value(unpublish(state));
    }

    @Test
    void n13_everyLayerOfAStackedMountGoes() {
        PluginState state = value(publish(volume));
        host.table.add(host.table.get(0));
        value(unpublish(state));
        assertThat(host.table).isEmpty();
    }

    @Test
    void aForeignMountBelowOursIsNotTakenAway() {
        PluginState state = value(publish(volume));
        MountEntry ours = host.table.remove(0);
        foreign("ext4");
        host.table.add(ours);
        assertThat(answer(unpublish(state))).isEqualTo("IN_USE");
        assertThat(host.table).singleElement().matches(entry -> entry.fsType().equals("ext4"));
    }

    @Test
    void whatIsMountedTellsWhatItIs() {
        value(publish(host, volume, true, Occasion.INITIAL));
        Reconstructing.Adopted adopted = value(plugin.reconstruct(host.context(), host.target("t")));
        assertThat(adopted.source()).isEqualTo(new NfsSource("server", "/a", true).toSource());
        value(unpublish(adopted.state()));
        assertThat(answer(plugin.reconstruct(host.context(), host.target("t")))).isEqualTo("NOT_FOUND");
    }

    @Test
    void aStateThatIsNotOursIsNotGuessedAt() {
        value(publish(volume));
        assertThat(answer(unpublish(new PluginState(7, "x")))).isEqualTo("CORRUPT");
        assertThat(host.table).hasSize(1);
    }

    @Test
    void n14_publishConvergesWhereverTheAgentDies() {
        int deaths = 0;
        for (int changes = 1; ; changes++) {
            Optional<PluginState> state = untilDeath(changes);
            if (state.isPresent()) {
                break;
            }
            deaths++;
            value(publish(host, volume, false, Occasion.RECOVERY));
            assertThat(host.at(host.target("t"))).hasSize(1);
            value(unpublish(PluginState.NONE));
            // and without a second publish
            untilDeath(changes);
            value(unpublish(PluginState.NONE));
            assertThat(host.table).isEmpty();
            assertThat(host.target("t")).doesNotExist();
        }
        assertThat(deaths).isGreaterThanOrEqualTo(2);
    }

    private Optional<PluginState> untilDeath(int changes) {
        try {
            return Optional.of(value(publish(Crashing.after(changes, host), volume, false, Occasion.INITIAL)));
        } catch (Crashing.Death dead) {
            return Optional.empty();
        }
    }

    @Test
    void n14_unpublishConvergesWhereverTheAgentDies() {
        VolumeSpec exclusive = Calls.withModes(volume, AccessMode.READ_WRITE_ONCE_POD);
        List<Integer> deaths = new ArrayList<>();
        for (boolean abortHelps : new boolean[] {true, false}) {
            host.abortHelps = abortHelps;
            for (int changes = 1; ; changes++) {
                host.dead.clear();
                PluginState state = value(publish(exclusive));
                host.dead.add("server");
                boolean died = unpublishUntilDeath(changes, state);
                if (!unpublish(state).isDone()) {
                    assertThat(host.draining).isNotEmpty();
                    host.draining.clear();
                    value(unpublish(state));
                }
                assertThat(host.table).isEmpty();
                assertThat(Files.exists(host.target("t"))).isFalse();
                if (!died) {
                    break;
                }
                deaths.add(changes);
            }
        }
        assertThat(deaths).hasSizeGreaterThanOrEqualTo(6);
    }

    private boolean unpublishUntilDeath(int changes, PluginState state) {
        try {
            unpublish(Crashing.after(changes, host), state);
            return false;
        } catch (Crashing.Death dead) {
            return true;
        }
    }

    @Test
    void theTargetsParentMayBeALinkButNotTheTarget() throws Exception {
        Path elsewhere = Files.createDirectories(host.base.resolve("elsewhere"));
        Files.createSymbolicLink(host.target("t"), elsewhere);
        assertThat(answer(publish(volume))).isEqualTo("INCOMPATIBLE");
        assertThat(host.commands).isEmpty();
    }
}

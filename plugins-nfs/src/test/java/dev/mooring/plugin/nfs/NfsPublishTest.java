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
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.CommandResult.Ending;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NfsPublishTest extends PublishedShare {
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
        // what an interrupted attempt left is mounted again
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
    void n09_statisticsOfASilentServerAreUnknownAndItIsAskedOnce() {
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
    void theTargetsParentMayBeALinkButNotTheTarget() throws Exception {
        Path elsewhere = Files.createDirectories(host.base.resolve("elsewhere"));
        Files.createSymbolicLink(host.target("t"), elsewhere);
        assertThat(answer(publish(volume))).isEqualTo("INCOMPATIBLE");
        assertThat(host.commands).isEmpty();
    }
}

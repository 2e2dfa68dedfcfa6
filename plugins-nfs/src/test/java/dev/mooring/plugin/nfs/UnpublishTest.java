// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Taking mounts away: of servers that answer, that are silent, and whose mounts others use. */
class UnpublishTest extends PublishedShare {
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
    void aMountInWhichAProcessWorksWaitsForItIfTheServerAnswers() {
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
    void aServerThatWasSilentAMomentAgoIsAskedAgainBeforeAPodLosesItsRequests() {
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
        // no caller waits that long for an answer that comes
        host.clock.pass(Duration.ofSeconds(6));
        value(unpublish(state));
        assertThat(host.table).isEmpty();
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
}

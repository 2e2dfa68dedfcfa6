// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.volumemanager.calls.CompleteCall;
import dev.mooring.volumemanager.calls.StageCall;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plugin lacked when it staged a volume is added later, while the volume is in use. */
class MissingPathsLoopTest extends StagedVolumeStory {
    private static long completions(NodeWorld world) {
        return world.calls.stream().filter("complete pv1"::equals).count();
    }

    private void stagedWithoutAPath() {
        boundClaim();
        world.attach(BACKEND);
        world.faults = call -> {
            if (call instanceof StageCall stage) {
                world.stage(stage);
                return Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")));
            }
            return call instanceof CompleteCall
                    ? Optional.of(
                            new Outcome.Deferred<>("10.0.0.2:3260 does not answer", Optional.of(Duration.ofMinutes(1))))
                    : Optional.empty();
        };
        pod("web");
        world.run(20);
    }

    @Test
    void whatWasMissingWhenItWasStagedIsAskedForUntilItIsThere() {
        stagedWithoutAPath();
        assertThat(phase("web")).contains(PodPhase.RUNNING);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");
        assertThat(completions(world)).isZero();

        world.run(3600);
        assertThat(completions(world)).isBetween(20L, 60L);
        assertThat(world.calls).filteredOn("stage pv1"::equals).hasSize(1);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");

        world.faults = call -> Optional.empty();
        world.run(300);
        long tries = completions(world);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathsComplete: volume pv1 is complete again");
        assertThat(world.standing())
                .anySatisfy(entry -> assertThat(entry.state().content()).isEqualTo("completed pv1"));
        int decisions = world.decisions;
        world.run(36_000);
        assertThat(completions(world)).isEqualTo(tries);
        assertThat(world.decisions).isEqualTo(decisions);
        assertThat(world.violations).isEmpty();
    }

    /** Such as one that says what it lacks and cannot add it. */
    @Test
    void aPluginThatHasDoneAllAndStillLacksSomethingIsNotAskedWithoutRest() {
        stagedWithoutAPath();
        world.faults = call -> call instanceof CompleteCall && completions(world) < 100
                ? Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")))
                : Optional.empty();
        world.run(300);
        assertThat(completions(world)).isBetween(1L, 15L);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumePathMissing: without 10.0.0.2:3260");
    }

    @Test
    void whatIsMissingIsAskedForByTheNextProcessToo() {
        stagedWithoutAPath();
        world.faults = call -> Optional.empty();
        world.restart();
        world.run(120);
        assertThat(completions(world)).isEqualTo(1);
        assertThat(world.violations).isEmpty();
    }

    @Test
    void nothingMissingIsAskedForOnceTheVolumeIsNotAttachedHereOrNoPodUsesIt() {
        stagedWithoutAPath();
        world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(BACKEND, false));
        world.run(3600);
        assertThat(completions(world)).isZero();

        world.attach(BACKEND);
        world.run(600);
        assertThat(completions(world)).isPositive();
        deletePod("web");
        world.run(600);
        long tries = completions(world);
        world.run(3600);
        assertThat(completions(world)).isEqualTo(tries);
        assertThat(world.calls).endsWith("unpublish pv1", "unstage pv1");
        assertThat(world.standing()).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.volumemanager.calls.UnstageCall;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whenever the process or the machine dies, volumes come and go as if nothing had been. */
class StagedVolumesCrashTest extends StagedVolumeStory {
    @Test
    void afterARebootWhatSessionsKeepIsUndoneOnceAndDoneAgain() {
        boundClaim();
        world.attach(BACKEND);
        pod("web");
        world.run();
        world.reboot();
        world.run();

        assertThat(world.calls)
                .containsExactly(
                        "stage pv1", "publish pv1", "unpublish pv1", "unstage pv1", "stage pv1", "publish pv1");
        assertThat(world.violations).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectConverges(boolean after) {
        int effects = storyWithCrash(-1, after).effects;
        assertThat(effects).isGreaterThan(15);
        for (int crash = 0; crash < effects; crash++) {
            NodeWorld crashed = storyWithCrash(crash, after);
            assertThat(crashed.violations).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.mounts).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.staged).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.standing()).as("crash at effect %d", crash).isEmpty();
            assertThat(crashed.node().status().volumesInUse())
                    .as("crash at effect %d", crash)
                    .isEmpty();
        }
    }

    /** Two pods come, one after the other goes. */
    private static NodeWorld storyWithCrash(int dieAt, boolean after) {
        StagedVolumesCrashTest story = new StagedVolumesCrashTest();
        story.world.dieAt = dieAt;
        story.world.dieAfter = after;
        story.boundClaim();
        story.pod("a");
        story.world.run();
        story.world.attach(BACKEND);
        story.pod("b");
        story.world.run();
        assertThat(story.phase("a")).as("crash at effect %d", dieAt).contains(PodPhase.RUNNING);
        assertThat(story.phase("b")).as("crash at effect %d", dieAt).contains(PodPhase.RUNNING);
        story.deletePod("a");
        story.world.run();
        story.deletePod("b");
        story.world.run();
        return story.world;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRebootAtEveryEffectConverges(boolean after) {
        int effects = storyWithCrash(-1, after).effects;
        for (int crash = 0; crash < effects; crash++) {
            StagedVolumesCrashTest story = new StagedVolumesCrashTest();
            story.world.dieAt = crash;
            story.world.dieAfter = after;
            story.world.diesWithTheMachine = true;
            story.boundClaim();
            story.pod("a");
            story.world.attach(BACKEND);
            story.world.run();
            assertThat(story.phase("a")).as("crash at effect %d", crash).contains(PodPhase.RUNNING);
            story.deletePod("a");
            story.world.run();
            assertThat(story.world.violations).as("crash at effect %d", crash).isEmpty();
            assertThat(story.world.standing()).as("crash at effect %d", crash).isEmpty();
        }
    }

    @Test
    void noPodGetsABareStagingDirectory() {
        boundClaim();
        world.attach(BACKEND);
        pod("a");
        world.run();
        boolean[] refuse = {true};
        world.faults = call -> refuse[0] && call instanceof UnstageCall
                ? Optional.of(Outcome.uncertain("no answer"))
                : Optional.empty();
        // the process dies between the last unpublish and the append of UNDO
        world.dieAt = world.effects + 2;
        deletePod("a");
        world.run(1);
        refuse[0] = false;
        world.staged.clear();
        pod("b");
        world.run();
        assertThat(phase("b")).contains(PodPhase.RUNNING);
        assertThat(world.violations).isEmpty();
    }

    /** Pods and the store's answers at random; what must never happen is judged at every call. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nothingForbiddenHappensInRandomWorlds(int seed) {
        Random random = new Random(seed);
        boundClaim();
        world.faults = call -> switch (random.nextInt(10)) {
            case 0 -> Optional.of(Outcome.uncertain("no answer"));
            case 1 -> Optional.of(Outcome.deferred("not now"));
            default -> Optional.empty();
        };
        world.storeFaults = effect -> random.nextInt(12) == 0
                ? Optional.of(
                        StoreResult.failed(random.nextBoolean() ? Failure.UNKNOWN : Failure.UNAVAILABLE, "no answer"))
                : Optional.empty();
        for (int step = 0; step < 60; step++) {
            String pod = "p" + random.nextInt(4);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (world.store.get(Kinds.POD, ObjectKey.of("ns", pod)).isEmpty()) {
                        pod(pod);
                    }
                }
                case 3, 4 -> deletePod(pod);
                case 5 -> world.restart();
                case 6 -> {
                    if (random.nextInt(4) == 0) {
                        world.reboot();
                    }
                }
                default -> attachOrDetach(random);
            }
            world.run(random.nextInt(20));
        }
        world.faults = call -> Optional.empty();
        world.storeFaults = effect -> Optional.empty();
        world.attach(BACKEND);
        for (int i = 0; i < 4; i++) {
            deletePod("p" + i);
        }
        world.run(2_000);
        assertThat(world.violations).isEmpty();
        assertThat(world.standing()).isEmpty();
        assertThat(world.staged).isEmpty();
        assertThat(inUse()).isEmpty();
    }

    /** As a controller does: it takes a volume out of the Node's list only if no node reports it in use. */
    private void attachOrDetach(Random random) {
        if (random.nextBoolean()) {
            world.attach(BACKEND);
        } else if (!inUse().contains(NAME)) {
            world.setAttached(List.of());
            world.store.put(Kinds.VOLUME_ATTACHMENT, SmallCluster.attachment(BACKEND, false));
        }
    }
}

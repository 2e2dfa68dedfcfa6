// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.SchedulingWorld.Fate;
import dev.mooring.storage.model.Annotations;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods of the small scheduler that want the same, while the writes of one of them do not get through. */
@Tag("long")
class SchedulerCompetitionTest {
    private static final String NONE_TO_BIND =
            "FailedScheduling: 0/1 nodes are available: 1 node(s) didn't find available"
                    + " persistent volumes to bind.";
    private static final String NO_SPACE =
            "FailedScheduling: 0/1 nodes are available: 1 node(s) did not have enough free storage.";

    private static SchedulingWorld world(long seed) {
        SchedulingWorld world = new SchedulingWorld(seed, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        world.create(node("n1"), local());
        world.fate = write -> Fate.UNAVAILABLE;
        return world;
    }

    private static SchedulingWorld world() {
        return world(7);
    }

    /** Space for one of two claims. */
    private static SchedulingWorld scarce() {
        return world().create(
                        delayed("gold", "far.example.com"),
                        SchedulingObjects.keepingAccount("far.example.com"),
                        SchedulingObjects.pool("pool", "gold", "n1", "100Gi"),
                        ofClass(claim("c", "60Gi"), "gold"),
                        ofClass(claim("d", "60Gi"), "gold"));
    }

    private static void assertSelected(SchedulingWorld world, String claim) {
        world.fate = write -> Fate.GOES_THROUGH;
        world.advance(Duration.ofMinutes(1));
        assertThat(world.claim(claim).metadata().annotation(Annotations.SELECTED_NODE))
                .contains("n1");
    }

    @Test
    void aPodIsCountedWithAsSoonAsANodeIsChosen() {
        SchedulingWorld world = world().create(claim("c", "1Gi"), claim("d", "1Gi"), volume("v", "1Gi"), pod("p", "c"))
                .settle();
        world.create(pod("q", "d")).settle();
        assertThat(world.toldOf("q")).containsExactly(NONE_TO_BIND);
        world.fate = write -> Fate.GOES_THROUGH;
        world.advance(Duration.ofMinutes(1));
        assertThat(world.nodeOf("p")).isEqualTo("n1");
        assertThat(world.nodeOf("q")).isEmpty();
    }

    @Test
    void whatAFailedPodCountedWithOthersGetAtOnce() {
        SchedulingWorld world = world().create(claim("a", "1Gi"), claim("b", "2Gi"), claim("d", "1Gi"));
        world.create(volume("small", "1Gi"), volume("large", "2Gi"), pod("p", "a", "b"))
                .settle();
        world.create(pod("q", "d")).settle();
        assertThat(world.toldOf("q")).containsExactly(NONE_TO_BIND);
        world.fate = write -> Fate.GOES_THROUGH;
        world.editVolume("large", large -> claimedBy(large, uid(claim("thief", "1Gi"), "")))
                .settle();
        assertThat(world.toldOf("p")).last().asString().contains("volume \"large\" is not free any more");
        world.advance(Duration.ofMillis(500)); // p waits for a second
        assertThat(world.nodeOf("q")).isEqualTo("n1");
    }

    @Test
    void spaceThatAPodThatGoesCountedWithOthersGet() {
        SchedulingWorld world = scarce().create(pod("p", "c")).settle();
        world.create(pod("q", "d")).settle();
        assertThat(world.toldOf("q")).containsExactly(NO_SPACE);
        world.deletePod("p").settle();
        assertSelected(world, "d");
        assertThat(world.claim("c").metadata().annotation(Annotations.SELECTED_NODE))
                .isEmpty();
    }

    @Test
    void spaceThatAFailedPodCountedWithOthersGet() {
        SchedulingWorld world = scarce().create(claim("s", "1Gi"), volume("v", "1Gi"), pod("p", "c", "s"))
                .settle();
        world.create(pod("q", "d")).settle();
        assertThat(world.toldOf("q")).containsExactly(NO_SPACE);
        world.editVolume("v", v -> claimedBy(v, uid(claim("thief", "1Gi"), ""))).settle();
        assertThat(world.toldOf("p")).last().asString().contains("volume \"v\" is not free any more");
        assertSelected(world, "d");
    }

    @Test
    void aPodThatTakesTheNameOfOneThatWasBoundBeginsAnew() {
        for (int seed = 0; seed < 20; seed++) {
            SchedulingWorld world = world(seed)
                    .create(claim("c", "1Gi"), volume("v", "1Gi"), pod("p", "c"))
                    .settle();
            world.deletePod("p").create(pod("p"));
            world.fate = write -> Fate.GOES_THROUGH;
            world.advance(Duration.ofMinutes(1));
            assertThat(world.toldOf("p"))
                    .as("seed %d", seed)
                    .containsExactly("Scheduled: Successfully assigned default/p to n1");
        }
    }

    @Test
    void aPodThatGoesWhileItIsBoundIsForgotten() {
        SchedulingWorld world = scarce();
        world.fate = write -> Fate.GOES_THROUGH;
        world.create(pod("p", "c")).settle();
        assertThat(world.hasTimer()).isTrue();
        world.deletePod("p").settle();
        assertThat(world.hasTimer()).isFalse();
        assertThat(world.toldOf("p")).isEmpty();
    }

    @Test
    void noPodIsToldOfANodeThatAnotherSchedulerGaveIt() {
        SchedulingWorld world = scarce();
        world.fate = write -> Fate.GOES_THROUGH;
        world.create(node("n2"), pod("p", "c")).settle();
        assertThat(world.claim("c").metadata().annotation(Annotations.SELECTED_NODE))
                .contains("n1");
        world.editPod("p", pod -> at(pod, "n2")).settle();
        assertThat(world.toldOf("p")).isEmpty();
        assertThat(world.hasTimer()).isFalse();
    }
}

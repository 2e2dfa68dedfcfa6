// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Instant MADE = Instant.EPOCH;

    @Test
    void lastsAsLongAsAKubeletWaitsForAPodsVolumes() {
        assertThat(Patience.left(made(), MADE)).contains(Duration.ofSeconds(123));
        assertThat(Patience.left(made(), MADE.plusSeconds(122))).contains(Duration.ofSeconds(1));
        assertThat(Patience.left(made(), MADE.plusSeconds(123))).contains(Duration.ZERO);
        assertThat(Patience.left(made(), MADE.plusSeconds(9999))).contains(Duration.ZERO);
    }

    @Test
    void isNotLongerAfterTheClockWentBack() {
        assertThat(Patience.left(made(), MADE.minusSeconds(3600))).contains(Patience.LONGEST);
    }

    @Test
    void beginsWithTheNodeOfThePod() {
        Instant later = MADE.plusSeconds(3600);
        assertThat(Patience.left(withScheduled(ConditionStatus.TRUE, later), later))
                .contains(Patience.LONGEST);
        assertThat(Patience.left(withScheduled(ConditionStatus.FALSE, later), later))
                .contains(Duration.ZERO);
    }

    @Test
    void hasNoEndIfNobodyKnowsWhenItBegan() {
        assertThat(Patience.left(Objects.pod("web"), MADE)).isEmpty();
    }

    @Test
    void isOverOnceAndThenPeopleAreToldOnce() {
        World world = World.withNode();
        Pod pod = Objects.pod("web", Objects.claimed("v", "a"));
        world.store.put(Kinds.POD, pod.withMetadata(pod.metadata().withCreationTimestamp(Optional.of(MADE))));
        world.run(122);
        assertThat(world.eventReasons()).isEmpty();
        world.run(3600);
        assertThat(world.eventReasons()).containsExactly("FailedMount: persistentvolumeclaim \"a\" not found");
    }

    private static Pod made() {
        Pod pod = Objects.pod("web");
        return pod.withMetadata(pod.metadata().withCreationTimestamp(Optional.of(MADE)));
    }

    private static Pod withScheduled(ConditionStatus status, Instant since) {
        Pod pod = made();
        Condition scheduled =
                new Condition("PodScheduled", status, "", "", Optional.of(since), Optional.empty(), Optional.empty());
        return pod.withStatus(pod.status().withConditions(List.of(scheduled)));
    }
}

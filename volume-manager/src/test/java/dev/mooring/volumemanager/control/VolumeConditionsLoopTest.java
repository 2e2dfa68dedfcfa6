// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.calls.ConditionCall;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods are told of the condition of their volumes, where it can be told. */
class VolumeConditionsLoopTest {
    private final NodeWorld world = new NodeWorld(new Telling());
    private Outcome<Condition> condition = Outcome.done(new Condition(false, ""));
    private int looks;

    private static final class Telling extends FakePlugin implements Statistics {
        @Override
        public boolean tellsCondition() {
            return true;
        }

        @Override
        public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
            return Outcome.refused(Refusal.UNSUPPORTED, "only its condition is told");
        }
    }

    @BeforeEach
    void pod() {
        world.faults = call -> {
            if (call instanceof ConditionCall) {
                looks++;
                return Optional.of(condition);
            }
            return Optional.empty();
        };
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.store.put(Kinds.POD, SmallCluster.pod("web", SmallCluster.claimed("v", "data")));
    }

    @Test
    void aPodIsToldWhenItChanges() {
        world.run(300);
        assertThat(looks).isEqualTo(5);
        assertThat(world.eventReasons()).noneMatch(event -> event.startsWith("VolumeCondition"));

        condition = Outcome.done(new Condition(true, "worn out"));
        world.run(300);
        assertThat(world.eventReasons()).containsOnlyOnce("VolumeConditionAbnormal: Volume v: worn out");

        condition = Outcome.done(new Condition(false, ""));
        world.run(300);
        assertThat(world.eventReasons())
                .containsOnlyOnce("VolumeConditionNormal: The Volume returns to the healthy state");
    }

    @Test
    void whatCannotBeToldIsAskedForSeldom() {
        condition = Outcome.refused(Refusal.UNSUPPORTED, "no");
        world.run(1200);

        assertThat(looks).isEqualTo(2);
    }
}

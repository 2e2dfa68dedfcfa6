// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.StoreRequests;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The creation of an attachment has no answer, its pod goes, and it reaches the store when no controller looks (S1). */
class LateCreationTest {
    private static final Duration A_WHILE = Duration.ofMinutes(30);

    private final AttachDetachWorld world = new AttachDetachWorld();
    private final List<Effect> reads = new ArrayList<>();

    private void theCreationComesLateAndUnseen() {
        List<Effect> late = new ArrayList<>();
        world.lost = Effect.Create.class::isInstance;
        world.beforeEffect = effect -> Stream.of(effect).filter(world.lost).forEach(late::add);
        world.withPodOn("n1", "n2").settle();
        world.lost = effect -> false;
        world.beforeEffect = effect -> Stream.of(effect)
                .filter(each -> each.operation().equals(AttachmentOperations.CONFIRM))
                .forEach(reads::add);
        world.deletePod("a").settle();
        world.unheard = Kinds.VOLUME_ATTACHMENT::equals;
        assertThat(late).hasSize(1);
        StoreRequests.carryOut(world.store, late.get(0)).orThrow();
    }

    @Test
    void isLookedForBeforeAnotherNodeGetsTheVolume() {
        theCreationComesLateAndUnseen();
        world.load(AttachDetachObjects.pod("b", "n2", "data")).settle();
        assertThat(world.attachment("disk", "n2")).isEmpty();

        world.advance(A_WHILE);

        assertThat(world.attachment("disk", "n1")).isEmpty();
        assertThat(world.truth("disk")).containsExactly("n2");
        assertThat(world.violations).isEmpty();
    }

    /** kubernetes#48081. */
    @Test
    void isNotLookedForWithoutEndWhenAListHidesIt() {
        theCreationComesLateAndUnseen();
        world.relistWithoutAny(Kinds.VOLUME_ATTACHMENT);
        world.load(AttachDetachObjects.pod("b", "n2", "data")).advance(A_WHILE);

        assertThat(reads).as("not asked without end").hasSizeBetween(2, 60);
        assertThat(world.attachment("disk", "n2")).isEmpty();
        assertThat(world.violations).isEmpty();
    }
}

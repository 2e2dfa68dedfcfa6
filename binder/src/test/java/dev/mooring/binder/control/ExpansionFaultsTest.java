// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The expansion of a volume while processes die, writes fail and back-ends answer what they like. */
@Tag("long")
class ExpansionFaultsTest extends ExpansionWorld {
    private static final int LIVES = 40 * Integer.getInteger("mooring.times", 1);

    private List<Object> undisturbed() {
        List<Object> end = ExpandedDiskPlugin.shown(
                ExpandedDiskPlugin.request(cluster(), "3Gi").advance(LONG));
        size = Quantity.parse("1Gi");
        return end;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeathAtAnyWriteOrCallLeadsToTheSameEnd(boolean node) {
        nodeStep = node;
        List<Object> end = undisturbed();
        for (Death death : Death.atWritesAndCalls(4).toList()) {
            size = Quantity.parse("1Gi");
            Cluster cluster = cluster();
            death.in(cluster);
            ExpandedDiskPlugin.request(cluster, "3Gi").advance(LONG);
            assertThat(ExpandedDiskPlugin.shown(cluster))
                    .as("I4, dies %s", death)
                    .isEqualTo(end);
            assertThat(size).isEqualTo(Quantity.parse("3Gi"));
        }
    }

    @Test
    void aFailingWriteLeadsToTheSameEnd() {
        List<Object> end = undisturbed();
        for (int at = 1; at <= 5; at++) {
            for (Interception fault : List.of(
                    Interception.refuse(Failure.CONFLICT, "planted"),
                    Interception.refuse(Failure.UNAVAILABLE, "planted"),
                    Interception.loseAnswer("planted"))) {
                int number = at;
                size = Quantity.parse("1Gi");
                Cluster cluster = cluster();
                cluster.fault = write -> write == number ? fault : Interception.PROCEED;
                ExpandedDiskPlugin.request(cluster, "3Gi").advance(LONG);
                assertThat(ExpandedDiskPlugin.shown(cluster))
                        .as("%s at %d", fault, at)
                        .isEqualTo(end);
            }
        }
    }

    /** Whatever a back-end answers and whenever the process dies, it is never asked for less than it may already have been made. */
    @Test
    void randomLives() {
        for (long seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            size = Quantity.parse("1Gi");
            nodeStep = false;
            Cluster cluster = cluster(seed).shuffled(seed);
            Quantity[] perhaps = {Quantity.parse("1Gi")};
            cluster.backend = call -> answer(call, random, perhaps);
            for (int step = 0; step < 12; step++) {
                Quantity has = status(cluster).capacity().getOrDefault("storage", Quantity.ZERO);
                Quantity wanted = Quantity.ofBytes(has.longValue() + random.nextInt(4) * (1L << 30));
                ExpandedDiskPlugin.request(cluster, wanted.toString());
                cluster.advance(Duration.ofSeconds(random.nextInt(400)));
                if (random.nextInt(4) == 0) {
                    cluster.restart();
                }
            }
            cluster.backend = this::grow;
            cluster.advance(LONG);
            Quantity requested = cluster.claim("data").spec().requestedStorage();
            assertThat(status(cluster).capacity().getOrDefault("storage", Quantity.ZERO))
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(requested)
                    .isEqualTo(size);
            assertThat(cluster.volume("pv").spec().storage())
                    .as("seed %d", seed)
                    .isEqualTo(size);
            assertThat(resize(cluster)).as("seed %d", seed).isEmpty();
            assertThat(ExpandedDiskPlugin.conditions(cluster))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(cluster.hasTimer()).as("seed %d", seed).isFalse();
        }
    }

    private Outcome<?> answer(Call call, Random random, Quantity[] perhaps) {
        Quantity wanted = ((ExpandCall) call).wanted();
        assertThat(wanted).as("less than may have been made").isGreaterThanOrEqualTo(perhaps[0]);
        int chance = random.nextInt(6);
        if (chance == 0 && size.compareTo(wanted) < 0) {
            perhaps[0] = size; // what is large enough is not refused
            return Outcome.refused(Refusal.EXHAUSTED, "full");
        } else if (chance == 1) {
            return Outcome.deferred("not now");
        } else if (chance == 2) {
            perhaps[0] = wanted; // the caller cannot know that it was not applied
            return Outcome.uncertain("lost before");
        }
        perhaps[0] = wanted;
        Outcome<?> grown = grow(call);
        return chance == 3 ? Outcome.uncertain("lost after") : grown;
    }
}

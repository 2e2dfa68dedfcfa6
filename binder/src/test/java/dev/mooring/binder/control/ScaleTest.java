// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much work the binder does: counted, never timed. */
class ScaleTest {
    private static final int SIZES = 20;

    @ParameterizedTest(name = "{0} pairs, {1}")
    @CsvSource({
        "1000,volumes first", "1000,claims first", "1000,interleaved", "1000,at once",
        "10000,volumes first", "10000,claims first", "10000,interleaved", "10000,at once"
    })
    void bindsEveryPairWithFourWritesAndFewProbes(int pairs, String order) {
        Cluster cluster = new Cluster();
        create(cluster, pairs, order);
        cluster.settle();
        assertThat(cluster.claims())
                .hasSize(pairs)
                .allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND);
        assertThat(cluster.volumes())
                .hasSize(pairs)
                .allMatch(volume -> volume.status().phase() == PersistentVolumePhase.BOUND);
        long availableWrites = order.equals("volumes first") || order.equals("interleaved") ? pairs : 0;
        assertThat((long) cluster.writes.size()).isLessThanOrEqualTo(4L * pairs + availableWrites);
        assertThat(cluster.writes).allMatch(write -> write.outcome().isEmpty());
        // A claim is matched when it comes, and, until its volume names it, once more; each look is one search.
        long matches = cluster.counters.decisions();
        double perMatch = (double) cluster.binder.indexProbes() / matches;
        assertThat(perMatch).isLessThanOrEqualTo(4 * Math.log(pairs) / Math.log(2) + 16);
        assertThat(cluster.hasTimer()).isFalse();
        System.getLogger("counts")
                .log(
                        System.Logger.Level.INFO,
                        pairs + " pairs, " + order + ": " + cluster.writes.size() + " writes, "
                                + cluster.counters.decisions() + " decisions, " + cluster.binder.indexProbes()
                                + " probes");
    }

    private static void create(Cluster cluster, int pairs, String order) {
        if (order.equals("volumes first")) {
            volumes(cluster, 0, pairs);
            cluster.settle();
            claims(cluster, 0, pairs);
        } else if (order.equals("claims first")) {
            claims(cluster, 0, pairs);
            cluster.settle();
            volumes(cluster, 0, pairs);
        } else if (order.equals("at once")) {
            claims(cluster, 0, pairs);
            volumes(cluster, 0, pairs);
        } else {
            for (int i = 0; i < pairs; i++) {
                volumes(cluster, i, i + 1);
                cluster.settle();
                claims(cluster, i, i + 1);
                cluster.settle();
            }
        }
    }

    private static void volumes(Cluster cluster, int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME, Objects.volume("pv-" + i, 1 + i % SIZES + "Gi"))
                    .orThrow();
        }
    }

    private static void claims(Cluster cluster, int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data-" + i, 1 + i % SIZES + "Gi"))
                    .orThrow();
        }
    }

    @Test
    void anIdleControlPlaneDoesNothingForAnHour() {
        Cluster cluster = new Cluster();
        create(cluster, 1000, "claims first");
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("waiting", "1Ti"))
                .orThrow();
        cluster.settle();
        int writes = cluster.writes.size();
        LoopCounters counters = cluster.counters;
        long decisions = counters.decisions();
        long wakes = counters.wakes();
        assertThat(cluster.hasTimer()).isFalse();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.writes).hasSize(writes);
        assertThat(counters.decisions()).isEqualTo(decisions);
        assertThat(counters.wakes()).isEqualTo(wakes);
        assertThat(counters.timers()).isZero();
    }

    @Test
    void oneNewVolumeWakesOneOfManyWaitingClaims() {
        long few = decisionsForOneVolume(500);
        long many = decisionsForOneVolume(5000);
        assertThat(many).isEqualTo(few).isLessThan(20);
    }

    private static long decisionsForOneVolume(int waiting) {
        Cluster cluster = new Cluster();
        for (int i = 0; i < waiting; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, Objects.claim("data-" + i, 100 + i + "Gi"))
                    .orThrow();
        }
        cluster.settle();
        long before = cluster.counters.decisions();
        cluster.writes.clear();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, Objects.volume("pv", "150Gi"))
                .orThrow();
        cluster.settle();
        BindingTest.assertBound(cluster, "pv", "data-50");
        assertThat(cluster.writes).hasSize(4);
        return cluster.counters.decisions() - before;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.LoopCounters;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much work the binder does: counted, never timed. */
@Tag("long")
class ScaleTest {
    private static final int SIZES = 20;
    /** What lies beside what is looked at; ten times as much in .ci/long. */
    private static final int MANY = 5_000 * Integer.getInteger("mooring.times", 1);

    @ParameterizedTest(name = "{0} pairs, {1}, {2} sizes")
    @CsvSource({
        "1000,volumes first,20", "1000,claims first,20", "1000,interleaved,20", "1000,at once,20",
        "1000,pre-bound,20", "1000,volumes first,1000", "1000,claims first,1000", "1000,interleaved,1000",
        "2000,volumes first,20", "3000,claims first,20", "2000,interleaved,2000"
    })
    void bindsEveryPairWithFourWritesAndFewProbes(int pairs, String order, int sizes) {
        Cluster cluster = new Cluster();
        create(cluster, pairs, order, sizes);
        cluster.settle();
        assertThat(cluster.claims())
                .hasSize(pairs)
                .allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND);
        assertThat(cluster.volumes())
                .hasSize(pairs)
                .allMatch(volume -> volume.status().phase() == PersistentVolumePhase.BOUND);
        boolean volumesWaited = !order.equals("claims first") && !order.equals("at once");
        long availableWrites = volumesWaited ? pairs : 0;
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

    private static void create(Cluster cluster, int pairs, String order, int sizes) {
        switch (order) {
            case "volumes first" -> {
                volumes(cluster, 0, pairs, sizes);
                cluster.settle();
                claims(cluster, 0, pairs, sizes);
            }
            case "claims first" -> {
                claims(cluster, 0, pairs, sizes);
                cluster.settle();
                volumes(cluster, 0, pairs, sizes);
            }
            case "at once" -> {
                claims(cluster, 0, pairs, sizes);
                volumes(cluster, 0, pairs, sizes);
            }
            case "pre-bound" -> {
                for (int i = 0; i < pairs; i++) {
                    cluster.store
                            .create(
                                    Kinds.PERSISTENT_VOLUME,
                                    BinderObjects.claimedBy(
                                            BinderObjects.volume("pv-" + i, 1 + i % sizes + "Gi"), "data-" + i, ""))
                            .orThrow();
                }
                cluster.settle();
                claims(cluster, 0, pairs, sizes);
            }
            default -> {
                for (int i = 0; i < pairs; i++) {
                    volumes(cluster, i, i + 1, sizes);
                    cluster.settle();
                    claims(cluster, i, i + 1, sizes);
                    cluster.settle();
                }
            }
        }
    }

    private static void volumes(Cluster cluster, int from, int to, int sizes) {
        for (int i = from; i < to; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv-" + i, 1 + i % sizes + "Gi"))
                    .orThrow();
        }
    }

    private static void claims(Cluster cluster, int from, int to, int sizes) {
        for (int i = from; i < to; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data-" + i, 1 + i % sizes + "Gi"))
                    .orThrow();
        }
    }

    @Test
    void anIdleControlPlaneDoesNothingForAnHour() {
        Cluster cluster = new Cluster();
        loadBoundPairs(cluster, MANY);
        for (int i = 0; i < 2_000; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("waiting-" + i, 1 + i + "Ti"))
                    .orThrow();
        }
        cluster.settle();
        assertThat(cluster.writes).as("writes, though nothing differs").isEmpty();
        LoopCounters counters = cluster.counters;
        long decisions = counters.decisions();
        long wakes = counters.wakes();
        assertThat(decisions).isGreaterThanOrEqualTo(2L * MANY + 2_000);
        assertThat(cluster.hasTimer()).isFalse();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.writes).isEmpty();
        assertThat(counters.decisions()).isEqualTo(decisions);
        assertThat(counters.wakes()).isEqualTo(wakes);
        assertThat(counters.timers()).isZero();
    }

    /** Copies of a pair that the binder has bound, as if all of them had been bound before. */
    private static void loadBoundPairs(Cluster cluster, int pairs) {
        Cluster model = new Cluster();
        create(model, 1, "claims first", 1);
        model.settle();
        PersistentVolume volume = model.volume("pv-0");
        volume = volume.withMetadata(volume.metadata().withResourceVersion(""));
        PersistentVolumeClaim claim = model.claim("data-0");
        claim = claim.withMetadata(claim.metadata().withResourceVersion(""));
        for (int i = 0; i < pairs; i++) {
            String uid = "claim-uid-" + i;
            String name = "data-" + i;
            cluster.load(
                    claim.withMetadata(claim.metadata().withName(name).withUid(uid))
                            .withSpec(claim.spec().withVolumeName("pv-" + i)),
                    volume.withMetadata(volume.metadata().withName("pv-" + i).withUid("volume-uid-" + i))
                            .withSpec(volume.spec()
                                    .withClaimRef(Optional.of(volume.spec()
                                            .claimRef()
                                            .orElseThrow()
                                            .withName(name)
                                            .withUid(uid)))));
            if (i % 1000 == 0) {
                cluster.settle();
            }
        }
        cluster.settle();
    }

    @Test
    void releasedVolumesCostNothing() {
        long[] alone = countsBeside(0);
        long[] beside = countsBeside(MANY);
        assertThat(beside).as("probes, decisions, writes").isEqualTo(alone);
    }

    private static long[] countsBeside(int released) {
        Cluster cluster = new Cluster();
        for (int i = 0; i < released; i++) {
            PersistentVolume volume = BinderObjects.volume("old-" + i, 1 + i % SIZES + "Gi");
            volume = volume.withMetadata(volume.metadata().withUid("uid-old-" + i));
            cluster.load(BinderObjects.inPhase(
                    BinderObjects.claimedBy(volume, "gone-" + i, BinderObjects.OTHER_UID),
                    PersistentVolumePhase.RELEASED));
        }
        cluster.settle();
        long probes = cluster.binder.indexProbes();
        long decisions = cluster.counters.decisions();
        int writes = cluster.writes.size();
        create(cluster, 1000, "volumes first", SIZES);
        cluster.settle();
        assertThat(cluster.claims()).allMatch(claim -> claim.status().phase() == ClaimPhase.BOUND);
        return new long[] {
            cluster.binder.indexProbes() - probes,
            cluster.counters.decisions() - decisions,
            cluster.writes.size() - writes
        };
    }

    @Test
    void oneNewVolumeWakesOneOfManyWaitingClaims() {
        long[] few = countsForOneVolume(500);
        long[] many = countsForOneVolume(MANY);
        assertThat(many).as("decisions, probes").isEqualTo(few);
        assertThat(many[0]).isLessThan(20);
    }

    private static long[] countsForOneVolume(int waiting) {
        Cluster cluster = new Cluster();
        for (int i = 0; i < waiting; i++) {
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data-" + i, 100 + i + "Gi"))
                    .orThrow();
        }
        cluster.settle();
        long before = cluster.counters.decisions();
        long probes = cluster.binder.indexProbes();
        cluster.writes.clear();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "150Gi"))
                .orThrow();
        cluster.settle();
        BindingTest.assertBound(cluster, "pv", "data-50");
        assertThat(cluster.writes).hasSize(4);
        return new long[] {cluster.counters.decisions() - before, cluster.binder.indexProbes() - probes};
    }
}

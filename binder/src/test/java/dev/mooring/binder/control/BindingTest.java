// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The four writes of a bind, in order, and every way in which they can be interrupted (semantics/binder §1.7, I10). */
class BindingTest {
    private static final int WRITES_OF_A_BIND = 4;

    @Test
    void writesTheVolumeThenTheClaimThenBothStatuses() {
        Cluster cluster = new Cluster();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "5Gi"))
                .orThrow();
        cluster.settle();
        cluster.writes.clear();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                .orThrow();
        cluster.settle();
        assertThat(cluster.writes)
                .extracting(WriteRecord::kind, WriteRecord::subresource)
                .hasSize(WRITES_OF_A_BIND)
                .startsWith(
                        org.assertj.core.groups.Tuple.tuple("PersistentVolume", ""),
                        org.assertj.core.groups.Tuple.tuple("PersistentVolumeClaim", ""));
        assertBound(cluster, "pv", "data");
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .contains("yes");
        assertThat(cluster.claim("data").metadata().annotation(Annotations.BIND_COMPLETED))
                .contains("yes");
        assertThat(cluster.claim("data").status().capacity())
                .isEqualTo(cluster.volume("pv").spec().capacity());
        assertThat(cluster.hasTimer()).isFalse();
    }

    @ParameterizedTest(name = "dies {1} write {0}")
    @CsvSource({"1,before", "2,before", "3,before", "4,before", "1,after", "2,after", "3,after", "4,after"})
    void endsTheSameWhereverTheProcessDies(int write, String when) {
        Cluster cluster = pair();
        boolean before = when.equals("before");
        cluster.diesBefore = number -> before && number == write;
        cluster.diesAfter = number -> !before && number == write;
        cluster.settle();
        assertBound(cluster, "pv", "data");
        assertThat(cluster.writes).hasSize(WRITES_OF_A_BIND);
        assertThat(cluster.volume("other").spec().claimRef()).isEmpty();
        assertThat(cluster.volume("other").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    @ParameterizedTest(name = "write {0} conflicts")
    @ValueSource(ints = {1, 2, 3, 4})
    void endsTheSameAfterAConflict(int write) {
        Cluster cluster = pair();
        boolean[] once = new boolean[1];
        cluster.fault = number -> {
            boolean now = number == write && !once[0];
            once[0] |= now;
            return now ? Interception.refuse(Failure.CONFLICT, "planted") : Interception.PROCEED;
        };
        cluster.settle();
        assertBound(cluster, "pv", "data");
        assertThat(cluster.volume("other").spec().claimRef()).isEmpty();
    }

    @ParameterizedTest(name = "the answer to write {0} is lost")
    @ValueSource(ints = {1, 2, 3, 4})
    void endsTheSameWhenAnAnswerIsLost(int write) {
        Cluster cluster = pair();
        boolean[] once = new boolean[1];
        cluster.fault = number -> {
            boolean now = number == write && !once[0];
            once[0] |= now;
            return now ? Interception.loseAnswer("planted") : Interception.PROCEED;
        };
        cluster.advance(Duration.ofMinutes(1));
        assertBound(cluster, "pv", "data");
        assertThat(cluster.volume("other").spec().claimRef()).isEmpty();
    }

    private static Cluster pair() {
        Cluster cluster = new Cluster();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "5Gi"))
                .orThrow();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("other", "6Gi"))
                .orThrow();
        cluster.settle();
        cluster.writes.clear();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                .orThrow();
        return cluster.countingFromOne();
    }

    static void assertBound(Cluster cluster, String volume, String claim) {
        PersistentVolume v = cluster.volume(volume);
        PersistentVolumeClaim c = cluster.claim(claim);
        assertThat(v.status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        assertThat(c.status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(c.spec().volumeName()).isEqualTo(volume);
        assertThat(v.spec().claimRef())
                .hasValueSatisfying(
                        ref -> assertThat(ref.uid()).isEqualTo(c.metadata().uid()));
    }

    // ---- contention (D18) ----

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theLargerRequestGetsTheOnlyVolumeInWhateverOrderTheyCame(long seed) {
        for (List<String> order : List.of(List.of("small", "large"), List.of("large", "small"))) {
            Cluster cluster = new Cluster(BinderOptions.DEFAULT, PluginRegistry.EMPTY, seed);
            order.forEach(name -> cluster.store
                    .create(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            BinderObjects.claim(name, name.equals("small") ? "1Gi" : "4Gi"))
                    .orThrow());
            cluster.settle();
            cluster.store
                    .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "5Gi"))
                    .orThrow();
            cluster.settle();
            assertBound(cluster, "pv", "large");
            assertThat(cluster.claim("small").status().phase()).isEqualTo(ClaimPhase.PENDING);
        }
    }

    @Test
    void aPreviewSaysWhichVolumeAndWritesNothing() {
        Cluster cluster = new Cluster();
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME, BinderObjects.volume("pv", "5Gi"))
                .orThrow();
        cluster.settle();
        cluster.writes.clear();
        assertThat(cluster.preview(BinderObjects.claim("data", "1Gi"))).contains("pv");
        assertThat(cluster.preview(BinderObjects.claim("data", "6Gi"))).isEqualTo(Optional.empty());
        assertThat(cluster.settle().writes).isEmpty();
    }
}

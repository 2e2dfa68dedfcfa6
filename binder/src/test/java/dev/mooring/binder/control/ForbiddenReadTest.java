// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Place;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A live read that the store refuses proves nothing: what would follow from its answer is not done. */
class ForbiddenReadTest {
    private static final Duration A_WHILE = Duration.ofMinutes(30);

    private static Cluster cluster() {
        return new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
    }

    private static Predicate<Effect> readsOf(Kind<?> kind) {
        return effect -> effect instanceof Effect.Read<?> read && read.kind() == kind;
    }

    private static PersistentVolume volume(PersistentVolumePhase phase) {
        return BinderObjects.inPhase(
                BinderObjects.claimedBy(
                        BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE), "data", BinderObjects.UID),
                phase);
    }

    @Test
    void aVolumeWhoseClaimTheCacheLacksIsNotReleased() {
        Cluster cluster = cluster().load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE), BinderObjects.data());
        cluster.settle();
        cluster.forbidden = readsOf(Kinds.PERSISTENT_VOLUME_CLAIM);
        cluster.relistWithoutClaims().annotateVolume("pv", "example.com/touched", "yes");
        cluster.advance(A_WHILE);
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.BOUND);

        cluster.deleteVolume("pv").advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).as("protected").isPresent();
        assertThat(cluster.calls).isEmpty();
    }

    @ParameterizedTest(name = "of {0}")
    @CsvSource({"claims", "volumes"})
    void nothingIsReclaimed(String unread) {
        Cluster cluster = cluster().load(volume(PersistentVolumePhase.RELEASED));
        cluster.forbidden = readsOf(unread.equals("claims") ? Kinds.PERSISTENT_VOLUME_CLAIM : Kinds.PERSISTENT_VOLUME);
        cluster.advance(A_WHILE);
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.RECLAIMING))
                .isEmpty();
        assertThat(cluster.calls).isEmpty();

        cluster.forbidden = read -> false;
        cluster.advance(A_WHILE);
        assertThat(cluster.findVolume("pv")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"gone", "another's"})
    void aClaimIsNotLost(String volume) {
        Cluster cluster = cluster().load(BinderObjects.boundTo("pv"));
        if (!volume.equals("gone")) {
            cluster.load(BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.OTHER_UID));
        }
        cluster.forbidden = readsOf(Kinds.PERSISTENT_VOLUME);
        cluster.advance(A_WHILE);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);

        cluster.forbidden = read -> false;
        cluster.advance(A_WHILE);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
    }
}

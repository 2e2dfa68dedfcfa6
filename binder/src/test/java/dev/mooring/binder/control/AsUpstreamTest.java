// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the binder differs from upstream, with its switches and without (semantics/binder §7). */
class AsUpstreamTest {
    private static Cluster cluster(boolean asUpstream, BinderSwitch option) {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        return new Cluster(
                asUpstream ? BinderOptions.DEFAULT.with(option) : BinderOptions.DEFAULT,
                new PluginRegistry(List.of(toy)),
                1);
    }

    @ParameterizedTest(name = "as upstream: {0}")
    @ValueSource(booleans = {true, false})
    void aNewVolumeIsMatchedOnceAvailableWasWritten(boolean asUpstream) { // D17
        Cluster cluster = cluster(asUpstream, BinderSwitch.UPSTREAM_PHASE_ORDER);
        cluster.load(BinderObjects.data()).settle();
        cluster.load(BinderObjects.volume("pv", "1Gi")).settle();
        BindingTest.assertBound(cluster, "pv", "data");
        assertThat(cluster.writesInOrder())
                .isEqualTo((asUpstream ? "pv pv/status, " : "") + "pv pv, pvc data, pv pv/status, pvc data/status");
    }

    @ParameterizedTest(name = "as upstream: {0}")
    @ValueSource(booleans = {true, false})
    void lostIsToldByTheCacheOrByALiveRead(boolean asUpstream) { // D7, B2
        Cluster cluster = cluster(asUpstream, BinderSwitch.UPSTREAM_LOST_SEMANTICS);
        cluster.load(BinderObjects.boundTo("pv")).settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.LOST);
        assertThat(cluster.counters.reads() == 0).isEqualTo(asUpstream);
    }

    @ParameterizedTest(name = "as upstream: {0}")
    @ValueSource(booleans = {true, false})
    void aFreeVolumeOfANarrowerGroupGoesBeforeOneForTheClaim(boolean asUpstream) { // D2, T3
        PersistentVolume wider = BinderObjects.claimedBy(BinderObjects.volume("wider", "1Gi"), "data", "");
        wider = wider.withSpec(
                wider.spec().withAccessModes(List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY)));
        Cluster cluster = cluster(asUpstream, BinderSwitch.UPSTREAM_MATCHING);
        cluster.load(wider, BinderObjects.volume("narrow", "1Gi"), BinderObjects.data())
                .settle();
        BindingTest.assertBound(cluster, asUpstream ? "narrow" : "wider", "data");
    }

    @Test
    void withoutRecyclingVolumesStayReleased() { // D12
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster =
                new Cluster(BinderOptions.DEFAULT.without(BinderSwitch.RECYCLE), new PluginRegistry(List.of(toy)), 1);
        cluster.load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), BinderObjects.data())
                .settle();
        cluster.deleteClaim("data").advance(Duration.ofHours(1));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aFailedVolumeShowsItsLatestFailure() { // D11
        Cluster cluster = cluster(false, BinderSwitch.UPSTREAM_PHASE_ORDER);
        cluster.backend = call -> Outcome.refused(Refusal.DENIED, cluster.calls.size() == 1 ? "first" : "second");
        cluster.load(BinderObjects.volume("pv", "1Gi", ReclaimPolicy.RECYCLE), BinderObjects.data())
                .settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.volume("pv").status().message()).contains("first");
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        assertThat(cluster.volume("pv").status().message()).contains("second");
        assertThat(cluster.told("VolumeFailedRecycle")).isEqualTo(2);
    }

    // ---- events on change only, with what upstream does not tell (D13) ----

    @Test
    void aClaimWithoutAVolumeIsToldHowManyThereAreAndNotAgainWhenTheirNumberChanges() { // U8
        Cluster cluster = new Cluster().load(BinderObjects.data()).settle();
        cluster.load(BinderObjects.volume("small", "1Mi")).settle();
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.warning()).isFalse();
            assertThat(news.message())
                    .isEqualTo("no persistent volumes available for this claim and no storage class is set: "
                            + "there are no volumes");
        });
    }
}

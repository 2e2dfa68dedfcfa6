// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the store will not let the binder write is told once, and tried again when it may help. */
class RefusalsTest {
    @Test
    void aVolumeThatMayNotBeFreedIsToldOfOnce() {
        Cluster cluster = new Cluster()
                .load(Objects.volume("other", "1Gi"), Objects.data())
                .settle();
        PersistentVolume leftOver = Objects.annotated(
                Objects.claimedBy(Objects.volume("pv", "1Gi"), "data", Objects.UID),
                Annotations.BOUND_BY_CONTROLLER,
                "yes");
        cluster.refusal = Failure.INVALID;
        cluster.refused = request ->
                request.key().name().equals("pv") && request.subresource().isEmpty();
        cluster.load(leftOver).advance(Duration.ofHours(1));
        assertThat(cluster.volume("pv").spec().claimRef()).isPresent();
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("FailedBinding");
            assertThat(news.warning()).isTrue();
            assertThat(news.message()).isEqualTo("planted");
        });

        cluster.refused = request -> false;
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
    }

    @Test
    void aClaimThatMayNotBeWrittenIsToldOfOnce() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        cluster.refused = request -> request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                && request.subresource().isEmpty();
        cluster.load(Objects.volume("pv", "1Gi"), Objects.data()).advance(Duration.ofHours(1));
        assertThat(cluster.news)
                .filteredOn(news -> news.message().equals("planted"))
                .hasSize(1);
    }

    @Test
    void aVolumeThatWasRefusedIsTriedAgainWhenItHasChanged() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        cluster.refused = request -> request.key().name().equals("pv");
        cluster.load(Objects.volume("pv", "1Gi"), Objects.data()).advance(Duration.ofHours(1));
        assertThat(cluster.claim("data").spec().volumeName()).isEmpty();
        cluster.refused = request -> false;
        cluster.annotateVolume("pv", "example.com/mended", "yes").advance(Duration.ofHours(1));
        BindingTest.assertBound(cluster, "pv", "data");
    }

    @ParameterizedTest(name = "after {0}")
    @CsvSource({"999, 1000", "1000, 1000"})
    void noClaimRemembersRefusalsWithoutEnd(int before, int after) {
        Map<String, String> refused =
                IntStream.range(0, before).boxed().collect(Collectors.toMap(i -> "pv-" + i, i -> "1"));
        PersistentVolume volume = Objects.volume("another", "1Gi");
        Effect update = new Effect.Update<>("claim", Kinds.PERSISTENT_VOLUME, new Change<>(volume, volume));
        EffectResult result =
                new EffectResult.Stored(update, StoreResult.failed(Failure.INVALID, "may not be claimed"));
        Situation situation = new Situation(
                new Caches(Set.of(), change -> {}), new Time(Instant.EPOCH, 0), Map.of(), List.of(result));
        assertThat(Refusals.remembering(ClaimState.NONE.withRefused(refused), situation)
                        .refused())
                .hasSize(after);
    }
}

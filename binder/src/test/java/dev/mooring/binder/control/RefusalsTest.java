// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                .load(BinderObjects.volume("other", "1Gi"), BinderObjects.data())
                .settle();
        PersistentVolume leftOver = BinderObjects.annotated(
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID),
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

        int attempts = cluster.attempts;
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.attempts).as("not tried again").isEqualTo(attempts);

        cluster.refused = request -> false;
        cluster.annotateVolume("pv", "example.com/mended", "yes").settle();
        assertThat(cluster.volume("pv").spec().claimRef()).isEmpty();
    }

    /** As an API server before 1.26, which lets the class be set only when the claim is created. */
    @Test
    void aDefaultClassThatCannotBeSetIsTriedOnceAndTheClaimGoesOnWithoutIt() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        List<String> tried = new ArrayList<>();
        cluster.refused = request -> {
            boolean sets = request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                    && request.subresource().isEmpty();
            if (sets) {
                tried.add(request.key().name());
            }
            return sets;
        };
        StorageClass gold = StorageClass.of("gold", "far.example.com")
                .withMetadata(ObjectMeta.named("gold").withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
        PersistentVolumeClaim data = BinderObjects.data();
        cluster.load(gold, data.withSpec(data.spec().withStorageClassName(Optional.empty())));
        cluster.advance(Duration.ofMinutes(5));
        for (int i = 0; i < 5; i++) {
            int label = i;
            cluster.editClaim(
                    "data", claim -> claim.withMetadata(claim.metadata().withAnnotation("example.com/a", "b" + label)));
            cluster.advance(Duration.ofMinutes(1));
        }
        assertThat(tried).hasSize(1);
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("FailedBinding");
            assertThat(news.warning()).isFalse();
            assertThat(news.message())
                    .startsWith("no persistent volumes available for this claim and no storage class is set: "
                            + "this API server sets the default class \"gold\" only when a claim is created");
        });
    }

    @Test
    void aDefaultClassThatMayNotBeSetIsTriedAgainAfterALongTimeWithoutAChangeOfTheClaim() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.FORBIDDEN;
        List<String> tried = new ArrayList<>();
        cluster.refused = request -> {
            boolean sets = request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                    && request.subresource().isEmpty();
            if (sets) {
                tried.add(request.key().name());
            }
            return sets;
        };
        PersistentVolumeClaim data = BinderObjects.data();
        StorageClass gold = StorageClass.of("gold", "far.example.com")
                .withMetadata(ObjectMeta.named("gold").withAnnotation(Annotations.IS_DEFAULT_CLASS, "true"));
        cluster.load(gold, data.withSpec(data.spec().withStorageClassName(Optional.empty())));
        for (int i = 0; i < 5; i++) {
            int label = i;
            cluster.editClaim(
                    "data", claim -> claim.withMetadata(claim.metadata().withAnnotation("example.com/a", "b" + label)));
            cluster.advance(Duration.ofMinutes(1));
        }
        assertThat(tried).as("not for each change of the claim").hasSize(1);
        cluster.advance(Defaults.RIGHTS_MAY_HAVE_CHANGED.multipliedBy(3));
        assertThat(tried).as("every ten minutes, for more is a flood").hasSize(4);
        assertThat(cluster.news).as("on change only").singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("FailedBinding");
            assertThat(news.message())
                    .startsWith("no persistent volumes available for this claim and no storage class is set: "
                            + "the default class \"gold\" may not be set: planted (allow it; it is tried again every 10 "
                            + "minutes)");
        });

        cluster.refused = request -> false;
        cluster.advance(Defaults.RIGHTS_MAY_HAVE_CHANGED);
        assertThat(cluster.claim("data").spec().storageClassName()).contains("gold");
    }

    @Test
    void aClaimThatWaitsAlreadyIsToldThatTheDefaultClassComesTooLate() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        cluster.refused = request -> request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                && request.subresource().isEmpty();
        PersistentVolumeClaim data = BinderObjects.data();
        cluster.load(data.withSpec(data.spec().withStorageClassName(Optional.empty())))
                .settle();
        assertThat(cluster.told("FailedBinding")).isEqualTo(1);
        cluster.load(StorageClass.of("gold", "far.example.com")
                .withMetadata(ObjectMeta.named("gold").withAnnotation(Annotations.IS_DEFAULT_CLASS, "true")));
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.told("FailedBinding")).isEqualTo(2);
        assertThat(cluster.news.get(1).message()).contains("default class \"gold\" only when a claim is created");
    }

    /** The mark of a reclaim that is tried and fails comes and goes. */
    @Test
    void aClaimThatNamesAnotherClaimsVolumeIsToldOnceHoweverOftenThatIsReclaimed() {
        Cluster cluster = new Cluster();
        PersistentVolume taken =
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "other", BinderObjects.OTHER_UID);
        cluster.load(taken, BinderObjects.naming(BinderObjects.data(), "pv")).settle();
        for (int i = 0; i < 10; i++) {
            cluster.annotateVolume("pv", Annotations.RECLAIMING, BinderObjects.OTHER_UID)
                    .settle();
            cluster.editVolume(
                    "pv", volume -> volume.withMetadata(volume.metadata().withoutAnnotation(Annotations.RECLAIMING)));
            cluster.settle();
        }
        assertThat(cluster.news)
                .filteredOn(news -> news.object().name().equals("data"))
                .singleElement()
                .satisfies(news ->
                        assertThat(news.message()).isEqualTo("volume \"pv\" already bound to a different claim."));
    }

    @Test
    void aClaimThatMayNotBeWrittenIsToldOfOnce() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        cluster.refused = request -> request.kind() == Kinds.PERSISTENT_VOLUME_CLAIM
                && request.subresource().isEmpty();
        cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data()).advance(Duration.ofHours(1));
        assertThat(cluster.news)
                .filteredOn(news -> news.message().equals("planted"))
                .hasSize(1);
    }

    @Test
    void aVolumeThatWasRefusedIsTriedAgainWhenItHasChanged() {
        Cluster cluster = new Cluster();
        cluster.refusal = Failure.INVALID;
        cluster.refused = request -> request.key().name().equals("pv");
        cluster.load(BinderObjects.volume("pv", "1Gi"), BinderObjects.data()).advance(Duration.ofHours(1));
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
        PersistentVolume volume = BinderObjects.volume("another", "1Gi");
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

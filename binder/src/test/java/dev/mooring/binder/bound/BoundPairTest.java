// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Only a claim that is bound, and whose volume names it with its uid, is changed together with its volume (semantics/binder §3.5 X2). */
class BoundPairTest {
    private static final PersistentVolumeClaim CLAIM = BinderObjects.boundTo("pv");
    private static final PersistentVolume VOLUME =
            BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);

    private static Caches caches() {
        return new Caches(List.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME), change -> {});
    }

    static Stream<Arguments> pairs() {
        PersistentVolume others =
                BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.OTHER_UID);
        ObjectReference elsewhere = VOLUME.spec().claimRef().orElseThrow().withNamespace("elsewhere");
        return Stream.of(
                Arguments.of("both name each other", CLAIM, VOLUME, true),
                Arguments.of("the claim is pending", BinderObjects.inPhase(CLAIM, ClaimPhase.PENDING), VOLUME, false),
                Arguments.of("the claim is lost", BinderObjects.inPhase(CLAIM, ClaimPhase.LOST), VOLUME, false),
                Arguments.of("the claim names another volume", BinderObjects.boundTo("other"), VOLUME, false),
                Arguments.of("the volume is a former claim's", CLAIM, others, false),
                Arguments.of("the volume names no claim", CLAIM, BinderObjects.volume("pv", "1Gi"), false),
                Arguments.of(
                        "the volume is for another namespace",
                        CLAIM,
                        VOLUME.withSpec(VOLUME.spec().withClaimRef(Optional.of(elsewhere))),
                        false));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("pairs")
    void isAPairIfEachNamesTheOther(String what, PersistentVolumeClaim claim, PersistentVolume volume, boolean pair) {
        Caches caches = caches();
        caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).put(claim, Origin.WATCH);
        caches.of(Kinds.PERSISTENT_VOLUME).put(volume, Origin.WATCH);
        assertThat(BoundPair.of(caches, ObjectKey.of(CLAIM)))
                .as(what)
                .isEqualTo(pair ? Optional.of(new BoundPair(claim, volume)) : Optional.empty());
    }

    @Test
    void whatIsNotKnownIsNoPair() {
        Caches caches = caches();
        assertThat(BoundPair.of(caches, ObjectKey.of(CLAIM))).isEmpty();
        caches.of(Kinds.PERSISTENT_VOLUME_CLAIM).put(CLAIM, Origin.WATCH);
        assertThat(BoundPair.of(caches, ObjectKey.of(CLAIM))).isEmpty();
    }
}

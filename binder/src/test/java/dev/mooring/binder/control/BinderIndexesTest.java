// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.index.MatchOptions;
import dev.mooring.runtime.control.Rank;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the binder looks up instead of searching: binds under way, the claims that name a volume, and the claim a volume was offered to. */
class BinderIndexesTest {
    private static final ObjectKey A = ObjectKey.of("default", "a");
    private static final ObjectKey B = ObjectKey.of("default", "b");

    private final BinderIndexes indexes = new BinderIndexes(false, 1, PluginRegistry.EMPTY);

    @Test
    void aReservationThatAnotherClaimTookOverIsNotEndedByTheFirst() {
        indexes.reserve("pv", A, BinderObjects.UID);
        indexes.underWay(A, true);
        indexes.reserve("pv", B, BinderObjects.OTHER_UID);
        indexes.underWay(B, true);
        assertThat(indexes.mayBind(A)).as("it holds nothing any more").isFalse();
        indexes.release("pv", A);
        assertThat(indexes.reservedBy("pv")).contains(B);
        assertThat(indexes.reservedForOther(BinderObjects.volume("pv", "1Gi"), BinderObjects.claim("a", "1Gi")))
                .isTrue();
        assertThat(indexes.reservedForOther(BinderObjects.volume("pv", "1Gi"), BinderObjects.claim("b", "1Gi")))
                .isFalse();
        indexes.release("pv", B);
        assertThat(indexes.reservedBy("pv")).isEmpty();
        assertThat(indexes.reservedForOther(BinderObjects.volume("pv", "1Gi"), BinderObjects.claim("a", "1Gi")))
                .isFalse();
    }

    @Test
    void aFreeVolumeIsFoundByAllUntilABindHoldsItAndThenByThatOneAlone() {
        PersistentVolumeClaim a = BinderObjects.claim("a", "1Gi");
        PersistentVolumeClaim b = BinderObjects.claim("b", "1Gi");
        indexes.volumes().put(BinderObjects.volume("pv", "1Gi"));
        assertThat(indexes.match(b, MatchOptions.DEFAULT)).contains("pv");
        indexes.reserve("pv", A, "");
        assertThat(indexes.match(a, MatchOptions.DEFAULT)).contains("pv");
        assertThat(indexes.match(b, MatchOptions.DEFAULT)).isEmpty();
        indexes.release("pv", A);
        assertThat(indexes.match(b, MatchOptions.DEFAULT)).contains("pv");
    }

    @Test
    void whoWaitsMayBeginWhenABindHasEnded() {
        indexes.queue(B, Rank.tier(1));
        assertThat(indexes.nextInQueue()).contains(B);
        indexes.underWay(A, true);
        assertThat(indexes.mayBind(A)).as("one that is under way goes on").isTrue();
        assertThat(indexes.mayBind(B)).isFalse();
        assertThat(indexes.nextInQueue()).isEmpty();
        indexes.underWay(A, false);
        assertThat(indexes.mayBind(B)).isTrue();
        assertThat(indexes.nextInQueue()).contains(B);
        indexes.dequeue(B);
        assertThat(indexes.nextInQueue()).isEmpty();
    }

    @Test
    void ofThoseThatWaitTheFirstByRankMayBeginWhateverItsName() {
        indexes.queue(A, Rank.tier(2));
        indexes.queue(B, Rank.tier(1));
        assertThat(indexes.nextInQueue()).contains(B);
        indexes.queue(B, Rank.tier(3));
        assertThat(indexes.nextInQueue()).contains(A);
    }

    @Test
    void theClaimsThatNameAVolumeAreKnownUntilTheyDoNoMore() {
        Optional<PersistentVolumeClaim> a = Optional.of(BinderObjects.naming(BinderObjects.claim("a", "1Gi"), "pv"));
        Optional<PersistentVolumeClaim> b = Optional.of(BinderObjects.naming(BinderObjects.claim("b", "1Gi"), "pv"));
        indexes.nameVolume(Optional.empty(), Optional.of(BinderObjects.claim("c", "1Gi")));
        indexes.nameVolume(Optional.empty(), a);
        indexes.nameVolume(Optional.of(BinderObjects.claim("b", "1Gi")), b);
        assertThat(indexes.claimsNaming("pv")).containsExactly(A, B);
        assertThat(indexes.claimsNaming("")).isEmpty();
        indexes.nameVolume(a, Optional.empty());
        assertThat(indexes.claimsNaming("pv")).containsExactly(B);
        indexes.nameVolume(b, Optional.of(BinderObjects.naming(BinderObjects.claim("b", "1Gi"), "other")));
        assertThat(indexes.claimsNaming("pv")).isEmpty();
        assertThat(indexes.claimsNaming("other")).containsExactly(B);
    }

    @Test
    void theVolumesThatNameAClaimAreKnownByName() {
        indexes.volumes().put(BinderObjects.claimedBy(BinderObjects.volume("pv-2", "1Gi"), "a", BinderObjects.UID));
        indexes.volumes().put(BinderObjects.claimedBy(BinderObjects.volume("pv-1", "1Gi"), "a", ""));
        indexes.volumes().put(BinderObjects.claimedBy(BinderObjects.volume("pv-3", "1Gi"), "b", ""));
        assertThat(indexes.claimedBy(A)).containsExactlyInAnyOrder("pv-1", "pv-2");
    }

    @Test
    void anOfferIsAnsweredOnceUntilItIsMadeAgain() {
        indexes.offer("pv", A);
        assertThat(indexes.hasAnswered("pv")).isFalse();
        assertThat(indexes.answer(B)).isEmpty();
        assertThat(indexes.answer(A)).containsExactly("pv");
        assertThat(indexes.answer(A)).isEmpty();
        assertThat(indexes.hasAnswered("pv")).isTrue();
        indexes.offer("pv", B);
        assertThat(indexes.hasAnswered("pv")).isFalse();
        indexes.answer(B);
        indexes.withdraw("pv", B);
        assertThat(indexes.hasAnswered("pv")).isFalse();
    }

    @Test
    void whoAnswersAnOfferThatWasWithdrawnAnswersNoLaterOne() {
        indexes.offer("pv", A);
        indexes.offer("other", A);
        indexes.withdraw("pv", A);
        indexes.withdraw("pv", B);
        indexes.offer("pv", B);
        assertThat(indexes.answer(A)).containsExactly("other");
        assertThat(indexes.hasAnswered("pv")).isFalse();
        indexes.withdraw("pv", B);
        assertThat(indexes.answer(B)).isEmpty();
    }
}

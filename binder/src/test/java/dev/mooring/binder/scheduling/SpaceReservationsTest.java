// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.annotated;
import static dev.mooring.binder.scheduling.SchedulingObjects.bound;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long space stays promised to a claim (#111755). */
class SpaceReservationsTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "c");
    private static final ObjectKey POOL = ObjectKey.of("default", "pool");
    private static final ObjectKey OTHER = ObjectKey.of("default", "other");
    private static final PersistentVolumeClaim C = uid(claim("c", "60Gi"), "u");
    private static final PersistentVolumeClaim WRITTEN = annotated(C, Annotations.SELECTED_NODE, "n1");

    private final SpaceReservations promises = new SpaceReservations();

    private void promise(PersistentVolumeClaim claim) {
        promises.add(Provision.of(claim, Optional.of(new Pool(POOL, "1", Quantity.parse("100Gi")))));
    }

    private void promise() {
        promise(C);
    }

    /** Shows a change of the claim; whether it frees space. */
    private boolean changed(PersistentVolumeClaim claim, boolean assumed) {
        return promises.claimChanged(KEY, Optional.of(claim), assumed);
    }

    private boolean told(String version) {
        return told(version, "100Gi");
    }

    private boolean told(String version, String capacity) {
        return promises.poolChanged(POOL, Optional.of(new Pool(POOL, version, Quantity.parse(capacity))));
    }

    private void assertPromised(String amount) {
        assertThat(promises.of(POOL, OTHER)).isEqualTo(Quantity.parse(amount));
    }

    @Test
    void aClaimDoesNotStandInItsOwnWay() {
        promise();
        assertPromised("60Gi");
        assertThat(promises.of(POOL, KEY)).isEqualTo(Quantity.ZERO);
        assertThat(promises.of(ObjectKey.of("default", "another"), OTHER)).isEqualTo(Quantity.ZERO);
    }

    @Test
    void untilItIsWrittenItHoldsAsLongAsAPodCountsWithIt() {
        promise();
        assertThat(changed(C, true)).isFalse();
        assertPromised("60Gi");
        assertThat(changed(C, false)).isTrue();
        assertPromised("0");
    }

    @Test
    void whatNoPodCountsWithAnyMoreFallsUnlessItIsWritten() {
        promise();
        promises.drop(KEY);
        assertPromised("0");
        promise();
        changed(WRITTEN, true);
        promises.drop(KEY);
        assertPromised("60Gi");
    }

    @Test
    void aWrittenOneHoldsAsLongAsTheClaimNamesItsNode() {
        promise();
        assertThat(changed(WRITTEN, false)).isFalse();
        assertPromised("60Gi");
        assertThat(changed(C, false)).isTrue();
        assertPromised("0");
    }

    @Test
    void aNodeThatTheClaimGaveUpIsNotWrittenAnyMore() {
        promise();
        changed(WRITTEN, true);
        assertThat(changed(C, true)).isFalse();
        promises.drop(KEY);
        assertPromised("0");
    }

    @Test
    void aSecondPodDoesNotMakeAWrittenOneUnwritten() {
        promise();
        changed(WRITTEN, true);
        promise();
        promises.drop(KEY);
        assertPromised("60Gi");
    }

    @Test
    void whatWasWrittenForAFormerClaimIsNotWrittenForTheNextOfItsName() {
        promise();
        changed(WRITTEN, true);
        promise(uid(C, "next"));
        promises.drop(KEY);
        assertPromised("0");
    }

    @Test
    void itFallsWithTheClaim() {
        promise();
        assertThat(promises.claimChanged(KEY, Optional.empty(), true)).isTrue();
        assertPromised("0");
        promise();
        assertThat(changed(uid(WRITTEN, "another"), true)).isTrue();
        assertPromised("0");
        assertThat(promises.claimChanged(KEY, Optional.empty(), true))
                .as("there was none")
                .isFalse();
    }

    @Test
    void onceTheClaimHasItsVolumeItHoldsUntilThePoolTellsOfItself() {
        promise();
        assertThat(told("7")).isFalse();
        assertThat(changed(bound(WRITTEN, "v"), true)).isFalse();
        assertPromised("60Gi");
        assertThat(changed(bound(WRITTEN, "v"), false)).isFalse();
        promises.drop(KEY);
        assertPromised("60Gi");
        assertThat(told("7")).as("what it said before").isFalse();
        assertPromised("60Gi");
        ObjectKey another = ObjectKey.of("default", "another");
        assertThat(promises.poolChanged(another, Optional.of(new Pool(another, "9", Quantity.ZERO))))
                .isFalse();
        assertPromised("60Gi");
        assertThat(told("8")).isTrue();
        assertPromised("0");
    }

    @Test
    void aPoolThatTellsBeforeTheClaimHasItsVolumeKnowsNothingOfIt() {
        promise();
        changed(WRITTEN, true);
        assertThat(told("7")).isFalse();
        assertPromised("60Gi");
    }

    @Test
    void whatAPoolThatWentSaidIsForgotten() {
        promise();
        told("7");
        assertThat(promises.poolChanged(POOL, Optional.empty())).isFalse();
        changed(bound(WRITTEN, "v"), true);
        assertThat(told("7")).as("a pool that is there again").isTrue();
    }

    /** The watch of pools may be ahead of that of claims: then nothing is written any more once the claim has its volume. */
    @Test
    void aPoolThatHasAsMuchLessWhenTheClaimHasItsVolumeKnowsOfIt() {
        promise();
        changed(WRITTEN, true);
        assertThat(told("7", "40Gi")).isFalse();
        assertPromised("60Gi");
        assertThat(changed(bound(WRITTEN, "v"), true)).isTrue();
        assertPromised("0");
    }

    @Test
    void whatWentFromAPoolStandsForOneClaimAlone() {
        PersistentVolumeClaim second = uid(claim("d", "60Gi"), "d");
        promises.add(Provision.of(C, Optional.of(new Pool(POOL, "1", Quantity.parse("200Gi")))));
        promises.add(Provision.of(second, Optional.of(new Pool(POOL, "1", Quantity.parse("200Gi")))));
        told("7", "140Gi");
        assertThat(changed(bound(WRITTEN, "v"), true)).isTrue();
        assertThat(promises.claimChanged(ObjectKey.of(second), Optional.of(bound(second, "w")), true))
                .as("the pool shows the first one")
                .isFalse();
        assertPromised("60Gi");
        assertThat(told("8", "80Gi")).isTrue();
        assertPromised("0");
    }

    @Test
    void aPoolThatStaysSilentIsRightInTheEnd() {
        promise();
        assertThat(promises.settle(KEY))
                .as("without a volume it is not waited for")
                .isEmpty();
        changed(bound(WRITTEN, "v"), true);
        assertThat(promises.awaitsPool(KEY)).contains("u");
        assertThat(promises.settle(KEY)).isPresent();
        assertPromised("0");
        assertThat(promises.awaitsPool(KEY)).isEmpty();
    }

    @Test
    void whatIsPromisedAfterThePoolToldCountsFromThere() {
        PersistentVolumeClaim second = uid(claim("d", "60Gi"), "d");
        promises.add(Provision.of(C, Optional.of(new Pool(POOL, "1", Quantity.parse("200Gi")))));
        told("7", "140Gi");
        promises.add(Provision.of(second, Optional.of(new Pool(POOL, "7", Quantity.parse("140Gi")))));
        assertThat(changed(bound(WRITTEN, "v"), true)).isTrue();
        told("8", "80Gi");
        assertThat(promises.claimChanged(ObjectKey.of(second), Optional.of(bound(second, "w")), true))
                .isTrue();
        assertPromised("0");
    }
}

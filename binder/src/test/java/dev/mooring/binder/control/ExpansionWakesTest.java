// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.expansion.ExpansionController;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What makes expansion look at a claim, and which of it ends the pause after a failure (semantics/binder §3.5, X1). */
class ExpansionWakesTest {
    private static final PersistentVolumeClaim HAS_ALL = asking("1Gi");
    private static final PersistentVolumeClaim WANTS_MORE = asking("3Gi");

    private final ExpansionController expansion = new ExpansionController(PluginRegistry.EMPTY, true);

    private static PersistentVolumeClaim asking(String size) {
        PersistentVolumeClaim claim = BinderObjects.boundTo("pv");
        return claim.withSpec(claim.spec().withRequestedStorage(Quantity.parse(size)))
                .withStatus(claim.status().withCapacity(Map.of("storage", Quantity.parse("1Gi"))));
    }

    private List<String> claim(Optional<PersistentVolumeClaim> before, PersistentVolumeClaim after, Origin origin) {
        return Letters.of(expansion, Kinds.PERSISTENT_VOLUME_CLAIM, before, Optional.of(after), origin);
    }

    private List<String> claim(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        return claim(Optional.of(before), after, Origin.WATCH);
    }

    @Test
    void aClaimThatHasAllItAsksForWakesNothing() {
        assertThat(claim(Optional.empty(), HAS_ALL, Origin.WATCH)).isEmpty();
        assertThat(claim(HAS_ALL, BinderObjects.annotated(HAS_ALL, "example.com/touched", "yes")))
                .isEmpty();
        assertThat(volume(BinderObjects.volume("pv", "1Gi"))).isEmpty();
    }

    @Test
    void aClaimThatIsNotBoundWakesNothing() {
        PersistentVolumeClaim lost = BinderObjects.inPhase(WANTS_MORE, ClaimPhase.LOST);
        assertThat(claim(Optional.empty(), lost, Origin.WATCH)).isEmpty();
    }

    @Test
    void anotherRequestEndsThePause() {
        assertThat(claim(Optional.empty(), WANTS_MORE, Origin.WATCH)).containsExactly("changed data");
        assertThat(claim(WANTS_MORE, asking("2Gi"))).containsExactly("changed data");
        assertThat(claim(asking("2Gi"), HAS_ALL)).containsExactly("changed data");
    }

    @Test
    void anythingElseOfAClaimUnderWayDoesNot() {
        claim(Optional.empty(), WANTS_MORE, Origin.WATCH);
        assertThat(claim(WANTS_MORE, BinderObjects.annotated(WANTS_MORE, "example.com/touched", "yes")))
                .containsExactly("recheck data");
        assertThat(claim(Optional.of(WANTS_MORE), asking("2Gi"), Origin.OWN_WRITE))
                .containsExactly("recheck data");
    }

    @Test
    void theEndOfAnExpansionIsLookedAtOnce() {
        claim(Optional.empty(), WANTS_MORE, Origin.WATCH);
        PersistentVolumeClaim grown =
                WANTS_MORE.withStatus(WANTS_MORE.status().withCapacity(Map.of("storage", Quantity.parse("3Gi"))));
        assertThat(claim(WANTS_MORE, grown)).containsExactly("recheck data");
        assertThat(claim(grown, grown)).isEmpty();
    }

    private List<String> storageClass(String name, boolean allows) {
        return Letters.of(
                expansion,
                Kinds.STORAGE_CLASS,
                Optional.empty(),
                Optional.of(StorageClass.of(name, "x").withAllowVolumeExpansion(Optional.of(allows))));
    }

    @Test
    void aClassThatAllowsMoreWakesItsOwnClaimsUntilTheyAreThrough() {
        PersistentVolumeClaim fast = BinderObjects.ofClass(WANTS_MORE, "fast");
        claim(Optional.empty(), fast, Origin.WATCH);
        assertThat(storageClass("slow", true)).isEmpty();
        assertThat(storageClass("fast", true)).containsExactly("changed data");
        claim(fast, BinderObjects.ofClass(HAS_ALL, "fast"));
        assertThat(storageClass("fast", true)).isEmpty();
    }

    private List<String> volume(PersistentVolume volume) {
        PersistentVolume claimed = BinderObjects.claimedBy(volume, "data", BinderObjects.UID);
        return Letters.of(expansion, Kinds.PERSISTENT_VOLUME, Optional.empty(), Optional.of(claimed));
    }

    @Test
    void aVolumeWakesItsClaimWhileOneOfTheTwoIsUnfinished() {
        assertThat(volume(BinderObjects.volume("pv", "1Gi"))).isEmpty();
        assertThat(volume(BinderObjects.annotated(
                        BinderObjects.volume("pv", "1Gi"), Annotations.PRE_RESIZE_CAPACITY, "1Gi")))
                .containsExactly("recheck data");
        claim(Optional.empty(), WANTS_MORE, Origin.WATCH);
        assertThat(volume(BinderObjects.volume("pv", "1Gi"))).containsExactly("recheck data");
    }
}

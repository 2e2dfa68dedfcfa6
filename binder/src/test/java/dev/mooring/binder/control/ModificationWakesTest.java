// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.modification.ModificationController;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModifyVolumeStatus;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What makes modification look at a claim, and which of it ends the pause after a failure (semantics/binder §3.5). */
class ModificationWakesTest {
    private static final PersistentVolumeClaim CONTENT = wanting("");
    private static final PersistentVolumeClaim WANTS_FAST = wanting("fast");

    private final ModificationController modification = new ModificationController(PluginRegistry.EMPTY);

    private static PersistentVolumeClaim wanting(String attributesClass) {
        PersistentVolumeClaim claim = BinderObjects.boundTo("pv");
        Optional<String> wanted = attributesClass.isEmpty() ? Optional.empty() : Optional.of(attributesClass);
        return claim.withSpec(claim.spec().withVolumeAttributesClassName(wanted));
    }

    private static PersistentVolumeClaim under(PersistentVolumeClaim claim, String target) {
        return claim.withStatus(
                claim.status().withModifyVolumeStatus(Optional.of(new ModifyVolumeStatus(target, "InProgress"))));
    }

    private List<String> claim(Optional<PersistentVolumeClaim> before, PersistentVolumeClaim after, Origin origin) {
        return Letters.of(modification, Kinds.PERSISTENT_VOLUME_CLAIM, before, Optional.of(after), origin);
    }

    private List<String> claim(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        return claim(Optional.of(before), after, Origin.WATCH);
    }

    private List<String> volume() {
        PersistentVolume volume = BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);
        return Letters.of(modification, Kinds.PERSISTENT_VOLUME, Optional.empty(), Optional.of(volume));
    }

    private List<String> attributesClass() {
        VolumeAttributesClass fast =
                new VolumeAttributesClass(ObjectMeta.named("fast"), ExpandedDiskPlugin.NAME, Map.of());
        return Letters.of(modification, Kinds.VOLUME_ATTRIBUTES_CLASS, Optional.empty(), Optional.of(fast));
    }

    @Test
    void aClaimThatHasWhatItNamesWakesNothing() {
        assertThat(claim(Optional.empty(), CONTENT, Origin.WATCH)).isEmpty();
        assertThat(claim(CONTENT, BinderObjects.annotated(CONTENT, "example.com/touched", "yes")))
                .isEmpty();
        assertThat(volume()).isEmpty();
        assertThat(attributesClass()).isEmpty();
    }

    @Test
    void aClaimThatIsNotBoundWakesNothing() {
        assertThat(claim(Optional.empty(), BinderObjects.inPhase(WANTS_FAST, ClaimPhase.PENDING), Origin.WATCH))
                .isEmpty();
        assertThat(attributesClass()).isEmpty();
    }

    @Test
    void anotherWishEndsThePause() {
        assertThat(claim(CONTENT, WANTS_FAST)).containsExactly("changed data");
        assertThat(claim(WANTS_FAST, wanting("slow"))).containsExactly("changed data");
        assertThat(claim(wanting("slow"), CONTENT)).as("none any more").containsExactly("changed data");
    }

    @Test
    void anythingElseOfAClaimUnderWayDoesNot() {
        claim(Optional.empty(), WANTS_FAST, Origin.WATCH);
        assertThat(claim(WANTS_FAST, BinderObjects.annotated(WANTS_FAST, "example.com/touched", "yes")))
                .containsExactly("recheck data");
        assertThat(claim(Optional.of(WANTS_FAST), wanting("slow"), Origin.OWN_WRITE))
                .containsExactly("recheck data");
    }

    @Test
    void theEndOfAModificationIsLookedAtOnce() {
        PersistentVolumeClaim begun = under(CONTENT, "fast");
        assertThat(claim(Optional.empty(), begun, Origin.WATCH)).containsExactly("recheck data");
        assertThat(claim(begun, CONTENT)).containsExactly("recheck data");
        assertThat(claim(CONTENT, CONTENT)).isEmpty();
    }

    @Test
    void itsVolumeAndAnyClassWakeAClaimUnderWay() {
        claim(Optional.empty(), WANTS_FAST, Origin.WATCH);
        assertThat(volume()).containsExactly("recheck data");
        assertThat(attributesClass()).containsExactly("recheck data");
    }

    @Test
    void aClaimThatHasGoneIsNotLookedAtAgain() {
        claim(Optional.empty(), WANTS_FAST, Origin.WATCH);
        Letters.of(modification, Kinds.PERSISTENT_VOLUME_CLAIM, Optional.of(WANTS_FAST), Optional.empty());
        assertThat(attributesClass()).isEmpty();
    }
}

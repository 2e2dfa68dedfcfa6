// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeMode;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Until when it is asked what a volume is like (semantics/binder §2). */
class VolumeChecksTest {
    private static PersistentVolume odd() {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        return volume.withSpec(volume.spec().withVolumeMode(Optional.of(VolumeMode.UNKNOWN)));
    }

    @Test
    void aVolumeThatIsOnlyMeantForAClaimIsAskedAsAFreeOneIs() {
        assertThat(VolumeChecks.problem(odd())).get().asString().startsWith("spec.volumeMode:");
        assertThat(VolumeChecks.problem(BinderObjects.claimedBy(odd(), "data", "")))
                .get()
                .asString()
                .startsWith("spec.volumeMode:");
        assertThat(VolumeChecks.problem(BinderObjects.claimedBy(odd(), "data", BinderObjects.UID)))
                .isEmpty();
    }

    @Test
    void theLimitsThemselvesAreAllowed() {
        assertThat(ObjectChecks.name("metadata.name", "n".repeat(253))).isEmpty();
        assertThat(ObjectChecks.name("metadata.name", "n".repeat(254))).isPresent();
        assertThat(ObjectChecks.tooManyModes(Collections.nCopies(64, AccessMode.READ_WRITE_ONCE)))
                .isEmpty();
        assertThat(ObjectChecks.tooManyModes(Collections.nCopies(65, AccessMode.READ_WRITE_ONCE)))
                .isPresent();
        assertThat(ObjectChecks.tooManyModes(List.of())).isEmpty();
    }

    @Test
    void aLongNameIsToldInPart() {
        String limit = "n".repeat(64);
        assertThat(ObjectChecks.news("PersistentVolume", BinderObjects.volume(limit, "1Gi"), "why"))
                .isEqualTo("PersistentVolume \"" + limit + "\" is left alone: why");
        assertThat(ObjectChecks.news("PersistentVolume", BinderObjects.volume(limit + "n", "1Gi"), "why"))
                .isEqualTo("PersistentVolume \"" + limit + "…\" is left alone: why");
    }
}

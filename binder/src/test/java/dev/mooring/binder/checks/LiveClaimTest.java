// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.BinderObjects;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import org.junit.jupiter.api.Test;

/** What each answer to a live read of a volume's claim proves: that it has the volume, that it has it no more, or nothing. */
class LiveClaimTest {
    private static final PersistentVolume VOLUME =
            BinderObjects.claimedBy(BinderObjects.volume("pv", "1Gi"), "data", BinderObjects.UID);

    private static String proves(StoreResult<PersistentVolumeClaim> answer) {
        Effect read = new Effect.Read<>("read", Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data"));
        EffectResult result = new EffectResult.Stored(read, answer);
        boolean holds = LiveClaim.holds(result, VOLUME);
        assertThat(holds && LiveClaim.hasLeft(result, VOLUME)).as("both").isFalse();
        return holds ? "holds" : LiveClaim.hasLeft(result, VOLUME) ? "has left" : "nothing";
    }

    @Test
    void aClaimThatHasTheVolumeOrNoneYetHoldsIt() {
        assertThat(proves(StoreResult.ok(BinderObjects.boundTo("pv")))).isEqualTo("holds");
        assertThat(proves(StoreResult.ok(BinderObjects.data()))).isEqualTo("holds");
    }

    @Test
    void aClaimThatHasGoneOrIsAnothersOrHasAnotherVolumeHasLeft() {
        PersistentVolumeClaim another = BinderObjects.data()
                .withMetadata(BinderObjects.data().metadata().withUid(BinderObjects.OTHER_UID));
        assertThat(proves(StoreResult.failed(Failure.NOT_FOUND, "gone"))).isEqualTo("has left");
        assertThat(proves(StoreResult.ok(another))).isEqualTo("has left");
        assertThat(proves(StoreResult.ok(BinderObjects.naming(another, "pv")))).isEqualTo("has left");
        assertThat(proves(StoreResult.ok(BinderObjects.boundTo("other")))).isEqualTo("has left");
    }

    @Test
    void aReadThatFailedProvesNothing() {
        assertThat(proves(StoreResult.failed(Failure.UNAVAILABLE, "no answer"))).isEqualTo("nothing");
        assertThat(proves(StoreResult.failed(Failure.FORBIDDEN, "no"))).isEqualTo("nothing");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import dev.mooring.binder.scheduling.QueueingHint.Source;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a bind under way waits for: whatever of it changes, the bind is looked at again. */
class BindQueueingHintsTest {
    private static final QueueingHint NODE = QueueingHint.of(Source.NODE, "n1");
    private static final ObjectKey KEY = ObjectKey.of("default", "c");
    private static final PersistentVolumeClaim CLAIM = SchedulingObjects.claim("c", "1Gi");

    private static Assumption assumption(
            List<StaticBinding> bindings, List<Provision> provisions, List<ObjectKey> bound) {
        return new Assumption(ObjectKey.of("default", "p"), "u", "n1", bindings, provisions, bound);
    }

    private static Iterable<QueueingHint> cues(Assumption assumption, PersistentVolumeClaim claim) {
        return BindQueueingHints.of(assumption, Known.of(claim).view());
    }

    @Test
    void aClaimThatGetsAVolumeWaitsForBoth() {
        StaticBinding binding = new StaticBinding(KEY, "u", "local", Quantity.ZERO, "v", Quantity.ZERO);
        assertThat(cues(assumption(List.of(binding), List.of(), List.of()), CLAIM))
                .containsExactlyInAnyOrder(NODE, QueueingHint.claim(KEY), QueueingHint.of(Source.VOLUME, "v"));
    }

    @Test
    void aClaimToProvisionWaitsForItsVolumeOnceItNamesOne() {
        Assumption provisioned = assumption(List.of(), List.of(Provision.of(CLAIM, Optional.empty())), List.of());
        assertThat(cues(provisioned, CLAIM)).containsExactlyInAnyOrder(NODE, QueueingHint.claim(KEY));
        assertThat(cues(provisioned, SchedulingObjects.bound(CLAIM, "v")))
                .containsExactlyInAnyOrder(NODE, QueueingHint.claim(KEY), QueueingHint.of(Source.VOLUME, "v"));
    }

    @Test
    void aBoundClaimWaitsForItsVolume() {
        assertThat(cues(assumption(List.of(), List.of(), List.of(KEY)), SchedulingObjects.bound(CLAIM, "v")))
                .containsExactlyInAnyOrder(NODE, QueueingHint.claim(KEY), QueueingHint.of(Source.VOLUME, "v"));
    }
}

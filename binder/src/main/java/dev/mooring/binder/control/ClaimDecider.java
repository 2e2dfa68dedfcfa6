// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Optional;

/** What to do about a claim (semantics/binder §1.2). */
final class ClaimDecider {
    private final UnboundClaim unbound;
    private final BoundClaim bound;
    private final ClaimProvisioning provisioning;

    ClaimDecider(BinderContext context) {
        this.provisioning = new ClaimProvisioning(context);
        this.unbound = new UnboundClaim(context, provisioning);
        this.bound = new BoundClaim(context);
    }

    Decision decide(ObjectKey key, ClaimState state, Situation situation) {
        ClaimState current = provisioning.rememberingWhatWasMade(state, situation);
        Optional<PersistentVolumeClaim> found = BinderContext.claim(situation.caches(), key);
        if (found.isEmpty() || ClaimProvisioning.isOrphaned(found.get(), current)) {
            // OBSERVATION: the claim has gone, or storage was made for a predecessor of its name, or it has got another
            // volume
            // meanwhile. What was made still needs a volume object, so that it is reclaimed.
            return provisioning.claimGone(key, current, situation);
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent()) {
            return bound.decide(claim, current, situation);
        }
        return ClaimProvisioning.isWaitingForItsVolume(claim, current)
                ? ClaimProvisioning.createVolume(claim, current, situation)
                : unbound.decide(claim, current, situation);
    }
}

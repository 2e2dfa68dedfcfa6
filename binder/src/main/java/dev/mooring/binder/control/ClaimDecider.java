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
        Optional<PersistentVolumeClaim> claim = BinderContext.claim(situation.caches(), key);
        if (claim.isEmpty()) {
            // OBSERVATION: the claim has gone. Storage that was made for it still needs a volume object, so that it is
            // reclaimed.
            return provisioning.claimGone(key, state, situation);
        }
        return claim.get().metadata().annotation(Annotations.BIND_COMPLETED).isPresent()
                ? bound.decide(claim.get(), state, situation)
                : unbound.decide(claim.get(), state, situation);
    }
}

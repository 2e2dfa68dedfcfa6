// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import java.util.List;
import org.apiguardian.api.API;

/** The invariants of Mooring. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Invariants {
    private Invariants() {}

    /**
     * Those of semantics/binder §7.1 (I1–I3, I5–I10), of semantics/attach-and-mount §7.7 (S1–S12, S14–S17, and of S18 what is asked for)
     * and of its liveness (L1–L5, L7), as far as a simulated world can show them; that an event says why an object waits (N1); and that
     * data is neither lost nor shown to others.
     *
     * @return new ones, for one world
     */
    public static List<Invariant> standard() {
        ForcedDetachments forced = new ForcedDetachments();
        return List.of(
                forced, // before those who ask it
                new BindingRules(),
                new ProtectionRules(),
                new AttachmentInvariants(forced),
                new UncertaintyInvariants(forced),
                new SizeAndMessageInvariants(),
                new GrowthRules(),
                new AttributesRules(),
                new TermRules(),
                new ContentInvariants(),
                new SettledInvariants(),
                new ServingRules(),
                new EphemeralRules(),
                new LivenessRules(),
                new WaitingRules());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import org.apiguardian.api.API;

/** Switches that change how the binder behaves (semantics/binder §7, {@code docs/inside/parity.md}). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum BinderSwitch {
    /**
     * A volume pre-bound to the claim in a wider access-mode group loses against an unbound one in a narrower group, as upstream (T3,
     * D2).
     */
    UPSTREAM_MATCHING(false),

    /** Only a volume whose phase is Available can be matched, as upstream; else a new volume can be matched at once (D17). */
    UPSTREAM_PHASE_ORDER(false),

    /** A claim becomes Lost by what the cache shows, and a claimRef without uid counts as misbound, as upstream (D7). */
    UPSTREAM_LOST_SEMANTICS(false),

    /** The four writes of a bind come one after the other, in upstream's order; else both statuses are written at once (D5). */
    ORDERED_STATUS_WRITES(false),

    /** A volume and a claim that a user tied together are not bound if they do not fit; else they are, with a warning (D8). */
    STRICT_PREBIND(false),

    /**
     * A claim that waits for its first consumer takes the node of a pod that was put there without a scheduler; else it waits, as
     * upstream (semantics/binder §5.7, #95767).
     */
    SELECT_NODE_OF_ASSIGNED_PODS(false),

    /** Volumes of policy Recycle are recycled; else they stay Released (D12). */
    RECYCLE(true),

    /** Claims of a class get new volumes (P0). */
    DYNAMIC_PROVISIONING(true),

    /** Snapshots are made of volumes, and claims filled from them; the store has to serve {@code Kinds.OF_SNAPSHOTS}. */
    SNAPSHOTS(false),

    /**
     * Other controllers may make snapshots of the same cluster: snapshots of drivers that no plugin here serves are theirs, and users'
     * VolumeSnapshots are a snapshot-controller's while its Lease is held.
     */
    SNAPSHOTS_BESIDE_OTHERS(false);

    private final boolean byDefault;

    BinderSwitch(boolean byDefault) {
        this.byDefault = byDefault;
    }

    /** Whether it is on by default. */
    public boolean byDefault() {
        return byDefault;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import org.apiguardian.api.API;

/**
 * Where Mooring deliberately differs from Kubernetes' binder and may be told not to (semantics/binder §7).
 *
 * @param strictPeerMatching a volume pre-bound to the claim in a wider access-mode group loses against an unbound one in a narrower
 *     group, as upstream (T3, D2)
 * @param peerPhaseOrder only a volume whose phase is Available can be matched, as upstream; else a new volume can be matched at once (D17)
 * @param peerLostSemantics a claim becomes Lost by what the cache shows, and a claimRef without uid counts as misbound, as upstream (D7)
 * @param enableRecycle whether volumes of policy Recycle are recycled; else they stay Released (D12)
 * @param enableDynamicProvisioning whether claims get new volumes
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BinderOptions(
        boolean strictPeerMatching,
        boolean peerPhaseOrder,
        boolean peerLostSemantics,
        boolean enableRecycle,
        boolean enableDynamicProvisioning) {
    /** Mooring's own behaviour. */
    public static final BinderOptions DEFAULT = new BinderOptions(false, false, false, true, true);

    /** The same with or without strict peer matching. */
    public BinderOptions withStrictPeerMatching(boolean on) {
        return new BinderOptions(on, peerPhaseOrder, peerLostSemantics, enableRecycle, enableDynamicProvisioning);
    }

    /** The same with or without the peer's order of phases. */
    public BinderOptions withPeerPhaseOrder(boolean on) {
        return new BinderOptions(strictPeerMatching, on, peerLostSemantics, enableRecycle, enableDynamicProvisioning);
    }

    /** The same with or without the peer's meaning of Lost. */
    public BinderOptions withPeerLostSemantics(boolean on) {
        return new BinderOptions(strictPeerMatching, peerPhaseOrder, on, enableRecycle, enableDynamicProvisioning);
    }

    /** The same with or without recycling. */
    public BinderOptions withRecycle(boolean on) {
        return new BinderOptions(strictPeerMatching, peerPhaseOrder, peerLostSemantics, on, enableDynamicProvisioning);
    }

    /** The same with or without dynamic provisioning. */
    public BinderOptions withDynamicProvisioning(boolean on) {
        return new BinderOptions(strictPeerMatching, peerPhaseOrder, peerLostSemantics, enableRecycle, on);
    }
}

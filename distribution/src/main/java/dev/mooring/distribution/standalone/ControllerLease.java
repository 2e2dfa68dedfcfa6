// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.distribution.controller.ControllerSettings;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lease by which a {@code mooring controller} leads, held by the server itself, whose own controllers decide. It is not renewed: who
 * can read it talks to the server that holds it.
 */
final class ControllerLease {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerLease.class);
    private static final ObjectKey KEY =
            ObjectKey.of(ControllerSettings.LEASE_NAMESPACE, ControllerSettings.LEASE_NAME);
    /** Others wait so long after they saw it last: for ever. */
    private static final long SECONDS = Integer.MAX_VALUE;

    private final ClusterStore store;
    private final InstantSource clock;

    ControllerLease(ClusterStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /**
     * Has it from now on, also if another had it; writes nothing if it is held.
     *
     * @return whether it was another's, who may not know yet that it leads no more
     */
    boolean take() {
        Optional<Lease> there = store.get(Kinds.LEASE, KEY).value();
        if (there.filter(lease -> isHeld(lease.spec())).isPresent()) {
            return false;
        }
        String before = there.map(lease -> lease.spec().holderIdentity()).orElse("");
        StoreResult<Lease> written = there.map(this::replace).orElseGet(this::create);
        written.ifFailed(failed -> {
            LOG.warn("the lease {} cannot be taken: {}", KEY, failed.message());
        });
        boolean foreign = !before.isEmpty() && !before.equals(Claims.HOLDER);
        if (foreign) {
            LOG.warn("the controllers of this server lead instead of {}", before);
        }
        return foreign;
    }

    private static boolean isHeld(LeaseSpec spec) {
        return spec.holderIdentity().equals(Claims.HOLDER)
                && spec.leaseDurationSeconds().equals(Optional.of(SECONDS));
    }

    private StoreResult<Lease> create() {
        ObjectMeta metadata = ObjectMeta.EMPTY.withNamespace(KEY.namespace()).withName(KEY.name());
        return store.create(Kinds.LEASE, new Lease(metadata, held(LeaseSpec.EMPTY)));
    }

    private StoreResult<Lease> replace(Lease there) {
        LeaseSpec spec = held(there.spec()).withLeaseTransitions(there.spec().leaseTransitions() + 1);
        return store.update(Kinds.LEASE, new Change<>(there, there.withSpec(spec)));
    }

    private LeaseSpec held(LeaseSpec spec) {
        Optional<Instant> now = Optional.of(clock.instant());
        return spec.withHolderIdentity(Claims.HOLDER)
                .withLeaseDurationSeconds(Optional.of(SECONDS))
                .withAcquireTime(now)
                .withRenewTime(now);
    }
}

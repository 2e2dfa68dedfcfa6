// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is known of one volume while it is staged; every change is durable before the effect that it announces. For one thread. */
final class Journal {
    private final IscsiCall call;
    private final StagedLedger ledger;
    private final VolumeId volume;
    private final List<Portal> lacking = new ArrayList<>();
    private Staged now;

    Journal(IscsiCall call, VolumeId volume, Staged start) {
        this.call = call;
        this.ledger = new StagedLedger(call.host());
        this.volume = volume;
        this.now = start;
    }

    Staged now() {
        return now;
    }

    VolumeId volume() {
        return volume;
    }

    Outcome<Nothing> note(UnaryOperator<Staged> change) {
        Staged next = change.apply(now);
        if (next.equals(now) && !next.portals().isEmpty()) {
            return Outcome.done();
        }
        List<PortalUse> before = now.portals();
        now = next;
        return call.withLedger(() -> ledger.find(volume).then(stored -> {
                    stored.ifPresent(entry -> inherit(entry, before));
                    return ledger.put(volume, now);
                }))
                .then(nothing -> remember(now));
    }

    /** A volume that goes may have left a session to this one: what was not changed here is as it is noted. */
    private void inherit(Staged stored, List<PortalUse> untouched) {
        for (PortalUse use : stored.portals()) {
            boolean same = now.use(use.portal()).filter(untouched::contains).isPresent();
            if (same && !now.portals().contains(use)) {
                now = now.with(use);
            }
        }
    }

    /**
     * What is ours of a portal: of this volume, or else of another one of this node that uses the same sessions. The caller holds the
     * target, so that it does not change afterwards.
     */
    Outcome<Optional<PortalUse>> known(Portal portal) {
        return ledger.find(volume).then(stored -> {
            stored.ifPresent(entry -> inherit(entry, now.portals()));
            return now.use(portal).isPresent() ? Outcome.done(now.use(portal)) : ofOthers(portal);
        });
    }

    /** Prefers the volume that began the present session: one that joined another program's session knows less. */
    private Outcome<Optional<PortalUse>> ofOthers(Portal portal) {
        return ledger.others(volume)
                .map(others -> others.stream()
                        .map(StagedLedger.Entry::staged)
                        .filter(other -> other.uses(now.iqn(), portal, now.iface()))
                        .flatMap(other -> other.use(portal).stream())
                        .max(Comparator.comparing(PortalUse::session)));
    }

    /** Over a portal there is no path; it is noted once {@linkplain #settle everything else} is done. */
    void lacks(Portal portal) {
        lacking.add(portal);
    }

    /** Notes what is missing in the place of what was: not before, so that after a crash it is looked for again. */
    Outcome<Nothing> settle() {
        List<Portal> missing = lacking.stream().distinct().toList();
        return note(before -> before.withMissing(missing));
    }

    private Outcome<Nothing> remember(Staged next) {
        Outcome<Nothing> remembered = call.context().remember(next.toState());
        // the ledger alone is enough where the host keeps no record
        return remembered.isRefused(Refusal.UNSUPPORTED) ? Outcome.done() : remembered;
    }
}

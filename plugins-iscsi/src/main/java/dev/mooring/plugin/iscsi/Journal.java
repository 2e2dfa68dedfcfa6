// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What is known of one volume while it is staged; every change is durable before the effect that it announces. For one thread. */
final class Journal {
    private final Call call;
    private final Ledger ledger;
    private final VolumeId volume;
    private final List<Portal> lacking = new ArrayList<>();
    private Staged now;

    Journal(Call call, VolumeId volume, Staged start) {
        this.call = call;
        this.ledger = new Ledger(call.host());
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
        now = next;
        return ledger.put(volume, next).then(nothing -> remember(next));
    }

    /** What is ours of a portal: of this volume, or else of another one of this node that uses the same sessions. */
    Outcome<Optional<PortalUse>> known(Portal portal) {
        return now.use(portal).isPresent()
                ? Outcome.done(now.use(portal))
                : ledger.others(volume)
                        .map(others -> others.stream()
                                .filter(other -> other.uses(now.iqn(), portal, now.iface()))
                                .flatMap(other -> other.use(portal).stream())
                                .findFirst());
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

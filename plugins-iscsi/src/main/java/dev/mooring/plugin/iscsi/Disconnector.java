// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.plugin.iscsi.IscsiSessions.Session;
import dev.mooring.plugin.iscsi.Iscsiadm.Node;
import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.plugin.iscsi.StagedLedger.Entry;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends the sessions and removes the records that only this volume used and that are ours (semantics/plugins §3.6, steps 8 to 10). The
 * caller holds the target.
 */
final class Disconnector {
    /** The caller holds the target, so that what takes longer is looked at again later. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final List<Duration> REPEATS =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30));

    private final IscsiCall call;
    private final StagedLedger ledger;
    private final IscsiSessions sessions;
    private final Records records;
    private final Iscsiadm iscsiadm;

    Disconnector(IscsiCall call) {
        this.call = call;
        this.ledger = new StagedLedger(call.host());
        this.sessions = new IscsiSessions(call.host().sysfs());
        this.records = new Records(call);
        this.iscsiadm = new Iscsiadm(call);
    }

    Outcome<Nothing> disconnect(VolumeId volume, Staged staged) {
        return ledger.others(volume)
                .then(others -> Steps.each(staged.portals(), use -> disconnect(staged, use, others))
                        .then(nothing -> Steps.each(staged.asked(), portal -> TargetDiscovery.forget(call, portal)))
                        .then(nothing -> Interfaces.release(call, staged, others)));
    }

    private Outcome<Nothing> disconnect(Staged staged, PortalUse use, List<Entry> others) {
        if (!use.session()) {
            return Outcome.done();
        }
        Node node = new Node(staged.iqn(), use.portal(), "", staged.iface());
        List<Entry> needed = others.stream()
                .filter(other -> other.staged().uses(staged.iqn(), use.portal(), staged.iface()))
                .toList();
        if (!needed.isEmpty()) {
            return left(node, use, needed);
        }
        return surely(node, use)
                .then(found -> found.isEmpty()
                        ? forget(node, use)
                        : mayEnd(found.get())
                                .then(may -> may
                                        ? end(node).then(nothing -> forget(node, use))
                                        : NodeRecord.takeBack(call, node, use)));
    }

    /** Others use it still: one of them has to know what is ours of it, since the last one takes that away. */
    private Outcome<Nothing> left(Node node, PortalUse use, List<Entry> needed) {
        PortalUse ours = use.withDoubt(use.doubt().filter(doubt -> inDoubt(use)));
        List<Entry> knowing = needed.stream()
                .filter(other -> other.staged().use(use.portal()).stream()
                        .anyMatch(theirs -> theirs.inheriting(ours).equals(theirs)))
                .toList();
        // who does not know of our secrets will not take them away
        boolean lent = needed.stream()
                .flatMap(other -> other.staged().use(use.portal()).stream())
                .anyMatch(theirs -> theirs.lent().isPresent());
        return (lent ? Outcome.done() : NodeRecord.takeBack(call, node, use))
                .then(nothing -> knowing.isEmpty() ? bequeath(ours, needed.get(0)) : Outcome.done());
    }

    /** Where the agent dies before our entry goes, both have it, and whichever goes last takes it away. */
    private Outcome<Nothing> bequeath(PortalUse ours, Entry heir) {
        return call.withLedger(() -> ledger.find(heir.id()).then(staged -> {
            Optional<PortalUse> theirs = staged.flatMap(known -> known.use(ours.portal()));
            return theirs.isEmpty()
                    ? Outcome.deferred("the volumes that use the session over " + ours.portal() + " have changed")
                    : ledger.put(heir.id(), staged.get().with(theirs.get().inheriting(ours)));
        }));
    }

    /** The session, or that there is none and none will come of a login of ours. */
    private Outcome<Optional<Session>> surely(Node node, PortalUse use) {
        Duration moment = inDoubt(use) ? PATIENCE : Duration.ZERO;
        return call.await(moment, () -> session(node))
                .then(found -> found.isEmpty() && inDoubt(use)
                        ? Outcome.uncertain("a login over " + use.portal() + " that was interrupted may still succeed")
                        : Outcome.done(found));
    }

    private boolean inDoubt(PortalUse use) {
        Instant now = call.context().clock().instant();
        return use.doubt().filter(doubt -> doubt.mayComeTrue(now, call.boot())).isPresent();
    }

    private Outcome<Optional<Session>> session(Node node) {
        return sessions.find(node.iqn(), node.portal(), node.iface());
    }

    /** A disk that another program brought in keeps the session. */
    private Outcome<Boolean> mayEnd(Session session) {
        return sessions.places(session)
                .then(places -> Steps.collect(places, sessions::disk))
                .map(disks -> {
                    List<String> left = disks.stream().flatMap(Optional::stream).toList();
                    if (!left.isEmpty()) {
                        call.context()
                                .report(Notice.normal(
                                        "SessionKept",
                                        "the session over " + session.portal() + " is kept, since it also has "
                                                + String.join(", ", left)));
                    }
                    return left.isEmpty();
                });
    }

    private Outcome<Nothing> end(Node node) {
        Outcome<Nothing> outcome = logout(node);
        for (Duration moment : REPEATS) {
            if (!outcome.isUncertain() || call.context().cancelled()) {
                return outcome;
            }
            call.pass(moment);
            outcome = logout(node);
        }
        return outcome;
    }

    private Outcome<Nothing> logout(Node node) {
        return iscsiadm.logout(node)
                .then(reply -> session(node)
                        .then(left -> reply.judge(Action.LOGOUT, left.isPresent() ? Seen.PRESENT : Seen.ABSENT, 1)));
    }

    private Outcome<Nothing> forget(Node node, PortalUse use) {
        if (!use.record()) {
            return NodeRecord.takeBack(call, node, use);
        }
        return records.find(node.iqn(), node.portal(), node.iface()).then(found -> {
            if (found.isEmpty()) {
                return Outcome.done();
            }
            return iscsiadm.delete(node.of(found.get().group()))
                    .then(reply -> records.find(node.iqn(), node.portal(), node.iface())
                            .then(left ->
                                    reply.judge(Action.DELETE, left.isPresent() ? Seen.PRESENT : Seen.ABSENT, 1)));
        });
    }
}

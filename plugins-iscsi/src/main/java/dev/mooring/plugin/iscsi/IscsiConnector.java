// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.plugin.iscsi.IscsiSessions.Session;
import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sees to a session over every portal (semantics/plugins §3.5, steps 2 to 7). The caller holds the target. */
final class IscsiConnector {
    private static final Duration RECOVERY = Duration.ofSeconds(10);
    private static final Duration APPEARANCE = Duration.ofSeconds(5);

    private final IscsiCall call;
    private final Plan plan;
    private final Journal journal;
    private final IscsiSessions sessions;
    private final Iscsiadm iscsiadm;
    private final NodeRecord nodeRecord;

    IscsiConnector(IscsiCall call, Plan plan, Journal journal) {
        this.call = call;
        this.plan = plan;
        this.journal = journal;
        this.sessions = new IscsiSessions(call.host().sysfs());
        this.iscsiadm = new Iscsiadm(call);
        this.nodeRecord = new NodeRecord(call, plan, journal);
    }

    /** The sessions that could be had: at least one. */
    Outcome<List<Session>> connect() {
        return new Interfaces(call, journal).ensure(plan).then(nothing -> all());
    }

    private Outcome<List<Session>> all() {
        List<Session> connected = new ArrayList<>();
        List<Outcome<Session>> failures = new ArrayList<>();
        for (Portal portal : plan.portals()) {
            Outcome<Session> outcome = connect(portal);
            outcome.result().ifPresent(connected::add);
            if (!outcome.isDone()) {
                failures.add(outcome);
                journal.lacks(portal);
                call.context()
                        .report(Notice.warning(
                                "VolumePathMissing", "no path over " + portal + ": " + outcome.message()));
            }
        }
        return connected.isEmpty() ? worst(failures).failed() : Outcome.done(connected);
    }

    /** What may exist has to be undone, so uncertainty comes first; what may get better comes before what will not. */
    private static Outcome<?> worst(List<Outcome<Session>> failures) {
        return failures.stream()
                .filter(Outcome::isUncertain)
                .findFirst()
                .or(() -> failures.stream()
                        .filter(failure -> !failure.isRefused())
                        .findFirst())
                .orElse(failures.get(0));
    }

    private Outcome<Session> connect(Portal portal) {
        return session(portal).then(found -> found.isPresent() ? join(found.get()) : login(portal));
    }

    private Outcome<Optional<Session>> session(Portal portal) {
        return sessions.find(plan.source().iqn(), portal, journal.now().iface());
    }

    /** Uses a session that is there: ours if we, or another volume of this node, began it. */
    private Outcome<Session> join(Session session) {
        Portal portal = session.portal();
        return journal.known(portal)
                // whatever login it came of has ended
                .then(known -> journal.note(now -> now.with(known.map(use -> use.withDoubt(Optional.empty()))
                        .orElseGet(() -> new PortalUse(portal, false, false)))))
                .then(nothing -> session.loggedIn() ? Outcome.done(session) : recovered(portal));
    }

    /** A session that recovers belongs to its users: it is waited for, never ended. */
    private Outcome<Session> recovered(Portal portal) {
        return call.await(RECOVERY, () -> session(portal).map(found -> found.filter(Session::loggedIn)))
                .then(found -> found.map(Outcome::done)
                        .orElseGet(() -> Outcome.deferred("the session over " + portal + " is recovering")));
    }

    /** It is in doubt from before it begins until its end was seen: a session that comes late is ours to end. */
    private Outcome<Session> login(Portal portal) {
        return nodeRecord.prepare(portal).then(node -> {
            Optional<Login.Doubt> earlier = journal.now()
                    .use(portal)
                    .flatMap(PortalUse::doubt)
                    .filter(doubt -> doubt.mayComeTrue(call.context().clock().instant(), call.boot()));
            Outcome<Nothing> begun = doubted(portal, Optional.of(doubt(Login.LONGEST)));
            // what could not be noted in whole has not begun, and nothing will come of it
            Outcome<Session> outcome = begun.then(nothing -> attempted(portal, node));
            boolean doubtful = begun.isDone() && outcome.isUncertain();
            Optional<Login.Doubt> left = doubtful ? Optional.of(doubt(Login.GOES_ON)) : Optional.empty();
            // this login has failed; that does not prove that an earlier one with an unknown end has failed
            Outcome<Nothing> noted = doubted(portal, outcome.isDone() ? left : Login.later(earlier, left));
            return outcome.then(session -> noted.map(nothing -> session));
        });
    }

    private Login.Doubt doubt(Duration howLong) {
        return new Login.Doubt(call.context().clock().instant().plus(howLong), call.boot());
    }

    private Outcome<Nothing> doubted(Portal portal, Optional<Login.Doubt> doubt) {
        return journal.note(now ->
                now.use(portal).map(use -> now.with(use.withDoubt(doubt))).orElse(now));
    }

    private Outcome<Session> attempted(Portal portal, Iscsiadm.Node node) {
        return iscsiadm.login(node).then(reply -> {
            boolean soon = reply.code() == 0 || reply.code() == IscsiExit.EXISTS;
            return call.await(
                            soon ? APPEARANCE : Duration.ZERO,
                            () -> session(portal).map(found -> found.filter(Session::loggedIn)))
                    .then(found -> judged(node, reply, found));
        });
    }

    private Outcome<Session> judged(Iscsiadm.Node node, Iscsiadm.Reply reply, Optional<Session> session) {
        Outcome<Nothing> verdict = reply.judge(
                Action.LOGIN,
                session.isPresent() ? Seen.PRESENT : Seen.ABSENT,
                call.context().attempt());
        if (session.isPresent()) {
            return Outcome.done(session.get());
        }
        Outcome<Nothing> told = verdict.isRefused(Refusal.DENIED)
                ? nodeRecord.withoutSecrets(node).then(nothing -> verdict)
                : verdict;
        return told.then(nothing -> Outcome.uncertain("the login succeeded, and there is no session"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.plugin.iscsi.Iscsiadm.Node;
import dev.mooring.plugin.iscsi.Records.Found;
import dev.mooring.plugin.iscsi.Staged.PortalUse;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sees to the record that a login goes by (semantics/plugins §3.5, steps 4 to 6). */
final class NodeRecord {
    private static final String MANUAL = "manual";
    private static final String SHORT_RECOVERY = "15";
    private static final String AUTHENTICATION = Chap.SESSION + "authmethod";
    private static final String CHAP = "CHAP";
    private static final String NONE = "None";

    private final IscsiCall call;
    private final Plan plan;
    private final Journal journal;
    private final Records records;
    private final Iscsiadm iscsiadm;

    NodeRecord(IscsiCall call, Plan plan, Journal journal) {
        this.call = call;
        this.plan = plan;
        this.journal = journal;
        this.records = new Records(call);
        this.iscsiadm = new Iscsiadm(call);
    }

    /** A record with which a login can be tried; noted as ours before it is made. */
    Outcome<Node> prepare(Portal portal) {
        return journal.known(portal)
                .then(known -> withoutTorn(portal, known).then(found -> prepare(portal, known, found)));
    }

    private Outcome<Node> prepare(Portal portal, Optional<PortalUse> known, List<Found> found) {
        Optional<Found> there = found.stream()
                .filter(record -> record.isOf(journal.now().iface()))
                .findFirst();
        boolean ours = there.isEmpty() || known.map(PortalUse::record).orElse(false);
        return lent(portal, known, there.filter(record -> !ours))
                .then(lent -> group(portal, found, there)
                        .map(group -> new Node(
                                plan.source().iqn(),
                                portal,
                                group,
                                journal.now().iface()))
                        .then(node -> journal.note(now -> now.with(
                                        new PortalUse(portal, ours, true, lent, known.flatMap(PortalUse::doubt))))
                                .then(nothing -> there.isPresent() ? Outcome.done() : iscsiadm.make(node))
                                .then(nothing -> attributes(node, ours))
                                .then(nothing -> ours || lent.isPresent() ? secrets(node) : Outcome.done())
                                .map(nothing -> node)));
    }

    private Outcome<List<Found>> withoutTorn(Portal portal, Optional<PortalUse> known) {
        return records.of(plan.source().iqn(), portal).then(all -> {
            List<Found> torn =
                    all.stream().filter(found -> found.content().isEmpty()).toList();
            boolean ours = known.map(PortalUse::record).orElse(false);
            return torn.isEmpty()
                    ? Outcome.done(all)
                    : Steps.each(torn, found -> records.removeTorn(found, ours && mayBeOf(found)))
                            .then(nothing -> records.of(plan.source().iqn(), portal))
                            .then(left -> left.stream()
                                            .anyMatch(found -> found.content().isEmpty())
                                    ? Outcome.deferred("a record of " + portal + " is just being written")
                                    : Outcome.done(left));
        });
    }

    /**
     * Our secrets go into another program's record only while it has none, and only as long as they are needed.
     *
     * @param foreign that record
     * @return its kind of authentication before, if ours come in
     */
    private Outcome<Optional<String>> lent(Portal portal, Optional<PortalUse> known, Optional<Found> foreign) {
        Optional<String> before = foreign.flatMap(record -> known.flatMap(PortalUse::lent));
        Optional<IscsiRecordText> text = foreign.flatMap(Found::content);
        if (text.isEmpty() || before.isPresent() || plan.secrets().isEmpty()) {
            return Outcome.done(before);
        }
        Optional<String> authentication = text.get().value(AUTHENTICATION);
        if (text.get().has(Chap.SESSION, Map.of())) {
            return Outcome.done(authentication.filter(CHAP::equals).or(() -> Optional.of(NONE)));
        }
        return authentication.equals(Optional.of(CHAP)) && text.get().has(Chap.SESSION, plan.secrets())
                ? Outcome.done(Optional.empty())
                : Outcome.refused(
                        Refusal.INCOMPATIBLE,
                        "the record of iscsiadm for " + portal + " of "
                                + plan.source().iqn()
                                + " is not ours and has other CHAP names or secrets than the volume");
    }

    /** Removes our secrets from another program's record. */
    static Outcome<Nothing> takeBack(IscsiCall call, Node node, PortalUse use) {
        if (use.lent().isEmpty()) {
            return Outcome.done();
        }
        Records records = new Records(call);
        return records.find(node.iqn(), node.portal(), node.iface())
                .then(found -> found.isEmpty()
                        ? Outcome.done()
                        : records.write(found.get(), Chap.SESSION, Map.of())
                                .then(nothing -> new Iscsiadm(call)
                                        .set(
                                                node.of(found.get().group()),
                                                AUTHENTICATION,
                                                use.lent().get())));
    }

    /** A wrong secret must not be tried again. A secret that is not ours is not ours to remove. */
    Outcome<Nothing> withoutSecrets(Node node) {
        Optional<PortalUse> use = journal.now().use(node.portal());
        if (plan.secrets().isEmpty() || use.isEmpty()) {
            return Outcome.done();
        }
        return use.get().record()
                ? records.find(node.iqn(), node.portal(), node.iface())
                        .then(found ->
                                found.isEmpty() ? Outcome.done() : records.write(found.get(), Chap.SESSION, Map.of()))
                : takeBack(call, node, use.get())
                        .then(nothing -> journal.note(now -> now.with(use.get().withLent(Optional.empty()))));
    }

    /** The file of an interface bears its name, and the one file of a portal that of the portal. */
    private boolean mayBeOf(Found found) {
        return found.name().equals(journal.now().iface()) || found.name().contains(",");
    }

    /**
     * The portal group, which a record needs to stand beside those of other interfaces: without it the data base has place for one
     * record of a portal.
     */
    private Outcome<String> group(Portal portal, List<Found> found, Optional<Found> there) {
        if (there.isPresent()) {
            return Outcome.done(there.get().group());
        }
        Optional<String> known = found.stream()
                .map(Found::group)
                .filter(group -> !group.isEmpty())
                .findFirst();
        if (known.isPresent()) {
            return Outcome.done(known.get());
        }
        return plan.settings().discovery() == Settings.Discovery.STATIC && found.isEmpty()
                ? Outcome.done("")
                : discovered(portal);
    }

    private Outcome<String> discovered(Portal portal) {
        return new TargetDiscovery(call, plan, journal)
                .ask(portal)
                .then(reply -> reply.judge(Action.DISCOVERY, Seen.UNKNOWN, 1)
                        .then(nothing -> reply.output()
                                .lines()
                                .flatMap(line -> TargetDiscovery.group(
                                        line, portal, plan.source().iqn())
                                        .stream())
                                .findFirst()
                                .map(Outcome::done)
                                .orElseGet(() -> Outcome.refused(
                                        Refusal.NOT_FOUND,
                                        portal + " does not offer the target "
                                                + plan.source().iqn()))));
    }

    /** Before the login, so that no reboot logs in by itself and no login looks at other units (#21305, #90982). */
    private Outcome<Nothing> attributes(Node node, boolean madeByUs) {
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("node.startup", MANUAL);
        wanted.put("node.session.scan", MANUAL);
        wanted.put("node.session.initial_login_retry_max", Integer.toString(Login.REPETITIONS));
        wanted.put("node.conn[0].timeo.login_timeout", Long.toString(Login.TIMEOUT.toSeconds()));
        if (plan.manyPaths()) {
            wanted.put("node.session.timeo.replacement_timeout", SHORT_RECOVERY);
        }
        if (!plan.secrets().isEmpty()) {
            wanted.put(AUTHENTICATION, CHAP);
        } else if (madeByUs) {
            wanted.put(AUTHENTICATION, NONE);
        }
        return records.find(node.iqn(), node.portal(), node.iface())
                .then(found -> Steps.each(
                        wanted.entrySet(),
                        attribute -> has(found, attribute)
                                ? Outcome.done()
                                : iscsiadm.set(node, attribute.getKey(), attribute.getValue())));
    }

    /** Each setting is a process that holds the data base's lock: what stands there already is not written again. */
    private static boolean has(Optional<Found> record, Map.Entry<String, String> attribute) {
        return record.flatMap(Found::content)
                .flatMap(text -> text.value(attribute.getKey()))
                .filter(attribute.getValue()::equals)
                .isPresent();
    }

    private Outcome<Nothing> secrets(Node node) {
        if (plan.secrets().isEmpty()) {
            return Outcome.done();
        }
        return records.find(node.iqn(), node.portal(), node.iface())
                .then(found -> found.isEmpty()
                        ? Outcome.refused(
                                Refusal.UNSUPPORTED,
                                "the record of " + node.portal() + " is not where open-iscsi keeps records")
                        : records.write(found.get(), Chap.SESSION, plan.secrets()));
    }
}

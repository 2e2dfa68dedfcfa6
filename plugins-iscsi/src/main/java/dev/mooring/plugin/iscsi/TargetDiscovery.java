// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SecretValue;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a portal which targets it has, and writes down none of them (semantics/plugins §3.5, step 4). Where the portal asks for secrets,
 * they are in a record of the portal as long as the question takes. Another program's record is used as it is.
 */
final class TargetDiscovery {
    private static final Pattern LINE = Pattern.compile("(\\S+):(\\d{1,5}),(\\d{1,9}) (\\S+)");

    private final IscsiCall call;
    private final Plan plan;
    private final Journal journal;
    private final Records records;
    private final Iscsiadm iscsiadm;

    TargetDiscovery(IscsiCall call, Plan plan, Journal journal) {
        this.call = call;
        this.plan = plan;
        this.journal = journal;
        this.records = new Records(call);
        this.iscsiadm = new Iscsiadm(call);
    }

    Outcome<Iscsiadm.Reply> ask(Portal portal) {
        return Chap.ofDiscovery(call.context(), plan.request().volume().source(), plan.source())
                .then(secrets -> secrets.isEmpty()
                        ? iscsiadm.discover(portal, plan.iface())
                        : call.alone(() -> ask(portal, secrets)));
    }

    private Outcome<Iscsiadm.Reply> ask(Portal portal, Map<String, SecretValue> secrets) {
        return records.ofDiscovery(portal).then(found -> {
            boolean others = found.isPresent() && !journal.now().asked().contains(portal);
            return others
                    ? iscsiadm.discover(portal, plan.iface())
                    : journal.note(now -> now.withAsked(portal))
                            .then(nothing -> iscsiadm.prepareDiscovery(portal, plan.iface()))
                            .then(nothing -> records.ofDiscovery(portal))
                            .then(record -> write(portal, record, secrets))
                            .then(nothing -> iscsiadm.discover(portal, plan.iface()))
                            .then(reply -> forget(call, portal)
                                    .then(nothing -> journal.note(now -> now.withoutAsked(portal)))
                                    .map(nothing -> reply));
        });
    }

    private Outcome<Nothing> write(Portal portal, Optional<Records.Found> record, Map<String, SecretValue> secrets) {
        return record.isPresent()
                ? records.write(record.get(), Chap.DISCOVERY, secrets)
                : Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "the discovery record of " + portal + " is not where open-iscsi keeps records");
    }

    /** Removes a discovery record of ours. */
    static Outcome<Nothing> forget(IscsiCall call, Portal portal) {
        Records records = new Records(call);
        return records.ofDiscovery(portal)
                .then(found -> found.isEmpty()
                        ? Outcome.done()
                        : new Iscsiadm(call)
                                .deleteDiscovery(portal)
                                .then(reply -> records.ofDiscovery(portal)
                                        .then(left -> reply.judge(
                                                Action.DELETE, left.isPresent() ? Seen.PRESENT : Seen.ABSENT, 1))));
    }

    /** The portal group in a line such as {@code 10.0.0.1:3260,1 iqn…}, if it is of this portal and target. */
    static Optional<String> group(String line, Portal portal, String iqn) {
        Matcher matcher = LINE.matcher(line.strip());
        if (!matcher.matches() || !matcher.group(4).equals(iqn)) {
            return Optional.empty();
        }
        return Portal.parse(matcher.group(1) + ":" + matcher.group(2))
                .filter(portal::equals)
                .map(found -> matcher.group(3));
    }
}

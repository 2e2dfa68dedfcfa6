// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.List;

/** Interface records of our own, for volumes that name an initiator (semantics/plugins §3.5, step 2). */
final class Interfaces {
    private static final String NAME = "iface.iscsi_ifacename";
    private static final String SEPARATOR = " = ";

    private final Journal journal;
    private final Iscsiadm iscsiadm;

    Interfaces(IscsiCall call, Journal journal) {
        this.journal = journal;
        this.iscsiadm = new Iscsiadm(call);
    }

    Outcome<Nothing> ensure(Plan plan) {
        String base = IscsiSources.baseInterface(plan.source());
        if (!plan.ownInitiator()) {
            return journal.note(now -> now.withIface(base, false));
        }
        String name = plan.iface();
        return journal.note(now -> now.withIface(name, true))
                .then(nothing -> iscsiadm.iface(name, "-o", "new"))
                .then(nothing -> iscsiadm.askIface(base, "-o", "show"))
                .then(shown -> shown.code() == 0
                        ? copy(shown.output(), name)
                        : Outcome.refused(
                                Refusal.NOT_FOUND, "there is no interface record " + base + ": " + shown.text()))
                .then(nothing -> iscsiadm.iface(
                        name,
                        "-o",
                        "update",
                        "-n",
                        "iface.initiatorname",
                        "-v",
                        plan.source().initiatorName()));
    }

    /** Takes over what differs from a new record: what is neither empty nor zero. */
    private Outcome<Nothing> copy(String base, String name) {
        List<String[]> fields = base.lines()
                .filter(line -> line.startsWith("iface.") && line.contains(SEPARATOR))
                .map(line -> line.split(SEPARATOR, 2))
                .filter(field -> !field[0].equals(NAME) && !field[1].equals("<empty>") && !field[1].equals("0"))
                .toList();
        return Steps.each(fields, field -> iscsiadm.iface(name, "-o", "update", "-n", field[0], "-v", field[1]));
    }

    /** Removes ours when no other volume uses it. */
    static Outcome<Nothing> release(IscsiCall call, Staged staged, List<StagedLedger.Entry> others) {
        boolean needed =
                others.stream().anyMatch(other -> other.staged().iface().equals(staged.iface()));
        if (!staged.ifaceOurs() || needed) {
            return Outcome.done();
        }
        return new Iscsiadm(call)
                .askIface(staged.iface(), "-o", "delete")
                .then(reply -> reply.judge(Action.DELETE, Seen.UNKNOWN, 1));
    }
}

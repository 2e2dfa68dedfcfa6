// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.iscsi.IscsiExit.Action;
import dev.mooring.plugin.iscsi.IscsiExit.Seen;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs {@code iscsiadm}: what writes the data base one at a time on the node, each for exactly one target, portal and interface, since
 * with several of them the first error hides what became of the others (semantics/plugins §3.2). No secret is ever among the arguments.
 */
final class Iscsiadm {
    private static final String TOOL = "iscsiadm";
    private static final Duration LOGOUT = Duration.ofSeconds(40);
    private static final Duration OTHER = Duration.ofSeconds(40);

    private final IscsiCall call;

    Iscsiadm(IscsiCall call) {
        this.call = call;
    }

    /**
     * What the tool said.
     *
     * @param code its exit code, or {@link IscsiExit#KILLED}
     * @param text its complaint
     * @param output what it wrote on standard output
     */
    record Reply(int code, String text, String output) {
        Outcome<Nothing> judge(Action action, Seen seen, int attempt) {
            return IscsiExit.outcome(action, code, text, seen, attempt);
        }
    }

    Outcome<Reply> login(Node node) {
        return session(Login.LIMIT, node, "--login");
    }

    Outcome<Reply> logout(Node node) {
        return session(LOGOUT, node, "--logout");
    }

    /** Beside what else is done on the node: it only reads the data base, and a target that does not answer must not block other work. */
    private Outcome<Reply> session(Duration limit, Node node, String action) {
        return once(node.iqn() + " over " + node.portal() + " by " + node.iface(), limit, node.arguments(action));
    }

    Outcome<Reply> delete(Node node) {
        return run(OTHER, node.arguments("-o", "delete"));
    }

    Outcome<Nothing> make(Node node) {
        return changed(node.arguments("-o", "new"));
    }

    Outcome<Nothing> set(Node node, String name, String value) {
        return changed(node.arguments("-o", "update", "-n", name, "-v", value));
    }

    Outcome<Nothing> iface(String name, String... arguments) {
        return changed(iface(name, List.of(arguments)));
    }

    Outcome<Reply> askIface(String name, String... arguments) {
        return run(OTHER, iface(name, List.of(arguments)));
    }

    private static List<String> iface(String name, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of("-m", "iface", "-I", name));
        all.addAll(arguments);
        return all;
    }

    /** Asks a portal for its targets; writes no record, but goes by the portal's discovery record if there is one. */
    Outcome<Reply> discover(Portal portal, String iface) {
        return run(OTHER, discovery(portal, "-I", iface, "-o", "nonpersistent", "--discover"));
    }

    /** Makes a discovery record that says that the portal is to be shown who asks. */
    Outcome<Nothing> prepareDiscovery(Portal portal, String iface) {
        return changed(discovery(portal, "-I", iface, "-o", "new"))
                .then(nothing ->
                        changed(discovery(portal, "-o", "update", "-n", Chap.DISCOVERY + "authmethod", "-v", "CHAP")));
    }

    Outcome<Reply> deleteDiscovery(Portal portal) {
        return run(OTHER, discovery(portal, "-o", "delete"));
    }

    private static List<String> discovery(Portal portal, String... action) {
        List<String> all = new ArrayList<>(List.of("-m", "discoverydb", "-t", "sendtargets", "-p", portal.toString()));
        all.addAll(List.of(action));
        return all;
    }

    private Outcome<Nothing> changed(List<String> arguments) {
        return run(OTHER, arguments).then(reply -> reply.judge(Action.RECORD, Seen.UNKNOWN, 1));
    }

    private Outcome<Reply> run(Duration limit, List<String> arguments) {
        return call.alone(() -> once(TOOL, limit, arguments).then(reply -> {
            boolean locked = reply.code() == IscsiExit.DATA_BASE
                    && reply.text().toLowerCase(Locale.ROOT).contains("lock");
            return locked
                    ? new DataBaseLock(call)
                            .recover()
                            .then(removed -> removed ? once(TOOL, limit, arguments) : Outcome.done(reply))
                    : Outcome.done(reply);
        }));
    }

    private Outcome<Reply> once(String thing, Duration limit, List<String> arguments) {
        return call.host()
                .processes()
                .run(call.context(), Command.change(thing, limit, TOOL, arguments))
                .map(result -> new Reply(
                        result.ending() == CommandResult.Ending.EXITED && result.exitCode() < 128
                                ? result.exitCode()
                                : IscsiExit.KILLED,
                        result.complaint(),
                        result.standardOutput()));
    }

    /**
     * A record of the data base, which is also what leads to a session.
     *
     * @param iqn the target
     * @param portal the portal
     * @param group the portal group, such as {@code 1}; empty if it is not known
     * @param iface the interface record
     */
    record Node(String iqn, Portal portal, String group, String iface) {
        /** The same with its portal group, where several records may stand side by side. */
        Node of(String itsGroup) {
            return new Node(iqn, portal, itsGroup, iface);
        }

        List<String> arguments(String... action) {
            String address = group.isEmpty() ? portal.toString() : portal + "," + group;
            List<String> all = new ArrayList<>(List.of("-m", "node", "-T", iqn, "-p", address, "-I", iface));
            all.addAll(List.of(action));
            return all;
        }
    }
}

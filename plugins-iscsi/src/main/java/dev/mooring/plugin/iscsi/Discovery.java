// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a portal which targets it has, and writes down none of them (semantics/plugins §3.5, step 4). */
final class Discovery {
    private static final Pattern LINE = Pattern.compile("(\\S+):(\\d{1,5}),(\\d{1,9}) (\\S+)");

    private final Call call;
    private final Plan plan;

    Discovery(Call call, Plan plan) {
        this.call = call;
        this.plan = plan;
    }

    Outcome<Iscsiadm.Reply> ask(Portal portal) {
        return plan.source().chapAuthDiscovery()
                ? Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "discovery with CHAP is not supported; with the annotation " + Settings.DISCOVERY
                                + ": static no discovery is needed")
                : new Iscsiadm(call).discover(portal, plan.iface());
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

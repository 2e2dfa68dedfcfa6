// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The name by which targets know a node. Two nodes of one name, such as copies of one machine, defeat access lists, reservations and the
 * exclusiveness of volumes (semantics/plugins §3.9), so a volume remembers which node used it last, under which name.
 */
final class Initiator {
    /** The note on a volume: name of the initiator, node and the node's uid. */
    static final String NOTE = "mooring.dev/iscsi-initiator";

    private static final Path DIRECTORY = Path.of("/etc/iscsi");
    private static final String FILE = "initiatorname.iscsi";
    private static final String KEY = "InitiatorName=";
    private static final int LARGEST = 65_536;

    private final IscsiCall call;

    Initiator(IscsiCall call) {
        this.call = call;
    }

    /** Refused if the volume was used by another node of this node's name. A name of the volume's own goes with the volume. */
    Outcome<Nothing> distinct(Plan plan) {
        Optional<NodeRef> node =
                call.context().node().filter(self -> !self.uid().isEmpty());
        if (plan.ownInitiator() || node.isEmpty()) {
            return Outcome.done();
        }
        return own().then(name -> name.isEmpty()
                ? Outcome.done()
                : call.context().notes().find(NOTE).then(noted -> compare(name.get(), node.get(), noted)));
    }

    private Outcome<Nothing> compare(String name, NodeRef node, Optional<String> noted) {
        String[] words = noted.orElse("").split(" ", -1);
        boolean clash = words.length == 3
                && words[0].equals(name)
                && !words[1].equals(node.name())
                && !words[2].equals(node.uid());
        if (clash) {
            return Outcome.refused(
                    Refusal.INCOMPATIBLE,
                    "node " + words[1] + " uses the initiator name of this node, " + name
                            + ": give each node its own in " + DIRECTORY.resolve(FILE)
                            + "; if that node no longer exists, remove "
                            + NOTE + " from the volume");
        }
        String value = name + " " + node.name() + " " + node.uid();
        if (noted.equals(Optional.of(value))) {
            return Outcome.done();
        }
        Outcome<Nothing> written = call.context().notes().write(NOTE, noted, value);
        // an inline source has no object
        return written.isRefused(Refusal.UNSUPPORTED) ? Outcome.done() : written;
    }

    /** As open-iscsi reads it; empty if there is none, which iscsid complains of by itself. */
    private Outcome<Optional<String>> own() {
        return call.host().files().open(DIRECTORY, LinkRule.FOLLOW).ifFound().then(found -> {
            if (found.isEmpty()) {
                return Outcome.done(Optional.empty());
            }
            try (PinnedPath directory = found.get()) {
                return directory.readFile(FILE, LARGEST).map(content -> content.flatMap(Initiator::parse));
            }
        });
    }

    private static Optional<String> parse(byte[] content) {
        return new String(content, StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(KEY))
                .map(line -> line.substring(KEY.length()).strip())
                .filter(name -> !name.isEmpty() && name.indexOf(' ') < 0)
                .findFirst();
    }
}

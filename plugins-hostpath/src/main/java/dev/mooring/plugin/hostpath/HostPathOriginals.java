// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.Optional;
import java.util.function.Predicate;

/** Opens what is copied. Only what was made here is: what else a path of the node holds is not a user's to have. */
final class HostPathOriginals {
    private HostPathOriginals() {}

    /** The directory of a volume. */
    static Outcome<PinnedPath> volume(OperationContext context, Store store, VolumeSpec source) {
        String path = store.path().resolve(Store.VOLUMES).resolve(source.name()).toString();
        boolean ours = HostPathSource.of(source.source())
                .filter(place -> place.path().equals(path))
                .isPresent();
        String why = "volume " + source.name()
                + " was not made here: only directories that were made for claims, on this node, are copied";
        return opened(context, store, source.name(), entry -> ours && entry.mayBeOf(source.uid()), why);
    }

    /** The directory of a snapshot. */
    static Outcome<PinnedPath> snapshot(OperationContext context, Store snapshots, String name) {
        return opened(context, snapshots, name, entry -> true, "there is no snapshot " + name + " on this node");
    }

    private static Outcome<PinnedPath> opened(
            OperationContext context, Store store, String name, Predicate<HostPathLedgerEntry> isMeant, String whyNot) {
        String here = context.node().map(NodeRef::uid).orElse("");
        return store.ledger().find(name).then(entry -> {
            Optional<FileIdentity> identity = entry.filter(known -> known.state() == HostPathLedgerEntry.State.READY
                            && known.nodeUid().equals(here)
                            && isMeant.test(known))
                    .flatMap(HostPathLedgerEntry::identity);
            return identity.isEmpty()
                    ? Outcome.refused(Refusal.NOT_FOUND, whyNot)
                    : store.volumes().child(name).then(original -> checked(original, identity.get(), name));
        });
    }

    private static Outcome<PinnedPath> checked(PinnedPath original, FileIdentity expected, String name) {
        Outcome<PinnedPath> checked = original.facts()
                .then(facts -> facts.identity().equals(expected) ? Outcome.done(original) : corrupt(name));
        if (!checked.isDone()) {
            original.close();
        }
        return checked;
    }

    static <T> Outcome<T> corrupt(String name) {
        return Outcome.refused(Refusal.CORRUPT, "another directory is in the place of " + name);
    }
}

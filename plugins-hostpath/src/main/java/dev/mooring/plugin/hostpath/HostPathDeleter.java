// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.DirectoryReferences;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Deletes directories that the ledger proves to be ours: moved out of the volumes in one step, then emptied, then removed, then
 * forgotten. After a crash at any point the next call goes on from what the ledger and the two directories show.
 */
final class HostPathDeleter {
    private final OperationContext context;
    private final HostPathSettings settings;

    HostPathDeleter(OperationContext context, HostPathSettings settings) {
        this.context = context;
        this.settings = settings;
    }

    Outcome<Nothing> delete(VolumeSpec volume, Path path) {
        // told by the text alone, before anything is opened: a path elsewhere is never ours
        if (!path.equals(settings.effectiveRoot().resolve(Store.VOLUMES).resolve(volume.name()))) {
            return notOurs(path);
        }
        return Store.with(
                context,
                settings,
                store -> store.ledger()
                        .find(volume.name())
                        .then(entry -> entry.map(found -> proven(store, volume, found))
                                .orElseGet(() -> unproven(store, volume.name(), path))));
    }

    private static Outcome<Nothing> notOurs(Path path) {
        return Outcome.refused(Refusal.DENIED, path + " was not created here");
    }

    /** Without an entry there is nothing of ours: either it is all gone or somebody else made it. */
    private static Outcome<Nothing> unproven(Store store, String name, Path path) {
        return open(store.volumes(), name).then(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isEmpty() ? Outcome.done() : notOurs(path);
        });
    }

    private Outcome<Nothing> proven(Store store, VolumeSpec volume, HostPathLedgerEntry entry) {
        String name = volume.name();
        if (!entry.mayBeOf(volume.uid())) {
            return MadeDirectories.stranger(settings, Path.of(Store.VOLUMES, name));
        }
        String here = context.node().map(NodeRef::uid).orElse("");
        if (!entry.nodeUid().equals(here)) {
            return Outcome.refused(Refusal.DENIED, name + " was made on another node");
        }
        Outcome<Nothing> cleared = switch (entry.state()) {
            case CREATING ->
                entry.identity().isPresent()
                        ? moveOut(store, name, entry).then(nothing -> destroy(store, name, entry))
                        // surely empty if it exists at all, and rmdir refuses anything else
                        : store.volumes()
                                .removeDirectory(name)
                                .then(nothing -> store.trash().removeDirectory(name));
            case READY -> moveOut(store, name, entry).then(nothing -> destroy(store, name, entry));
            case TRASHED -> destroy(store, name, entry);
        };
        return cleared.then(nothing -> store.ledger().remove(name));
    }

    private Outcome<Nothing> moveOut(Store store, String name, HostPathLedgerEntry entry) {
        return open(store.volumes(), name).then(found -> {
            if (found.isEmpty()) {
                // moved before a crash, or removed by hand
                return Outcome.done();
            }
            try (PinnedPath directory = found.get()) {
                return isRecorded(directory, name, entry)
                        .then(nothing -> new DirectoryReferences(context).none(directory))
                        .then(nothing -> store.volumes().rename(name, store.trash(), name))
                        .then(nothing -> store.ledger().put(name, entry.trashed()));
            }
        });
    }

    private Outcome<Nothing> destroy(Store store, String name, HostPathLedgerEntry entry) {
        return open(store.trash(), name).then(found -> {
            if (found.isEmpty()) {
                return Outcome.done();
            }
            try (PinnedPath directory = found.get()) {
                return isRecorded(directory, name, entry)
                        .then(nothing -> directory.facts())
                        .then(facts ->
                                context.host().files().empty(context, directory, TreeRules.all(facts.identity())))
                        .then(emptied -> store.trash().removeDirectory(name));
            }
        });
    }

    private static Outcome<Nothing> isRecorded(PinnedPath directory, String name, HostPathLedgerEntry entry) {
        return directory
                .facts()
                .then(facts -> entry.identity().filter(facts.identity()::equals).isPresent()
                        ? Outcome.done()
                        : Outcome.refused(
                                Refusal.CORRUPT,
                                "another directory is in the place of " + name + ": " + facts.identity()));
    }

    /** What has a name; empty if nothing has. */
    private static Outcome<Optional<PinnedPath>> open(PinnedPath parent, String name) {
        return parent.child(name).ifFound();
    }
}

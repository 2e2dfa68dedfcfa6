// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.DirectoryReferences;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;

/**
 * Removes a directory that the ledger proves to be ours, however far making or removing it had come: out of its place in one step, then
 * emptied, then removed, then forgotten.
 */
final class HostPathRemover {
    private final OperationContext context;
    private final Store store;

    HostPathRemover(OperationContext context, Store store) {
        this.context = context;
        this.store = store;
    }

    Outcome<Nothing> remove(String name, HostPathLedgerEntry entry) {
        Outcome<Nothing> cleared = switch (entry.state()) {
            case CREATING ->
                entry.identity().isPresent()
                        ? moveOut(name, entry).then(nothing -> destroy(name, entry))
                        // surely empty if it exists at all, and rmdir refuses anything else
                        : store.volumes()
                                .removeDirectory(name)
                                .then(nothing -> store.trash().removeDirectory(name));
            case READY -> moveOut(name, entry).then(nothing -> destroy(name, entry));
            case TRASHED -> destroy(name, entry);
        };
        return cleared.then(nothing -> begun(store.ledger().remove(name)));
    }

    /** After a first effect no refusal is true any more. */
    private static Outcome<Nothing> begun(Outcome<Nothing> outcome) {
        return outcome.isDone() ? outcome : Outcome.uncertain(outcome.message());
    }

    private Outcome<Nothing> moveOut(String name, HostPathLedgerEntry entry) {
        return store.volumes().child(name).ifFound().then(found -> {
            if (found.isEmpty()) {
                // moved before a crash, or removed by hand
                return Outcome.done();
            }
            try (PinnedPath directory = found.get()) {
                return isRecorded(directory, name, entry)
                        .then(nothing -> new DirectoryReferences(context).none(directory))
                        .then(nothing -> store.volumes().rename(name, store.trash(), name))
                        .then(nothing -> noted(name, entry.trashed()));
            }
        });
    }

    /** Without the note all goes on as after a crash. A full disk takes no note, and has space again only when the directory is empty. */
    private Outcome<Nothing> noted(String name, HostPathLedgerEntry trashed) {
        Outcome<Nothing> noted = store.ledger().put(name, trashed);
        return noted.isRefused(Refusal.EXHAUSTED) ? Outcome.done() : begun(noted);
    }

    private Outcome<Nothing> destroy(String name, HostPathLedgerEntry entry) {
        return store.trash().child(name).ifFound().then(found -> {
            if (found.isEmpty()) {
                return Outcome.done();
            }
            try (PinnedPath directory = found.get()) {
                return isRecorded(directory, name, entry).then(nothing -> begun(emptied(name, directory)));
            }
        });
    }

    private Outcome<Nothing> emptied(String name, PinnedPath directory) {
        return directory
                .facts()
                .then(facts -> context.host().files().empty(context, directory, TreeRules.all(facts.identity())))
                .then(emptied -> store.trash().removeDirectory(name));
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
}

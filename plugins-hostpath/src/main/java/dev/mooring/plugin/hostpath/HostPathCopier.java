// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.DirectoryPermissions;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.function.Supplier;

/**
 * Fills the directory of a new volume, or of a snapshot, with what another one holds. The copy is made beside what is whole: its directory
 * is noted, filled, written to the disk, and then gets its place in one step. After a crash at any point the next call for the same name
 * goes on.
 */
final class HostPathCopier {
    private final OperationContext context;
    private final Store store;

    HostPathCopier(OperationContext context, Store store) {
        this.context = context;
        this.store = store;
    }

    /**
     * Makes a copy.
     *
     * @param name the name of the copy
     * @param original opens what is copied, if something is left to copy
     * @param permissions bits and group of the copy's directory
     * @param entry of the copy, which is not ready yet
     */
    Outcome<Nothing> copy(
            String name,
            Supplier<Outcome<PinnedPath>> original,
            DirectoryPermissions permissions,
            HostPathLedgerEntry entry) {
        return store.volumes().child(name).ifFound().then(found -> {
            if (found.isPresent()) {
                try (PinnedPath whole = found.get()) {
                    return moved(name, entry, whole);
                }
            }
            return Directories.make(
                    store.trash(),
                    name,
                    0700,
                    copy -> begun(name, entry, copy).then(noted -> fill(name, original, permissions, noted, copy)));
        });
    }

    /** The copy had got its place before a crash. */
    private Outcome<Nothing> moved(String name, HostPathLedgerEntry entry, PinnedPath whole) {
        return whole.facts()
                .then(facts -> entry.identity().filter(facts.identity()::equals).isPresent()
                        ? store.ledger().put(name, entry.ready(facts.identity()))
                        : HostPathOriginals.corrupt(name));
    }

    /** Which directory it is stands in the ledger before anything is in it. */
    private Outcome<HostPathLedgerEntry> begun(String name, HostPathLedgerEntry entry, PinnedPath copy) {
        return copy.facts().then(facts -> {
            FileIdentity identity = facts.identity();
            if (entry.identity().filter(identity::equals).isPresent()) {
                return Outcome.done(entry);
            }
            HostPathLedgerEntry noted = entry.filling(identity);
            return copy.list(0).then(none -> store.ledger().put(name, noted)).map(done -> noted);
        });
    }

    private Outcome<Nothing> fill(
            String name,
            Supplier<Outcome<PinnedPath>> original,
            DirectoryPermissions permissions,
            HostPathLedgerEntry entry,
            PinnedPath copy) {
        HostFiles files = context.host().files();
        return Directories.use(original.get(), opened -> files.copy(context, opened, copy))
                .then(copied -> permissions.applyTo(copy))
                .then(facts -> store.trash()
                        .rename(name, store.volumes(), name)
                        .then(moved -> store.ledger().put(name, entry.ready(facts.identity()))));
    }

    /** A refusal says that nothing was changed, so what was begun is taken back first. */
    Outcome<Nothing> settled(String name, HostPathLedgerEntry entry, Outcome<Nothing> made) {
        boolean nothingSaid = made.isRefused() || made.isDeferred();
        if (!nothingSaid || entry.state() != HostPathLedgerEntry.State.CREATING) {
            return made;
        }
        Outcome<Nothing> takenBack = takeBack(name)
                .then(nothing -> store.volumes().removeDirectory(name))
                .then(nothing -> store.ledger().remove(name));
        return takenBack.isDone() ? made : Outcome.uncertain(made.message());
    }

    /** Removes a copy that is not whole. */
    private Outcome<Nothing> takeBack(String name) {
        Outcome<Nothing> emptied = Directories.use(
                store.trash().child(name),
                copy -> copy.facts()
                        .then(facts -> context.host().files().empty(context, copy, TreeRules.all(facts.identity())))
                        .map(gone -> Nothing.NOTHING));
        return emptied.isDone()
                ? store.trash().removeDirectory(name)
                : emptied.isRefused(Refusal.NOT_FOUND) ? Outcome.done() : emptied;
    }
}

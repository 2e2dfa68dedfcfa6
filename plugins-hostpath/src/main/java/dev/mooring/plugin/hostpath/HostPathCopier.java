// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.Directories;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileIdentity;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.Optional;

/**
 * Fills the directory of a new volume with what another one holds. The copy is made beside the volumes: its directory is noted, filled,
 * written to the disk, and then becomes the volume in one step. After a crash at any point the next call for the same claim goes on.
 */
final class HostPathCopier {
    private final OperationContext context;
    private final Store store;

    HostPathCopier(OperationContext context, Store store) {
        this.context = context;
        this.store = store;
    }

    Outcome<Nothing> copy(HostPathProvisionPlan plan, VolumeSpec source, HostPathLedgerEntry entry) {
        return store.volumes().child(plan.name()).ifFound().then(found -> {
            if (found.isPresent()) {
                try (PinnedPath volume = found.get()) {
                    return moved(plan, entry, volume);
                }
            }
            return Directories.make(
                    store.trash(),
                    plan.name(),
                    0700,
                    copy -> begun(plan, entry, copy).then(noted -> fill(plan, source, noted, copy)));
        });
    }

    /** The copy had become the volume before a crash. */
    private Outcome<Nothing> moved(HostPathProvisionPlan plan, HostPathLedgerEntry entry, PinnedPath volume) {
        return volume.facts()
                .then(facts -> entry.identity().filter(facts.identity()::equals).isPresent()
                        ? store.ledger().put(plan.name(), entry.ready(facts.identity()))
                        : corrupt(plan.name()));
    }

    private static <T> Outcome<T> corrupt(String name) {
        return Outcome.refused(Refusal.CORRUPT, "another directory is in the place of " + name);
    }

    /** Which directory it is stands in the ledger before anything is in it. */
    private Outcome<HostPathLedgerEntry> begun(HostPathProvisionPlan plan, HostPathLedgerEntry entry, PinnedPath copy) {
        return copy.facts().then(facts -> {
            FileIdentity identity = facts.identity();
            if (entry.identity().filter(identity::equals).isPresent()) {
                return Outcome.done(entry);
            }
            HostPathLedgerEntry noted = entry.filling(identity);
            return copy.list(0)
                    .then(none -> store.ledger().put(plan.name(), noted))
                    .map(done -> noted);
        });
    }

    private Outcome<Nothing> fill(
            HostPathProvisionPlan plan, VolumeSpec source, HostPathLedgerEntry entry, PinnedPath copy) {
        HostFiles files = context.host().files();
        return Directories.use(original(source), original -> files.copy(context, original, copy))
                .then(copied -> plan.permissions().applyTo(copy))
                .then(facts -> store.trash()
                        .rename(plan.name(), store.volumes(), plan.name())
                        .then(moved -> store.ledger().put(plan.name(), entry.ready(facts.identity()))));
    }

    /** Only what was made here is copied: what else a path of the node holds is not a user's to have. */
    private Outcome<PinnedPath> original(VolumeSpec source) {
        String path = store.path().resolve(Store.VOLUMES).resolve(source.name()).toString();
        boolean ours = HostPathSource.of(source.source())
                .filter(place -> place.path().equals(path))
                .isPresent();
        Outcome<Optional<HostPathLedgerEntry>> found = store.ledger().find(source.name());
        return found.then(entry -> {
            Optional<FileIdentity> identity = entry.filter(known -> ours
                            && known.state() == HostPathLedgerEntry.State.READY
                            && known.mayBeOf(source.uid())
                            && known.nodeUid().equals(here()))
                    .flatMap(HostPathLedgerEntry::identity);
            return identity.isEmpty()
                    ? Outcome.refused(
                            Refusal.NOT_FOUND,
                            "volume " + source.name()
                                    + " was not made here: only directories that were made for claims, on this node, are copied")
                    : store.volumes().child(source.name()).then(original -> checked(original, identity.get(), source));
        });
    }

    private String here() {
        return context.node().map(node -> node.uid()).orElse("");
    }

    private static Outcome<PinnedPath> checked(PinnedPath original, FileIdentity expected, VolumeSpec source) {
        Outcome<PinnedPath> checked = original.facts()
                .then(facts -> facts.identity().equals(expected) ? Outcome.done(original) : corrupt(source.name()));
        if (!checked.isDone()) {
            original.close();
        }
        return checked;
    }

    /** Removes a copy that is not whole. */
    Outcome<Nothing> takeBack(String name) {
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

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Deletes, archives or leaves a directory that the share's ledger proves to be ours (semantics/plugins §2.9). What is destroyed is first
 * moved out of the pods' sight in one step. After a crash at any point the next call goes on from what the ledger and the directories
 * show.
 */
final class NfsDeleter {
    private final OperationContext context;
    private final Share share;
    private final ShareLedger ledger;
    private final MountEntry mounted;
    private final Export export;
    private final VolumeSpec volume;
    private final LocalQuota quota;

    /**
     * Prepares a deletion.
     *
     * @param share where the directory was made
     * @param mounted the share's mount
     * @param export the volume's own export, within the share
     * @param quota the volume's limit, if it has one
     */
    NfsDeleter(
            OperationContext context,
            Share share,
            MountEntry mounted,
            Export export,
            VolumeSpec volume,
            LocalQuota quota) {
        this.quota = quota;
        this.context = context;
        this.share = share;
        this.ledger = share.ledger();
        this.mounted = mounted;
        this.export = export;
        this.volume = volume;
    }

    /**
     * Deletes.
     *
     * @param relative the volume's directory, relative to the share
     * @param alone lets one call at a time change the ledger; not held while a tree is destroyed
     */
    Outcome<Nothing> delete(String relative, ShareLock alone) {
        return alone.hold(() -> ledger.find(volume.name())
                        .then(found -> found.isEmpty()
                                ? unproven(relative).map(nothing -> Optional.<NfsLedgerEntry>empty())
                                : proven(found.get(), relative).map(Optional::of)))
                .then(left -> left.isEmpty()
                        ? Outcome.done()
                        : destroyIfTrashed(left.get()).then(nothing -> alone.hold(() -> forget(relative))));
    }

    private Outcome<Nothing> destroyIfTrashed(NfsLedgerEntry entry) {
        return entry.state() == NfsLedgerEntry.State.TRASHED ? destroy(entry) : Outcome.done();
    }

    static <T> Outcome<T> notOurs(String what) {
        return Outcome.refused(Refusal.DENIED, what + " was not created here");
    }

    /** A directory without an entry is not ours: another program made it. With onDelete retain it stays; without a directory all is gone. */
    private Outcome<Nothing> unproven(String relative) {
        if (OnDelete.RETAIN.text().equals(volume.annotations().get(NfsProvisionPlan.ON_DELETE))) {
            return Outcome.done();
        }
        return Share.find(share.root(), relative).then(found -> {
            found.ifPresent(PinnedPath::close);
            return found.isEmpty() ? Outcome.done() : notOurs(export.source());
        });
    }

    /** Takes the directory out of its place if it has to go; the answer is the entry as it is then. */
    private Outcome<NfsLedgerEntry> proven(NfsLedgerEntry entry, String relative) {
        if (!entry.path().equals(relative)) {
            return Outcome.refused(
                    Refusal.CORRUPT,
                    "the ledger has " + volume.name() + " at " + entry.path() + ", the volume at " + relative);
        }
        return ledger.place(relative).then(place -> {
            boolean others = place.filter(
                            known -> !known.without(volume.name()).owners().isEmpty())
                    .isPresent();
            return others ? Outcome.done(entry) : clear(entry);
        });
    }

    private Outcome<Nothing> forget(String relative) {
        return ledger.leave(relative, volume.name())
                .then(nothing -> share.removeEmptyParents(relative))
                .then(nothing -> ledger.remove(volume.name()));
    }

    private Outcome<NfsLedgerEntry> clear(NfsLedgerEntry entry) {
        return switch (entry.state()) {
            case CREATING -> removeIfMade(entry).map(nothing -> entry);
            case TRASHED -> Outcome.done(entry);
            case READY -> entry.onDelete() == OnDelete.RETAIN ? Outcome.done(entry) : moveOut(entry);
        };
    }

    /** The place is noted before the directory is made; without that, or in another volume, what is there is not of our making. */
    private Outcome<Nothing> removeIfMade(NfsLedgerEntry entry) {
        return ledger.place(entry.path()).then(place -> {
            boolean noted = place.filter(known -> known.owners().contains(volume.name()))
                    .isPresent();
            return share.volumeAbove(entry.path())
                    .then(above -> noted && above.isEmpty() ? removeEmpty(entry) : Outcome.done());
        });
    }

    /** Surely empty if it exists at all, and rmdir refuses anything else. */
    private Outcome<Nothing> removeEmpty(NfsLedgerEntry entry) {
        return share.withParent(entry.path(), parent -> parent.removeDirectory(Share.lastOf(entry.path())))
                .ifFound()
                .map(nothing -> Nothing.NOTHING);
    }

    private Outcome<NfsLedgerEntry> moveOut(NfsLedgerEntry entry) {
        boolean archive = entry.onDelete() == OnDelete.ARCHIVE;
        return Share.find(share.root(), entry.path()).then(found -> {
            if (found.isEmpty()) {
                // moved before a crash, or removed by hand
                return archive ? Outcome.done(entry) : trashed(entry);
            }
            try (PinnedPath directory = found.get()) {
                return NfsProvisioner.isRecorded(directory, volume.name(), entry)
                        .then(nothing -> new Uses(context).none(export, mounted))
                        .then(nothing -> archive ? archive(entry).map(moved -> entry) : trash(entry));
            }
        });
    }

    private Outcome<Nothing> archive(NfsLedgerEntry entry) {
        String last = Share.lastOf(entry.path());
        String key = volume.uid().isEmpty() ? volume.name() : volume.uid();
        String newName = "archived-" + last + "-" + key.substring(0, Math.min(8, key.length()));
        return share.withParent(entry.path(), parent -> parent.rename(last, parent, newName));
    }

    private Outcome<NfsLedgerEntry> trash(NfsLedgerEntry entry) {
        return share.withParent(
                        entry.path(), parent -> parent.rename(Share.lastOf(entry.path()), share.trash(), volume.name()))
                .then(nothing -> trashed(entry));
    }

    /** Without the note all goes on as after a crash. A full share takes no note, and has space again only when the directory is empty. */
    private Outcome<NfsLedgerEntry> trashed(NfsLedgerEntry entry) {
        Outcome<Nothing> noted = ledger.put(volume.name(), entry.trashed());
        return noted.isRefused(Refusal.EXHAUSTED)
                ? Outcome.done(entry.trashed())
                : noted.map(nothing -> entry.trashed());
    }

    private Outcome<Nothing> destroy(NfsLedgerEntry entry) {
        return Share.find(share.trash(), volume.name()).then(found -> {
            if (found.isEmpty()) {
                return Outcome.done();
            }
            try (PinnedPath directory = found.get()) {
                return NfsProvisioner.isRecorded(directory, volume.name(), entry)
                        .then(nothing -> empty(directory))
                        .then(nothing -> lift(entry))
                        .then(nothing -> share.trash().removeDirectory(volume.name()));
            }
        });
    }

    private Outcome<Nothing> lift(NfsLedgerEntry entry) {
        boolean limited = "true".equals(volume.annotations().get(ProvisionedVolumes.CAPACITY_ENFORCED));
        return limited && entry.inode().isPresent()
                ? quota.lift(Share.trashed(volume.name()), entry, entry.inode().getAsLong())
                : Outcome.done();
    }

    private Outcome<Nothing> empty(PinnedPath directory) {
        return directory.facts().then(facts -> {
            OptionalInt mount = facts.mountId() == 0 ? OptionalInt.empty() : OptionalInt.of(mounted.id());
            TreeRules rules = new TreeRules(Optional.of(facts.identity()), mount, Set.of(), Set.of());
            return NfsRecycler.explained(context.host().files().empty(context, directory, rules))
                    .map(emptied -> Nothing.NOTHING);
        });
    }
}

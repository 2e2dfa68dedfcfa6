// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileFacts;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Whose the directories are that were made for claims. Each is that of one PersistentVolume: the one of its name, whose uid is noted when
 * it is used for the first time. A later object of the same name, and a pod that names the path itself, is a stranger.
 */
final class MadeDirectories {
    private final OperationContext context;
    private final HostPathSettings settings;
    private final Lock notes;

    /**
     * Asks in one call.
     *
     * @param notes held while a uid is noted: two pods of one volume may come at once
     */
    MadeDirectories(OperationContext context, HostPathSettings settings, Lock notes) {
        this.context = context;
        this.settings = settings;
        this.notes = notes;
    }

    /**
     * Where a file is below the root in which volumes are made, however it was reached.
     *
     * @param missing what is not there yet below what is held; empty for nothing
     * @return the path from the root, which is empty for the root itself; absent if it lies elsewhere
     */
    Outcome<Optional<Path>> withinRoot(PinnedPath held, Path missing) {
        return rootPlace()
                .then(root -> root.isEmpty()
                        ? Outcome.done(Optional.empty())
                        : FilePlace.of(context, held).map(place -> {
                            FilePlace whole = place.below(missing);
                            return whole.liesIn(root.get())
                                    ? Optional.of(root.get().path().relativize(whole.path()))
                                    : Optional.<Path>empty();
                        }));
    }

    /** Whether the root lies in a directory or is it. */
    Outcome<Boolean> lieIn(PinnedPath directory) {
        return rootPlace()
                .then(root -> root.isEmpty()
                        ? Outcome.done(false)
                        : FilePlace.of(context, directory)
                                .map(place -> root.get().liesIn(place)));
    }

    private Outcome<Optional<FilePlace>> rootPlace() {
        return context.host()
                .files()
                .open(settings.effectiveRoot(), LinkRule.FOLLOW)
                .ifFound()
                .then(found -> {
                    if (found.isEmpty()) {
                        return Outcome.done(Optional.empty());
                    }
                    try (PinnedPath root = found.get()) {
                        return FilePlace.of(context, root).map(Optional::of);
                    }
                });
    }

    /**
     * Whether a path below the root is in the directory that was made for a volume; notes the volume's uid with it.
     *
     * @param within the path from the root
     * @return done if it is; DENIED, saying what to do, if it is not
     */
    Outcome<Nothing> ownedBy(VolumeSpec volume, Path within) {
        boolean named = within.getNameCount() >= 2
                && within.startsWith(Store.VOLUMES)
                && within.getName(1).toString().equals(volume.name());
        if (!named || volume.uid().isEmpty()) {
            return stranger(settings, within);
        }
        notes.lock();
        try {
            return Store.with(
                    context,
                    settings,
                    store -> store.ledger()
                            .find(volume.name())
                            .then(entry -> entry.map(found -> claimed(store, volume, within, found))
                                    .orElseGet(() -> stranger(settings, within))));
        } finally {
            notes.unlock();
        }
    }

    private Outcome<Nothing> claimed(Store store, VolumeSpec volume, Path within, HostPathLedgerEntry entry) {
        if (entry.state() != HostPathLedgerEntry.State.READY || !entry.mayBeOf(volume.uid())) {
            return stranger(settings, within);
        }
        if (entry.volumeUid().isPresent()) {
            return Outcome.done();
        }
        // before anything is shown, so that a crash in between leaves no directory that two volumes may have
        return store.volumes().child(volume.name()).then(directory -> {
            try (directory) {
                return directory.facts().then(facts -> note(store, volume, within, entry, facts));
            }
        });
    }

    private Outcome<Nothing> note(
            Store store, VolumeSpec volume, Path within, HostPathLedgerEntry entry, FileFacts facts) {
        return entry.identity().filter(facts.identity()::equals).isPresent()
                ? store.ledger().put(volume.name(), entry.usedBy(volume.uid()))
                : stranger(settings, within);
    }

    /** Why a path below the root is not shown, emptied or destroyed. */
    static <T> Outcome<T> stranger(HostPathSettings settings, Path within) {
        boolean volume = within.getNameCount() >= 2 && within.startsWith(Store.VOLUMES);
        Path path = settings.effectiveRoot().resolve(within);
        return Outcome.refused(
                Refusal.DENIED,
                volume
                        ? path
                                + " was made for another PersistentVolume, and only pods of that volume may have it. Use the claim of that"
                                + " volume, or list the directory in " + HostPathPlugin.NAME + ":allow"
                        : path + " lies where " + HostPathPlugin.NAME + " keeps volumes and their records, in "
                                + settings.effectiveRoot() + ". Choose another path");
    }
}

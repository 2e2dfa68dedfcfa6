// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.Directories;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A mounted share in which volumes are made: {@code .mooring} holds the ledger and what is being destroyed.
 *
 * @param root the share
 * @param trash what is being destroyed
 * @param ledger the ledger
 */
record Share(PinnedPath root, PinnedPath trash, ShareLedger ledger) {
    private static final String OURS = ".mooring";
    private static final int PRIVATE = 0700;

    /** What the ledger of a share says of a volume; nothing is made. */
    static Outcome<Optional<NfsLedgerEntry>> known(PinnedPath root, String volume) {
        return root.child(OURS + "/volumes").then(volumes -> {
            try (volumes) {
                return new ShareLedger(volumes, volumes).find(volume);
            }
        });
    }

    /** Where a directory is while it is destroyed, relative to the share. */
    static String trashed(String volume) {
        return OURS + "/trash/" + volume;
    }

    /**
     * Does something with a share while its parts are held.
     *
     * @param volume the volume that is made or deleted
     * @return DENIED if another user may have made the parts
     */
    static <T> Outcome<T> with(
            OperationContext context, PinnedPath root, String volume, Function<Share, Outcome<T>> action) {
        ShareOwnership ownership = new ShareOwnership(context, root, volume);
        return part(
                ownership,
                root,
                OURS,
                ours -> part(
                        ownership,
                        ours,
                        "volumes",
                        volumes -> part(
                                ownership,
                                ours,
                                "places",
                                places -> part(
                                        ownership,
                                        ours,
                                        "trash",
                                        trash -> action.apply(
                                                new Share(root, trash, new ShareLedger(volumes, places)))))));
    }

    private static <T> Outcome<T> part(
            ShareOwnership ownership, PinnedPath parent, String name, Function<PinnedPath, Outcome<T>> action) {
        return Directories.use(
                explained(parent.makeDirectory(name, PRIVATE)).map(Made::path),
                pinned -> ownership.requireOurs(pinned, name).then(nothing -> action.apply(pinned)));
    }

    private static Outcome<Made> explained(Outcome<Made> outcome) {
        return outcome.recoverRefused(refused -> refused.refusal() == Refusal.DENIED
                ? Outcome.refused(Refusal.DENIED, refused.why() + " (does the server squash root?)")
                : refused);
    }

    /** The directories above a place, from the outermost, as paths relative to the share. */
    static List<String> above(String path) {
        List<String> parents = new ArrayList<>();
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            parents.add(path.substring(0, slash));
        }
        return parents;
    }

    static String lastOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Does something with the directory that holds a place. */
    <T> Outcome<T> withParent(String path, Function<PinnedPath, Outcome<T>> action) {
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            return action.apply(root);
        }
        return root.child(path.substring(0, slash)).then(parent -> {
            try (parent) {
                return action.apply(parent);
            }
        });
    }

    /** What is at a place; empty if nothing is. To be closed by the caller. */
    static Outcome<Optional<PinnedPath>> find(PinnedPath parent, String path) {
        return parent.child(path).ifFound();
    }

    /** The volume in which a place lies, as its directory's path; empty if it lies in none. */
    Outcome<Optional<String>> volumeAbove(String path) {
        Outcome<Optional<String>> found = Outcome.done(Optional.empty());
        for (String parent : above(path)) {
            found = found.then(volume -> volume.isPresent()
                    ? Outcome.done(volume)
                    : ledger.place(parent)
                            .map(entry -> entry.filter(PlaceEntry::isVolume).map(PlaceEntry::path)));
        }
        return found;
    }

    /** Takes away the directories above a place that were made for it and are empty, from below, one at a time. */
    Outcome<Nothing> removeEmptyParents(String path) {
        List<String> parents = above(path);
        for (int i = parents.size() - 1; i >= 0; i--) {
            Outcome<Boolean> removed = removeIfOursAndEmpty(parents.get(i));
            if (!removed.result().orElse(false)) {
                return removed.map(kept -> Nothing.NOTHING);
            }
        }
        return Outcome.done();
    }

    /** Whether the directory has gone, so that the one above may be empty now. */
    private Outcome<Boolean> removeIfOursAndEmpty(String path) {
        return ledger.place(path).then(entry -> {
            if (entry.isEmpty()) {
                // forgotten, and then the process died: what is above may still have to go
                return find(root, path).map(found -> {
                    found.ifPresent(PinnedPath::close);
                    return found.isEmpty();
                });
            }
            if (entry.get().isVolume()) {
                return Outcome.done(false);
            }
            // in another volume the directory is not the one that was noted
            return volumeAbove(path)
                    .then(volume ->
                            volume.isPresent() ? ledger.removePlace(path).map(nothing -> true) : removeIfEmpty(path));
        });
    }

    private Outcome<Boolean> removeIfEmpty(String path) {
        Outcome<Nothing> removed = withParent(path, parent -> parent.removeDirectory(lastOf(path)));
        return removed.match(
                done -> ledger.removePlace(path).map(nothing -> true),
                refused -> switch (refused.refusal()) {
                    // another user's directory is in it
                    case IN_USE -> Outcome.done(false);
                    case NOT_FOUND -> ledger.removePlace(path).map(nothing -> true);
                    default -> Outcome.refused(refused.refusal(), refused.why());
                },
                uncertain -> Outcome.uncertain(uncertain.why()),
                deferred -> Outcome.deferred(deferred.why()),
                elsewhere -> Outcome.uncertain(elsewhere.why()));
    }
}

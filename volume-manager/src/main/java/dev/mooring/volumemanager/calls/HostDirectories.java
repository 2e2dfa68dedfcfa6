// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The directories between the root and what a plugin works on, such as {@code pods/<uid>/volumes/<plugin>}: made before, taken away when
 * empty afterwards. Only names are removed that this class would make, one empty directory at a time, by descriptor and never through a
 * link; nothing is ever removed recursively (S12).
 */
final class HostDirectories {
    /** {@code pods} and {@code plugins} belong to all. */
    private static final int SHARED_ELEMENTS = 1;

    private static final int MODE = 0750;

    /** Volumes of one pod share parents: to fill a directory that another one has just made would disturb that one. */
    private static final Object MAKING = new Object();

    /** Another program may remove an empty directory between two of our steps. */
    private static final int TRIES = 3;

    private final HostFiles files;
    private final Path root;

    HostDirectories(HostFiles files, Path root) {
        this.files = files;
        this.root = root;
    }

    /** Makes a directory and everything between the root and it. */
    Outcome<Nothing> make(Path directory) {
        Optional<List<String>> names = namesBelowRoot(directory);
        if (names.isEmpty()) {
            return outside(directory);
        }
        synchronized (MAKING) {
            Outcome<Nothing> made = make(names.get());
            for (int i = 1; i < TRIES && made.isRefused(Refusal.NOT_FOUND); i++) {
                made = make(names.get());
            }
            return made;
        }
    }

    private Outcome<Nothing> make(List<String> names) {
        Outcome<Made> made = files.openOrMake(root, LinkRule.FOLLOW, FileKind.DIRECTORY, MODE);
        for (String name : names) {
            made = made.then(above -> below(above.path(), name));
        }
        made.result().ifPresent(last -> last.path().close());
        return made.map(last -> Nothing.NOTHING);
    }

    private static Outcome<Made> below(PinnedPath parent, String name) {
        try (parent) {
            return parent.makeDirectory(name, MODE);
        }
    }

    /**
     * Opens a directory below the root, without following a link.
     *
     * @return to be closed by the caller; NOT_FOUND if it is not there
     */
    Outcome<PinnedPath> open(Path directory) {
        Optional<List<String>> names = namesBelowRoot(directory);
        if (names.isEmpty()) {
            return outside(directory).map(nothing -> {
                throw new IllegalStateException("a path outside is refused");
            });
        }
        Outcome<PinnedPath> found = files.open(root, LinkRule.FOLLOW);
        for (String name : names.get()) {
            found = found.then(parent -> child(parent, name));
        }
        return found;
    }

    private static Outcome<PinnedPath> child(PinnedPath parent, String name) {
        try (parent) {
            return parent.child(name);
        }
    }

    /**
     * Takes away a directory and those above it, from below, as long as they are empty.
     *
     * @return done also if some are left because something is in them, or if they are not there at all
     */
    Outcome<Nothing> removeEmpty(Path directory) {
        Optional<List<String>> names = namesBelowRoot(directory);
        if (names.isEmpty()) {
            return outside(directory);
        }
        Deque<PinnedPath> opened = new ArrayDeque<>();
        try {
            Outcome<PinnedPath> last = files.open(root, LinkRule.FOLLOW);
            last.result().ifPresent(opened::push);
            for (String name : names.get().subList(0, names.get().size() - 1)) {
                if (last.isDone()) {
                    last = opened.element().child(name);
                    last.result().ifPresent(opened::push);
                }
            }
            return last.isDone() || last.isRefused(Refusal.NOT_FOUND)
                    ? removeFromBelow(opened, names.get())
                    : last.map(p -> Nothing.NOTHING);
        } finally {
            opened.forEach(PinnedPath::close);
        }
    }

    /** The stack holds the root and the directories of the first names, as far as they exist. */
    private static Outcome<Nothing> removeFromBelow(Deque<PinnedPath> opened, List<String> names) {
        for (int depth = opened.size() - 1; depth >= SHARED_ELEMENTS; depth--) {
            Outcome<Nothing> removed = opened.element().removeDirectory(names.get(depth));
            if (removed.isRefused(Refusal.IN_USE)) {
                // Another volume, or something that is not ours, is still there.
                return Outcome.done();
            }
            if (!removed.isDone()) {
                return removed;
            }
            opened.pop().close();
        }
        return Outcome.done();
    }

    /** The names between the root and a directory, at least two; empty if it does not lie there. */
    private Optional<List<String>> namesBelowRoot(Path directory) {
        Path normal = directory.normalize();
        if (!normal.equals(directory)
                || !directory.startsWith(root)
                || directory.getNameCount() < root.getNameCount() + SHARED_ELEMENTS + 1) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        root.relativize(directory).forEach(name -> names.add(name.toString()));
        return Optional.of(names);
    }

    private Outcome<Nothing> outside(Path directory) {
        return Outcome.refused(Refusal.INVALID, directory + " is no directory of a pod or plugin below " + root);
    }
}

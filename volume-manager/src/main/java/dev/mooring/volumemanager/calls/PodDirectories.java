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
 * The directories between the root and a target, {@code pods/<uid>/volumes/<plugin>}: made before something is published there, taken
 * away when empty after it was unpublished. Only names are removed that this class would make, one empty directory at a time, by
 * descriptor; nothing is ever removed recursively (S12).
 */
final class PodDirectories {
    /** {@code pods} and everything above belongs to all pods. */
    private static final int SHARED_ELEMENTS = 1;

    private static final int MODE = 0750;

    private final HostFiles files;
    private final Path root;

    PodDirectories(HostFiles files, Path root) {
        this.files = files;
        this.root = root;
    }

    /** Makes the parents of a target. */
    Outcome<Nothing> makeParents(Path target) {
        Optional<List<String>> names = parentsBelowRoot(target);
        if (names.isEmpty()) {
            return outside(target);
        }
        Outcome<Made> made = files.openOrMake(root, LinkRule.FOLLOW, FileKind.DIRECTORY, MODE);
        for (String name : names.get()) {
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
     * Takes away the parents of a target up to the pod's directory, from below, as long as they are empty.
     *
     * @return done also if some are left because something is in them, or if they are not there at all
     */
    Outcome<Nothing> removeEmptyParents(Path target) {
        Optional<List<String>> names = parentsBelowRoot(target);
        if (names.isEmpty()) {
            return outside(target);
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
            return last.isDone() || isAbsent(last)
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
            if (isInUse(removed)) {
                return Outcome
                        .done(); // OBSERVATION: another volume of the pod, or something that is not ours, is still
                // there.
            }
            if (!removed.isDone()) {
                return removed;
            }
            opened.pop().close();
        }
        return Outcome.done();
    }

    /** The names between root and target, at least {@code pods} and the pod's uid; empty if the target does not lie there. */
    private Optional<List<String>> parentsBelowRoot(Path target) {
        Path normal = target.normalize();
        if (!normal.equals(target) || !target.startsWith(root) || target.getNameCount() < root.getNameCount() + 3) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        Path below = root.relativize(target);
        below.subpath(0, below.getNameCount() - 1).forEach(name -> names.add(name.toString()));
        return Optional.of(names);
    }

    private Outcome<Nothing> outside(Path target) {
        return Outcome.refused(Refusal.INVALID, target + " does not lie in a pod's directory below " + root);
    }

    private static boolean isAbsent(Outcome<?> outcome) {
        return hasRefusal(outcome, Refusal.NOT_FOUND);
    }

    private static boolean isInUse(Outcome<?> outcome) {
        return hasRefusal(outcome, Refusal.IN_USE);
    }

    private static boolean hasRefusal(Outcome<?> outcome, Refusal refusal) {
        return outcome.match(
                done -> false,
                refused -> refused.refusal() == refusal,
                uncertain -> false,
                deferred -> false,
                elsewhere -> false);
    }
}

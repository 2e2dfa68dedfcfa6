// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * Carries what the kernel notifies of the mount table to the controllers of a node, so that a mount that has gone is missed
 * when it goes and not at the next look. Confined to the decider's thread, on which the embedder delivers the news as it does those of
 * {@link dev.mooring.volumemanager.content.ContentChanges}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class MountChanges {
    private final List<Consumer<Change>> listeners = new ArrayList<>();

    /** Makes one without listeners. */
    public MountChanges() {}

    /**
     * What has changed.
     *
     * @param appeared places at which something is mounted now, and nothing was before
     * @param gone places at which nothing is mounted any more
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Change(Set<Path> appeared, Set<Path> gone) {
        /** Copies the sets. */
        public Change {
            appeared = Set.copyOf(appeared);
            gone = Set.copyOf(gone);
        }

        /** What lies between two tables. */
        public static Change between(Set<Path> before, Set<Path> now) {
            Set<Path> appeared = new TreeSet<>(now);
            appeared.removeAll(before);
            Set<Path> gone = new TreeSet<>(before);
            gone.removeAll(now);
            return new Change(appeared, gone);
        }

        /** Whether nothing has. */
        public boolean isEmpty() {
            return appeared.isEmpty() && gone.isEmpty();
        }
    }

    /** Asks to be told of changes. */
    public void listen(Consumer<Change> listener) {
        listeners.add(listener);
    }

    /** Says that the mount table has changed. */
    public void changed(Change change) {
        listeners.forEach(listener -> listener.accept(change));
    }
}

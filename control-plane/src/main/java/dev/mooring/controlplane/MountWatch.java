// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.volumemanager.MountChanges;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What changes from one version of the mount table to the next. A table that cannot be read now is compared when the next one can be.
 * Thread-safe.
 */
final class MountWatch {
    private final MountTableSource source;
    private final Consumer<MountChanges.Change> told;
    private Set<Path> known;

    private MountWatch(MountTableSource source, Consumer<MountChanges.Change> told) {
        this.source = source;
        this.told = told;
        this.known = new TreeSet<>();
    }

    /**
     * Begins to watch; ends with the source.
     *
     * @param told receives every change, on the source's thread
     */
    static void begin(MountTableSource source, Consumer<MountChanges.Change> told) {
        MountWatch watch = new MountWatch(source, told);
        watch.places().ifPresent(watch::learn);
        source.onChange(watch::look);
    }

    private synchronized void learn(Set<Path> now) {
        known = now;
    }

    private synchronized void look() {
        places().ifPresent(now -> {
            MountChanges.Change change = MountChanges.Change.between(known, now);
            known = now;
            if (!change.isEmpty()) {
                told.accept(change);
            }
        });
    }

    private Optional<Set<Path>> places() {
        return source.table().result().map(table -> {
            Set<Path> places = new TreeSet<>();
            table.entries().stream().map(MountEntry::mountPoint).forEach(places::add);
            return places;
        });
    }
}

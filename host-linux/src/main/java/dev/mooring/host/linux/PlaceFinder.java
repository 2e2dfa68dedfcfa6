// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.FileStatus;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds which of the places that are kept exist, and which files they are. Thread-safe. */
final class PlaceFinder {
    private final Kernel kernel;
    private final KeptPlaces places;
    private final KeptPlace state;

    /** Finds the places that are noted, and the state of this host's plugins, noted or not. */
    PlaceFinder(Kernel kernel, LinuxHostLayout layout) {
        this.kernel = kernel;
        this.places = layout.places();
        this.state = new KeptPlace(layout.state(), "the state of plugins", "Mooring", false);
    }

    private Outcome<List<KeptPlace>> all() {
        return places.all()
                .map(noted -> Stream.concat(noted.stream(), Stream.of(state)).toList());
    }

    @FunctionalInterface
    private interface Look<T> {
        T at(Descriptor held) throws KernelException;
    }

    /**
     * The kept places that exist now.
     *
     * @return the places; deferred if one of them cannot be looked at
     */
    Outcome<List<FoundPlace>> existing() {
        return all().then(kept -> Guarded.look(() -> {
            List<FoundPlace> found = new ArrayList<>();
            for (KeptPlace place : kept) {
                ifThere(place.path(), held -> found(place, held)).ifPresent(found::add);
            }
            return Outcome.done(List.copyOf(found));
        }));
    }

    private FoundPlace found(KeptPlace place, Descriptor held) throws KernelException {
        return new FoundPlace(place, kernel.path(held), kernel.knownStatus(held));
    }

    /** The kept places that do not exist yet. */
    Outcome<List<KeptPlace>> missing() {
        return all().then(kept -> Guarded.look(() -> {
            List<KeptPlace> missing = new ArrayList<>();
            for (KeptPlace place : kept) {
                if (statusOf(place.path()).isEmpty()) {
                    missing.add(place);
                }
            }
            return Outcome.done(List.copyOf(missing));
        }));
    }

    /** Where a path leads to; empty if nothing is there. */
    Optional<FileLocation> locate(Path path, MountTable table) throws KernelException {
        return ifThere(path, held -> FileLocation.of(kernel, held, table));
    }

    /** What is at a path, links followed; empty if nothing is there. */
    Optional<FileStatus> statusOf(Path path) throws KernelException {
        return ifThere(path, kernel::knownStatus);
    }

    /** A place that this process may not reach, such as that of root for another user, it can neither show nor empty. */
    private <T> Optional<T> ifThere(Path path, Look<T> look) throws KernelException {
        try (Descriptor held = kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(path), Kernel.O_PATH, 0)) {
            return Optional.of(look.at(held));
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.EACCES)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}

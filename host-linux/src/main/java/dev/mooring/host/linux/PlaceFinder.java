// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.Errno;
import dev.mooring.host.linux.kernel.Guarded;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.MountTable;
import java.util.ArrayList;
import java.util.List;

/** Finds which of the places that are kept exist, and which files they are. */
final class PlaceFinder {
    private final Kernel kernel;
    private final KeptPlaces places;

    PlaceFinder(Kernel kernel, KeptPlaces places) {
        this.kernel = kernel;
        this.places = places;
    }

    /**
     * The kept places that exist now.
     *
     * @param table all mounts
     * @return the places; deferred if one of them cannot be looked at
     */
    Outcome<List<FoundPlace>> existing(MountTable table) {
        return places.all()
                .then(kept -> Guarded.look(() -> {
                    List<FoundPlace> found = new ArrayList<>();
                    for (KeptPlace place : kept) {
                        try (Descriptor held =
                                kernel.open(Kernel.CURRENT_DIRECTORY, Kernel.name(place.path()), Kernel.O_PATH, 0)) {
                            var status = kernel.status(held);
                            found.add(new FoundPlace(place, kernel.path(held), status, table.byId(status.mountId())));
                        } catch (KernelException e) {
                            if (!e.is(Errno.ENOENT) && !e.is(Errno.ENOTDIR)) {
                                throw e;
                            }
                        }
                    }
                    return Outcome.done(List.copyOf(found));
                }));
    }
}

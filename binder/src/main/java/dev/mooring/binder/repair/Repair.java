// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.repair;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What would be done to a volume, or why it must not be. Immutable.
 *
 * @param objections why not, each naming the object and the rule; empty if it may be done
 * @param change the one write that does it, to be made with the volume's version as precondition; empty if there are objections
 * @param consequences what follows from it, for people to read first
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Repair(List<String> objections, Optional<Change<PersistentVolume>> change, List<String> consequences) {
    /** Copies the lists. */
    public Repair {
        objections = List.copyOf(objections);
        consequences = List.copyOf(consequences);
    }

    static Repair refused(List<String> objections) {
        return new Repair(objections, Optional.empty(), List.of());
    }

    static Repair of(PersistentVolume volume, PersistentVolume edited, List<String> consequences) {
        return new Repair(List.of(), Optional.of(new Change<>(volume, edited)), consequences);
    }
}

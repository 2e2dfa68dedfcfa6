// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Objects of the cluster as a call sees them: read live, and changed against the version that was read. Thread-safe.
 *
 * @param store the cluster
 */
public record LiveObjects(ClusterStore store) {
    private static final int TRIES = 5;

    /** Reads an object; empty if there surely is none, deferred if that cannot be known now. */
    public <T extends KubernetesObject> Outcome<Optional<T>> find(Kind<T> kind, ObjectKey key) {
        return store.get(kind, key)
                .match(
                        found -> Outcome.done(Optional.of(found)),
                        failed -> failed.reason() == Failure.NOT_FOUND
                                ? Outcome.done(Optional.empty())
                                : Outcome.deferred(failed.message()));
    }

    /**
     * Changes an object. A version that another writer has replaced is read again, a few times.
     *
     * @param read the object as it is; what it answers otherwise ends the change
     * @param change answers the object as it is to be written; any other outcome ends the change
     * @param busy what is said if other writers come first each time
     * @return done once the object is as wanted; deferred if the store does not take it now
     */
    public <T extends KubernetesObject> Outcome<Nothing> edit(
            Kind<T> kind, Supplier<Outcome<T>> read, Function<T, Outcome<T>> change, String busy) {
        for (int i = 0; i < TRIES; i++) {
            Outcome<Change<T>> edit =
                    read.get().then(base -> change.apply(base).map(edited -> new Change<>(base, edited)));
            Optional<Change<T>> wanted = edit.result();
            if (wanted.isEmpty() || wanted.get().base().equals(wanted.get().edited())) {
                return edit.map(same -> Nothing.NOTHING);
            }
            Optional<Outcome<Nothing>> written = store.update(kind, wanted.get())
                    .match(
                            done -> Optional.of(Outcome.done()),
                            failed -> failed.reason() == Failure.CONFLICT
                                    ? Optional.empty()
                                    : Optional.of(Outcome.deferred(failed.message())));
            if (written.isPresent()) {
                return written.get();
            }
        }
        return Outcome.deferred(busy);
    }
}

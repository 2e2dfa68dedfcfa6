// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ListOptions;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whether a call is made for a volume of a class, or for a claim of it that has no volume yet.
 *
 * @param store the cluster
 * @param storageClass the class; empty: every call is
 */
public record CallsOfClass(ClusterStore store, Optional<String> storageClass) implements Predicate<Call> {
    /** The name that a volume has from its claim. */
    private static final String MADE_FOR = "pvc-";

    /** The classes that there are. */
    public List<String> classes() {
        return store.list(Kinds.STORAGE_CLASS, ListOptions.ALL).orThrow().items().stream()
                .map(each -> each.metadata().name())
                .toList();
    }

    /** The provisioner of the class; empty if there is no such class. */
    public Optional<String> provisioner() {
        return storageClass
                .flatMap(name ->
                        store.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).value())
                .map(StorageClass::provisioner);
    }

    @Override
    public boolean test(Call call) {
        return storageClass.isEmpty() || classOf(call.volume()).equals(storageClass);
    }

    private Optional<String> classOf(String volume) {
        return store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                .value()
                .flatMap(found -> found.spec().storageClassName())
                .or(() -> classOfClaim(volume));
    }

    private Optional<String> classOfClaim(String volume) {
        return store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL).orThrow().items().stream()
                .filter(claim -> volume.equals(MADE_FOR + claim.metadata().uid()))
                .findFirst()
                .flatMap(claim -> claim.spec().storageClassName());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
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
 * @param storageClass the class; empty for any
 * @param namespace where the claim is; empty for anywhere
 */
public record CallsOfClass(ClusterStore store, Optional<String> storageClass, Optional<String> namespace)
        implements Predicate<Call> {
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
        Optional<PersistentVolume> volume = store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(call.volume()))
                .value();
        Optional<PersistentVolumeClaim> claim = volume.isPresent() ? Optional.empty() : claimOf(call.volume());
        return agrees(
                        storageClass,
                        volume.flatMap(each -> each.spec().storageClassName())
                                .or(() -> claim.flatMap(each -> each.spec().storageClassName())))
                && agrees(
                        namespace,
                        volume.flatMap(each -> each.spec().claimRef())
                                .map(ObjectReference::namespace)
                                .or(() -> claim.map(each -> each.metadata().namespace())));
    }

    private static boolean agrees(Optional<String> wanted, Optional<String> actual) {
        return wanted.isEmpty() || wanted.equals(actual);
    }

    private Optional<PersistentVolumeClaim> claimOf(String volume) {
        return store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL).orThrow().items().stream()
                .filter(claim -> volume.equals(MADE_FOR + claim.metadata().uid()))
                .findFirst();
    }
}

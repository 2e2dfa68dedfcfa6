// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import dev.mooring.binder.explain.LikelyNames;
import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult.Failed;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Does to a volume by one conditional write what a person asked for, after it has been judged on live reads ({@link VolumeRepairs}). */
public final class VolumeRepairing {
    private final ClusterStore store;
    private final LiveCluster cluster;
    private final InstantSource clock;

    /** Works on a store, which stays the caller's. */
    public VolumeRepairing(ClusterStore store, InstantSource clock) {
        this.store = store;
        this.cluster = new LiveCluster(store);
        this.clock = clock;
    }

    /**
     * Judges and, if nothing is against it, writes.
     *
     * @param name the volume
     * @param claim a claim to look at beside the one that the volume names
     * @param act what shall be done
     * @param dryRun to write nothing
     * @param say gets what was or would be done, one line each
     * @return what is against it, or why the write did not go through; empty if all is well
     * @throws LiveCluster.ClusterException if the cluster does not tell what has to be known
     */
    public List<String> run(
            String name,
            Optional<ObjectKey> claim,
            Function<VolumeRepairs, Repair> act,
            boolean dryRun,
            Consumer<String> say) {
        Optional<Repair> judged = judge(name, claim, act);
        if (judged.isEmpty()) {
            List<String> names = cluster.all(Kinds.PERSISTENT_VOLUME, "").stream()
                    .map(volume -> volume.metadata().name())
                    .toList();
            return List.of("there is no volume " + name + LikelyNames.clause(name, names));
        }
        Repair repair = judged.get();
        if (repair.change().isEmpty()) {
            return repair.objections();
        }
        Optional<String> failure =
                dryRun ? Optional.empty() : write(repair.change().get());
        if (failure.isEmpty()) {
            repair.consequences().forEach(line -> say.accept(dryRun ? "dry run: " + line : line));
        }
        return failure.stream().toList();
    }

    /**
     * Judges and writes nothing.
     *
     * @param name the volume
     * @param claim a claim to look at beside the one that the volume names
     * @param act what shall be done
     * @return what would be done, or what is against it; empty if there is no such volume
     * @throws LiveCluster.ClusterException if the cluster does not tell what has to be known
     */
    public Optional<Repair> judge(String name, Optional<ObjectKey> claim, Function<VolumeRepairs, Repair> act) {
        return cluster.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name))
                .map(volume -> act.apply(new VolumeRepairs(surroundings(volume, claim), volume)));
    }

    private Snapshot surroundings(PersistentVolume volume, Optional<ObjectKey> claim) {
        List<KubernetesObject> objects = new ArrayList<>(List.of(volume));
        Optional<ObjectReference> owner = volume.spec().claimRef();
        Optional<ObjectKey> named = owner.map(ref -> ObjectKey.of(ref.namespace(), ref.name()));
        named.flatMap(key -> cluster.find(Kinds.PERSISTENT_VOLUME_CLAIM, key)).ifPresent(objects::add);
        claim.filter(key -> !named.equals(Optional.of(key)))
                .flatMap(key -> cluster.find(Kinds.PERSISTENT_VOLUME_CLAIM, key))
                .ifPresent(objects::add);
        owner.ifPresent(ref -> objects.addAll(cluster.all(Kinds.POD, ref.namespace())));
        objects.addAll(cluster.all(Kinds.VOLUME_ATTACHMENT, ""));
        return Snapshot.of(objects, clock.instant());
    }

    private Optional<String> write(Change<PersistentVolume> change) {
        return store.update(Kinds.PERSISTENT_VOLUME, change).match(done -> Optional.empty(), VolumeRepairing::explain);
    }

    /** Why a write of an object that was looked at did not go through. */
    static Optional<String> explain(Failed<?> failed) {
        if (failed.reason() == Failure.CONFLICT) {
            return Optional.of("the object has changed while it was looked at; nothing was done: " + failed.message());
        }
        return Optional.of(
                failed.reason() == Failure.UNKNOWN
                        ? "the answer was lost, look at the object: " + failed.message()
                        : failed.message());
    }
}

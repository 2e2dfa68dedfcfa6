// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The four writes of a bind, made blindly: nothing is watched, nothing is decided. They tell what the API server takes of exactly these
 * writes, as those of a claim cost it more than an annotation of a volume.
 */
final class BlindBinds {
    private static final int PAIRS = 640;
    private static final int WRITES = 4;

    private final ClusterStore store;
    private final BenchObjects objects;
    private final Workers workers;
    private final TimeSource time;

    BlindBinds(ClusterStore store, String run, TimeSource time) {
        this.store = store;
        this.objects = new BenchObjects(store, run);
        this.workers = new Workers(time);
        this.time = time;
    }

    /** Writes per second, with so many workers. */
    double measure(int concurrency) throws InterruptedException {
        objects.createNamespace();
        try {
            workers.each(PAIRS, i -> objects.createVolume(i, false));
            workers.each(PAIRS, objects::createClaim);
            List<Pair> pairs = IntStream.range(0, PAIRS).mapToObj(this::pair).toList();
            long begin = time.now().monotonicNanos();
            workers.together(concurrency, worker -> {
                for (int i = worker; i < PAIRS; i += concurrency) {
                    bind(pairs.get(i));
                }
            });
            return WRITES * PAIRS * 1e9 / (time.now().monotonicNanos() - begin);
        } finally {
            workers.each(PAIRS, objects::removeClaim);
            workers.each(PAIRS, objects::removeVolume);
            objects.removeNamespace();
        }
    }

    private record Pair(PersistentVolume volume, PersistentVolumeClaim claim) {}

    private Pair pair(int number) {
        ObjectKey volume = objects.volumeKey(number);
        ObjectKey claim = objects.claimKey(number);
        return new Pair(
                store.get(Kinds.PERSISTENT_VOLUME, volume).orThrow(),
                store.get(Kinds.PERSISTENT_VOLUME_CLAIM, claim).orThrow());
    }

    private void bind(Pair pair) {
        PersistentVolume volume = pair.volume;
        PersistentVolumeClaim claim = pair.claim;
        ObjectReference reference = ObjectReference.EMPTY
                .withNamespace(claim.metadata().namespace())
                .withName(claim.metadata().name());
        PersistentVolume claimed = store.update(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                volume,
                                volume.withSpec(volume.spec().withClaimRef(Optional.of(reference)))
                                        .withMetadata(volume.metadata()
                                                .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"))))
                .orThrow();
        store.updateStatus(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(
                                claimed, claimed.withStatus(claimed.status().withPhase(PersistentVolumePhase.BOUND))))
                .orThrow();
        PersistentVolumeClaim naming = store.update(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                claim,
                                claim.withSpec(claim.spec()
                                                .withVolumeName(
                                                        volume.metadata().name()))
                                        .withMetadata(claim.metadata()
                                                .withAnnotation(Annotations.BIND_COMPLETED, "yes")
                                                .withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"))))
                .orThrow();
        store.updateStatus(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                naming,
                                naming.withStatus(naming.status()
                                        .withPhase(ClaimPhase.BOUND)
                                        .withAccessModes(volume.spec().accessModes())
                                        .withCapacity(volume.spec().capacity()))))
                .orThrow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.VolumeLimitsFilter.Slot;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold after every write: a volume has one claim for ever, a pod is where its volumes are, a node has no more than it takes. */
final class PlacementChecker {
    private final SchedulingWorld world;
    private final int seed;
    private final int limit;
    private final Map<String, String> owners = new HashMap<>();

    PlacementChecker(SchedulingWorld world, int seed, int limit) {
        this.world = world;
        this.seed = seed;
        this.limit = limit;
    }

    void checkUnlessStatus() {
        if (world.writes.get(world.writes.size() - 1).subresource().isEmpty()) {
            check();
        }
    }

    void check() {
        Map<ObjectKey, PersistentVolumeClaim> claims = new HashMap<>();
        Set<String> taken = new HashSet<>();
        for (PersistentVolumeClaim claim : world.all(Kinds.PERSISTENT_VOLUME_CLAIM)) {
            claims.put(ObjectKey.of(claim), claim);
            String volume = claim.spec().volumeName();
            assertThat(volume.isEmpty() || taken.add(volume))
                    .as("seed %d: %s has one claim", seed, volume)
                    .isTrue();
        }
        Map<String, PersistentVolume> volumes = new HashMap<>();
        for (PersistentVolume volume : world.all(Kinds.PERSISTENT_VOLUME)) {
            volumes.put(volume.metadata().name(), volume);
            Optional<String> owner = volume.spec().claimRef().map(ObjectReference::uid);
            owner.ifPresent(uid -> assertThat(owners.merge(volume.metadata().name(), uid, (before, now) -> before))
                    .as("seed %d: %s keeps its claim", seed, volume.metadata().name())
                    .isEqualTo(uid));
        }
        Map<String, Set<Slot>> slots = new HashMap<>();
        for (Pod pod : world.all(Kinds.POD)) {
            if (!pod.spec().nodeName().isEmpty()) {
                checkPlaced(pod, claims, volumes, slots);
            }
        }
        slots.forEach((node, used) ->
                assertThat(used).as("seed %d: volumes on %s", seed, node).hasSizeLessThanOrEqualTo(limit));
    }

    private void checkPlaced(
            Pod pod,
            Map<ObjectKey, PersistentVolumeClaim> claims,
            Map<String, PersistentVolume> volumes,
            Map<String, Set<Slot>> slots) {
        Node node = world.store
                .get(Kinds.NODE, ObjectKey.cluster(pod.spec().nodeName()))
                .orThrow();
        for (ObjectKey key : PlacedPods.claimsOf(pod)) {
            PersistentVolumeClaim claim = claims.get(key);
            assertThat(PodClaims.isBound(claim))
                    .as("seed %d: %s is bound", seed, key)
                    .isTrue();
            PersistentVolume volume = volumes.get(claim.spec().volumeName());
            assertThat(AffinityConflict.between(key, volume, node)).isEmpty();
            CsiSource source = volume.spec().source().flatMap(CsiSource::of).orElseThrow();
            slots.computeIfAbsent(node.metadata().name(), n -> new HashSet<>())
                    .add(new Slot(source.driver(), source.volumeHandle()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PodPhase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A node with devices, one volume that has to be attached, and a claim for it. */
abstract class StagedVolumeStory {
    static final String BACKEND = "/data/pv1";
    static final String NAME = "example.com/fake//data/pv1";

    final NodeWorld world = NodeWorld.withDevices();

    void boundClaim() {
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "data"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
    }

    void pod(String name) {
        world.store.put(Kinds.POD, SmallCluster.pod(name, SmallCluster.claimed("v", "data")));
    }

    void deletePod(String name) {
        ObjectKey key = ObjectKey.of("ns", name);
        world.store
                .get(Kinds.POD, key)
                .ifPresent(pod -> world.store.put(
                        Kinds.POD, pod.withMetadata(pod.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)))));
    }

    List<String> inUse() {
        return world.node().status().volumesInUse();
    }

    Optional<PodPhase> phase(String pod) {
        return world.store
                .get(Kinds.POD, ObjectKey.of("ns", pod))
                .map(found -> found.status().phase());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Concern;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.volumemanager.NodeConfig;
import java.util.List;

/** Which objects the agent's work is done for. Pure. */
final class Concerned {
    /** What people read when a volume is not mounted. */
    static final String FAILED_MOUNT = "FailedMount";

    /** What people read when a volume is not unmounted. */
    static final String FAILED_UNMOUNT = "FailedUnMount";

    private static final String COMPONENT = "kubelet";

    private Concerned() {}

    /** A pod, whether or not its object is still there. */
    static Concern pod(PodRef pod, String reason) {
        return new Concern(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()), pod.uid(), true, reason, COMPONENT);
    }

    /** A pod as long as its object is there; afterwards the Node, on which something of it is left. */
    static List<Concern> podOrNode(PodRef pod, String reason, NodeConfig config, Caches caches) {
        boolean there = caches.get(Kinds.POD, ObjectKey.of(pod.namespace(), pod.name()))
                .filter(found -> found.metadata().uid().equals(pod.uid()))
                .isPresent();
        return there ? List.of(pod(pod, reason)) : node(reason, config, caches);
    }

    /** A PersistentVolume as long as its object is there; else the Node, as for a source that is written in a pod. */
    static List<Concern> volumeOrNode(String volume, String reason, NodeConfig config, Caches caches) {
        return caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume))
                .map(found -> List.of(Concern.of(Kinds.PERSISTENT_VOLUME, found, reason, COMPONENT)))
                .orElseGet(() -> node(reason, config, caches));
    }

    /** The Node; nothing as long as the cluster has none of the name. */
    static List<Concern> node(String reason, NodeConfig config, Caches caches) {
        return caches.get(Kinds.NODE, ObjectKey.cluster(config.node().name()))
                .map(found -> List.of(Concern.of(Kinds.NODE, found, reason, COMPONENT)))
                .orElse(List.of());
    }

    /** A Warning about each of some objects, with their reason. */
    static List<Effect> warnings(List<Concern> concerns, String message) {
        return concerns.stream()
                .<Effect>map(concern -> new Effect.Announce(new Announcement(
                        concern.kind(),
                        concern.object(),
                        concern.uid(),
                        true,
                        concern.reason(),
                        message,
                        concern.component())))
                .toList();
    }
}

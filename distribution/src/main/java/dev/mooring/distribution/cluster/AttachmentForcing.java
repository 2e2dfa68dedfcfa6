// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import dev.mooring.attachdetach.ForcedDetach;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.store.ClusterStore;
import java.util.List;
import java.util.Optional;

/** Judges on live reads whether a person may say that a volume is to be detached by force ({@link ForcedDetach}). */
public final class AttachmentForcing {
    private final LiveCluster cluster;

    /** Reads from a store, which stays the caller's. */
    public AttachmentForcing(ClusterStore store) {
        this.cluster = new LiveCluster(store);
    }

    /**
     * Judges and writes nothing.
     *
     * @param name the VolumeAttachment
     * @param evidence who says so, and by what they know
     * @return what would be done, or what is against it; empty if there is no such attachment
     * @throws LiveCluster.ClusterException if the cluster does not tell what has to be known
     */
    public Optional<ForcedDetach> judge(String name, String evidence) {
        return cluster.find(Kinds.VOLUME_ATTACHMENT, ObjectKey.cluster(name))
                .map(attachment -> ForcedDetach.of(
                        attachment,
                        cluster.find(
                                Kinds.NODE, ObjectKey.cluster(attachment.spec().nodeName())),
                        using(attachment),
                        evidence));
    }

    private List<Pod> using(VolumeAttachment attachment) {
        Optional<ObjectReference> claim = attachment
                .spec()
                .source()
                .persistentVolumeName()
                .flatMap(volume -> cluster.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volume)))
                .map(PersistentVolume::spec)
                .flatMap(spec -> spec.claimRef());
        return claim.map(ref -> cluster.all(Kinds.POD, ref.namespace()).stream()
                        .filter(pod ->
                                pod.spec().nodeName().equals(attachment.spec().nodeName()))
                        .filter(pod -> pod.spec().volumes().stream()
                                .anyMatch(used ->
                                        used.claimName(pod.metadata().name()).equals(Optional.of(ref.name()))))
                        .toList())
                .orElse(List.of());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.ephemeral;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.EphemeralSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModelException;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.OwnerReferenceBuilder;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import java.util.List;
import java.util.Optional;

/** The claim that an ephemeral volume of a pod describes (semantics/binder §3.4, E1). */
final class EphemeralTemplate {
    private EphemeralTemplate() {}

    /** The volumes of a pod that have a claim made for them, in the pod's order. */
    static List<PodVolume> volumesOf(Pod pod) {
        return pod.spec().volumes().stream()
                .filter(volume -> template(volume).isPresent())
                .toList();
    }

    private static Optional<Document> template(PodVolume volume) {
        return volume.source().flatMap(EphemeralSource::of).flatMap(EphemeralSource::volumeClaimTemplate);
    }

    /** The claims that a pod wants for itself alone. */
    static List<ObjectKey> keys(Pod pod) {
        return volumesOf(pod).stream().map(volume -> key(pod, volume)).toList();
    }

    /** The name of the claim to be made. */
    static ObjectKey key(Pod pod, PodVolume volume) {
        return ObjectKey.of(
                pod.metadata().namespace(),
                volume.claimName(pod.metadata().name()).orElseThrow());
    }

    /** Field and rule by which no claim can be made of what a volume describes; empty if one can. */
    static Optional<String> problem(PodVolume volume) {
        try {
            described(volume);
            return Optional.empty();
        } catch (ModelException malformed) {
            return Optional.of(EphemeralSource.TYPE + "." + EphemeralSource.TEMPLATE
                    + (malformed.field().isEmpty() ? ": " : ".") + malformed.getMessage());
        }
    }

    private static PersistentVolumeClaim described(PodVolume volume) {
        return Kinds.PERSISTENT_VOLUME_CLAIM.read(template(volume).orElse(Document.empty()));
    }

    /**
     * The claim to be made.
     *
     * @throws ModelException if there is a {@link #problem}
     */
    static PersistentVolumeClaim claim(Pod pod, PodVolume volume) {
        PersistentVolumeClaim described = described(volume);
        ObjectKey key = key(pod, volume);
        OwnerReference owner = OwnerReferenceBuilder.builder()
                .apiVersion("v1")
                .kind("Pod")
                .name(pod.metadata().name())
                .uid(pod.metadata().uid())
                .controller(true)
                .blockOwnerDeletion(true)
                .build();
        ObjectMeta metadata = ObjectMeta.named(key.namespace(), key.name())
                .withLabels(described.metadata().labels())
                .withAnnotations(described.metadata().annotations())
                .withOwnerReferences(List.of(owner));
        return PersistentVolumeClaim.of(metadata.namespace(), metadata.name(), described.spec())
                .withMetadata(metadata);
    }
}

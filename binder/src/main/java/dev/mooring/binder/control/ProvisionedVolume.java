// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.AttributesClasses;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.ObjectReferenceBuilder;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The volume object for storage that a plugin made (semantics/binder §1.10 PI). */
final class ProvisionedVolume {
    private ProvisionedVolume() {}

    static PersistentVolume of(BinderOptions options, PersistentVolumeClaim claim, ClaimStorage.Made made) {
        return build(
                options,
                Transitions.referenceTo(claim),
                AttributesClasses.nameOf(claim),
                made,
                made.request().reclaimPolicy());
    }

    /** For storage whose claim has gone before it got a volume: it never carried data, so it is deleted whatever the class says. */
    static PersistentVolume orphan(BinderOptions options, ObjectKey claim, ClaimStorage.Made made) {
        ObjectReference claimRef = ObjectReferenceBuilder.builder()
                .kind("PersistentVolumeClaim")
                .namespace(claim.namespace())
                .name(claim.name())
                .uid(made.request().claimUid())
                .apiVersion("v1")
                .resourceVersion("")
                .fieldPath("")
                .build();
        return build(options, claimRef, Optional.empty(), made, ReclaimPolicy.DELETE);
    }

    private static PersistentVolume build(
            BinderOptions options,
            ObjectReference claimRef,
            Optional<String> attributesClass,
            ClaimStorage.Made made,
            ReclaimPolicy policy) {
        ProvisionRequest request = made.request();
        VolumeTemplate template = made.template();
        Map<String, String> annotations = new LinkedHashMap<>(template.annotations());
        if (!options.beside().isPresent()) {
            annotations.put(Annotations.BOUND_BY_CONTROLLER, "yes");
        }
        annotations.put(Annotations.PROVISIONED_BY, made.provisioner());
        ObjectMeta metadata = ObjectMeta.named(request.volumeName()).withAnnotations(annotations);
        if (options.beside().isPresent()) {
            metadata =
                    metadata.withFinalizer(Finalizers.EXTERNAL_PROVISIONER); // whatever the policy (semantics/csi §8.6)
        } else if (policy == ReclaimPolicy.DELETE) {
            metadata = metadata.withFinalizer(Finalizers.PV_CONTROLLER);
        }
        PersistentVolumeSpec spec = PersistentVolumeSpec.EMPTY
                .withStorage(template.capacity())
                .withAccessModes(template.accessModes().isEmpty() ? request.accessModes() : template.accessModes())
                .withClaimRef(Optional.of(claimRef))
                .withPersistentVolumeReclaimPolicy(policy)
                .withStorageClassName(Optional.of(request.className()))
                .withMountOptions(request.mountOptions())
                .withVolumeMode(Optional.of(request.mode()))
                .withNodeAffinity(template.nodeAffinity())
                .withVolumeAttributesClassName(attributesClass)
                .withSource(Optional.of(template.source()));
        return PersistentVolume.of(metadata, spec);
    }
}

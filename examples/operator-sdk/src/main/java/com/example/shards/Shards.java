// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The claims and pods that a set asks for.
 *
 * @param owner the set
 */
record Shards(ShardSet owner) {
    static final String LABEL = "shards.example.com/set";

    private String name(int shard) {
        return owner.getMetadata().getName() + "-" + shard;
    }

    private Map<String, String> labels() {
        return Map.of(LABEL, owner.getMetadata().getName());
    }

    List<PersistentVolumeClaim> claims() {
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        for (int shard = 0; shard < owner.getSpec().replicas(); shard++) {
            var claim = new PersistentVolumeClaimBuilder()
                    .withNewMetadata()
                    .withName(name(shard))
                    .withNamespace(owner.getMetadata().getNamespace())
                    .withLabels(labels())
                    .endMetadata()
                    .withNewSpec()
                    .withAccessModes("ReadWriteOnce")
                    .withNewResources()
                    .addToRequests("storage", new Quantity(owner.getSpec().size()))
                    .endResources()
                    .endSpec();
            String storageClass = owner.getSpec().storageClass();
            if (storageClass != null) {
                claim.editSpec().withStorageClassName(storageClass).endSpec();
            }
            claims.add(claim.build());
        }
        return claims;
    }

    List<Pod> pods() {
        List<Pod> pods = new ArrayList<>();
        for (int shard = 0; shard < owner.getSpec().replicas(); shard++) {
            Pod pod = new PodBuilder()
                    .withNewMetadata()
                    .withName(name(shard))
                    .withNamespace(owner.getMetadata().getNamespace())
                    .withLabels(labels())
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("shard")
                    .withImage("example.com/shard")
                    .addNewVolumeMount()
                    .withName("data")
                    .withMountPath("/data")
                    .endVolumeMount()
                    .endContainer()
                    .addNewVolume()
                    .withName("data")
                    .withNewPersistentVolumeClaim(name(shard), false)
                    .endVolume()
                    .endSpec()
                    .build();
            pod.addOwnerReference(owner);
            pods.add(pod);
        }
        return pods;
    }
}

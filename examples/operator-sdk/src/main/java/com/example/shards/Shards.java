// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a ConfigMap with the label {@code shards.example.com} asks for: so many pods, each with a claim of its own that outlives it.
 *
 * @param owner the ConfigMap
 * @param replicas how many
 * @param size of each claim
 * @param storageClass empty for the default
 */
record Shards(ConfigMap owner, int replicas, String size, String storageClass) {
    static final String LABEL = "shards.example.com";

    /** Reads a ConfigMap; throws IllegalArgumentException, with the key, if it cannot be followed. */
    static Shards of(ConfigMap owner) {
        Map<String, String> data = owner.getData() == null ? Map.of() : owner.getData();
        String replicas = data.getOrDefault("replicas", "1");
        if (!replicas.matches("[0-9]{1,2}")) {
            throw new IllegalArgumentException("replicas: must be 0 to 99, not '" + replicas + "'");
        }
        return new Shards(
                owner,
                Integer.parseInt(replicas),
                data.getOrDefault("size", "1Gi"),
                data.getOrDefault("storageClass", ""));
    }

    private String name(int shard) {
        return owner.getMetadata().getName() + "-" + shard;
    }

    private Map<String, String> labels() {
        return Map.of(LABEL, owner.getMetadata().getName());
    }

    List<PersistentVolumeClaim> claims() {
        List<PersistentVolumeClaim> claims = new ArrayList<>();
        for (int shard = 0; shard < replicas; shard++) {
            var claim = new PersistentVolumeClaimBuilder()
                    .withNewMetadata()
                    .withName(name(shard))
                    .withNamespace(owner.getMetadata().getNamespace())
                    .withLabels(labels())
                    .endMetadata()
                    .withNewSpec()
                    .withAccessModes("ReadWriteOnce")
                    .withNewResources()
                    .addToRequests("storage", new Quantity(size))
                    .endResources()
                    .endSpec();
            if (!storageClass.isEmpty()) {
                claim.editSpec().withStorageClassName(storageClass).endSpec();
            }
            claims.add(claim.build());
        }
        return claims;
    }

    List<Pod> pods() {
        List<Pod> pods = new ArrayList<>();
        for (int shard = 0; shard < replicas; shard++) {
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

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster in which the agents of nodes make and destroy the storage of volumes. */
abstract class AgentCluster {
    static final String VOLUME = "pvc-" + BinderObjects.UID;

    /** What exists on the node's disk. */
    final Set<String> storage = new HashSet<>();

    static Cluster cluster(ReclaimPolicy policy) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        return cluster.load(
                Node.of("n1"),
                StorageClass.of("local", ToyPlugin.NAME).withReclaimPolicy(Optional.of(policy)),
                BinderObjects.ofClass(BinderObjects.data(), "local"));
    }

    static Optional<String> annotation(Cluster cluster, String name) {
        return cluster.volume(VOLUME).metadata().annotation(name);
    }

    /** The agent does what it finds written, once, and answers as told. */
    void agentAnswers(Cluster cluster, Outcome<?> outcome) {
        PersistentVolume volume = cluster.volume(VOLUME);
        boolean provisioning = annotation(cluster, NodeIntent.PROVISIONING).isPresent();
        String intent = provisioning ? NodeIntent.PROVISIONING : Annotations.RECLAIMING;
        String result = provisioning ? NodeIntent.PROVISION_RESULT : NodeIntent.RECLAIM_RESULT;
        assertThat(annotation(cluster, provisioning ? NodeIntent.PROVISION_ON : NodeIntent.RECLAIM_ON))
                .contains("n1");
        assertThat(annotation(cluster, result))
                .as("asked, and not answered yet")
                .isEmpty();
        if (outcome.isDone() && provisioning) {
            storage.add(VOLUME);
        } else if (outcome.isDone()) {
            storage.remove(VOLUME);
        }
        String uid = volume.metadata().annotation(intent).orElseThrow();
        cluster.annotateVolume(VOLUME, result, NodeIntent.format(outcome, uid)).settle();
    }

    // ---- reclaiming ----

    Cluster released() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        agentAnswers(cluster, Outcome.done());
        return cluster.deleteClaim("data").settle();
    }

    static Node labelled(String name, String disk) {
        Node node = Node.of(name);
        return node.withMetadata(node.metadata().withLabels(Map.of("disk", disk)));
    }

    /** A volume of a claim that has gone, whose storage only nodes with the label {@code disk=b} reach, among these nodes. */
    static Cluster releasedOnDiskB(Node... nodes) {
        PersistentVolume volume = BinderObjects.claimedBy(
                BinderObjects.volume(VOLUME, "1Gi", ReclaimPolicy.DELETE), "gone", BinderObjects.OTHER_UID);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        return cluster.load(nodes)
                .load(volume.withSpec(
                        volume.spec().withNodeAffinity(Optional.of(VolumeNodeAffinity.onlyWhere("disk", "b")))))
                .settle();
    }
}

// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the claims and pods of each ConfigMap with the label, and says in an annotation how many pods run. */
@ControllerConfiguration(informer = @Informer(labelSelector = Shards.LABEL))
final class ShardReconciler implements Reconciler<ConfigMap> {
    static final String READY = "shards.example.com/ready";

    @Override
    public List<EventSource<?, ConfigMap>> prepareEventSources(EventSourceContext<ConfigMap> context) {
        var pods = InformerEventSourceConfiguration.from(Pod.class, ConfigMap.class)
                .withLabelSelector(Shards.LABEL)
                .build();
        return List.of(new InformerEventSource<>(pods, context));
    }

    @Override
    public UpdateControl<ConfigMap> reconcile(ConfigMap primary, Context<ConfigMap> context) {
        Shards wanted;
        try {
            wanted = Shards.of(primary);
        } catch (IllegalArgumentException e) {
            return told(primary, String.valueOf(e.getMessage()));
        }
        KubernetesClient client = context.getClient();
        wanted.claims().forEach(claim -> client.resource(claim).forceConflicts().serverSideApply());
        Set<Pod> there = context.getSecondaryResources(Pod.class);
        Set<String> names =
                there.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
        List<Pod> pods = wanted.pods();
        pods.stream()
                .filter(pod -> !names.contains(pod.getMetadata().getName()))
                .forEach(pod -> client.resource(pod).serverSideApply());
        Set<String> kept =
                pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
        there.stream()
                .filter(pod -> !kept.contains(pod.getMetadata().getName()))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> client.resource(pod).delete());
        long ready = there.stream()
                .filter(pod -> kept.contains(pod.getMetadata().getName()))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase()))
                .count();
        return told(primary, ready + "/" + wanted.replicas());
    }

    /** Only the annotation is applied: everything else stays its owner's. */
    private static UpdateControl<ConfigMap> told(ConfigMap primary, String ready) {
        Map<String, String> annotations = primary.getMetadata().getAnnotations();
        if (annotations != null && ready.equals(annotations.get(READY))) {
            return UpdateControl.noUpdate();
        }
        return UpdateControl.patchResource(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(primary.getMetadata().getName())
                .withNamespace(primary.getMetadata().getNamespace())
                .addToAnnotations(READY, ready)
                .endMetadata()
                .build());
    }
}

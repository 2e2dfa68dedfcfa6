// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes the claims and pods of each set, and says in its status how many pods run. */
@ControllerConfiguration
final class ShardReconciler implements Reconciler<ShardSet> {
    @Override
    public List<EventSource<?, ShardSet>> prepareEventSources(EventSourceContext<ShardSet> context) {
        var pods = InformerEventSourceConfiguration.from(Pod.class, ShardSet.class)
                .withLabelSelector(Shards.LABEL)
                .build();
        return List.of(new InformerEventSource<>(pods, context));
    }

    @Override
    public UpdateControl<ShardSet> reconcile(ShardSet primary, Context<ShardSet> context) {
        Shards wanted = new Shards(primary);
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
        return told(primary, ready + "/" + pods.size());
    }

    /** Only the status is applied: everything else stays its owner's. */
    private static UpdateControl<ShardSet> told(ShardSet primary, String ready) {
        ShardSet.Status status = new ShardSet.Status(ready);
        if (status.equals(primary.getStatus())) {
            return UpdateControl.noUpdate();
        }
        ShardSet told = new ShardSet();
        told.setMetadata(new ObjectMetaBuilder()
                .withName(primary.getMetadata().getName())
                .withNamespace(primary.getMetadata().getNamespace())
                .build());
        told.setStatus(status);
        return UpdateControl.patchStatus(told);
    }
}

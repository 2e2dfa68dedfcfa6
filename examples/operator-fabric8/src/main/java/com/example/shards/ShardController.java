// SPDX-License-Identifier: Apache-2.0
package com.example.shards;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes the claims and pods of each ConfigMap with the label, with fabric8's client alone: two informers say what to look at, one thread
 * looks, and what fails is looked at again after a second.
 */
public final class ShardController implements AutoCloseable {
    private final KubernetesClient client;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
    private final Set<String> queued = ConcurrentHashMap.newKeySet();
    private final SharedIndexInformer<ConfigMap> sets;
    private final SharedIndexInformer<Pod> pods;

    private ShardController(KubernetesClient client, String namespace) {
        this.client = client;
        sets = client.configMaps()
                .inNamespace(namespace)
                .withLabel(Shards.LABEL)
                .runnableInformer(0)
                .addEventHandler(new Handler<>());
        pods = client.pods()
                .inNamespace(namespace)
                .withLabel(Shards.LABEL)
                .runnableInformer(0)
                .addEventHandler(new Handler<>());
    }

    /** Starts for one namespace. */
    public static ShardController start(KubernetesClient client, String namespace) {
        ShardController controller = new ShardController(client, namespace);
        controller.pods.run();
        controller.sets.run();
        return controller;
    }

    public static void main(String[] arguments) throws InterruptedException {
        KubernetesClient client = new KubernetesClientBuilder().build();
        start(client, client.getNamespace());
        Thread.currentThread().join();
    }

    /** Whatever happens to a set or to one of its pods, the set is looked at. */
    private final class Handler<T extends HasMetadata> implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            enqueue(object, 0);
        }

        @Override
        public void onUpdate(T before, T object) {
            enqueue(object, 0);
        }

        @Override
        public void onDelete(T object, boolean unknown) {
            enqueue(object, 0);
        }
    }

    private void enqueue(HasMetadata object, long delayMillis) {
        String set = object.getMetadata().getLabels().get(Shards.LABEL);
        String key = object.getMetadata().getNamespace() + "/" + set;
        if (queued.add(key) && !worker.isShutdown()) {
            worker.schedule(() -> look(key), delayMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void look(String key) {
        queued.remove(key);
        ConfigMap set = sets.getStore().getByKey(key);
        if (set == null) {
            return; // its pods go with it
        }
        try {
            reconcile(Shards.of(set));
        } catch (RuntimeException e) {
            enqueue(set, 1_000);
        }
    }

    private void reconcile(Shards wanted) {
        wanted.claims().forEach(claim -> client.resource(claim).forceConflicts().serverSideApply());
        List<Pod> there = pods.getStore().list().stream()
                .filter(pod -> pod.hasOwnerReferenceFor(wanted.owner()))
                .toList();
        Set<String> names = names(there);
        Set<String> kept = names(wanted.pods());
        wanted.pods().stream()
                .filter(pod -> !names.contains(pod.getMetadata().getName()))
                .forEach(pod -> client.resource(pod).serverSideApply());
        there.stream()
                .filter(pod -> !kept.contains(pod.getMetadata().getName()))
                .forEach(pod -> client.resource(pod).delete());
    }

    private static Set<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        sets.close();
        pods.close();
        worker.shutdownNow();
    }
}

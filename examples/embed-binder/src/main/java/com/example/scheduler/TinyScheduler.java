// SPDX-License-Identifier: Apache-2.0
package com.example.scheduler;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.scheduling.BindOutcome;
import dev.mooring.binder.scheduling.NodeFit;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.SchedulingOptions.ShapePoint;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.Change;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A scheduler with volumes in a hundred lines: disks on three nodes, pods that want one each, and who comes too late is told why. */
public final class TinyScheduler {
    private static final List<AccessMode> ONE_NODE = List.of(AccessMode.READ_WRITE_ONCE);

    private static final BinderOptions BINDING = BinderOptions.DEFAULT;

    /** The fuller a disk would be, the better: large ones are kept for large claims. */
    private static final SchedulingOptions TIGHT = SchedulingOptions.DEFAULT
            .like(BINDING)
            .withScoring(true)
            .withShape(List.of(new ShapePoint(0, 0), new ShapePoint(100, 10)));

    private final MemoryClusterStore store;
    private final VolumeScheduling volumes = new VolumeScheduling(TIGHT);
    private final ControllerRuntime runtime;

    private TinyScheduler() {
        var ids = IdSource.random(new SecureRandom());
        store = new MemoryClusterStore(StoreOptions.of(Kinds.standard(), InstantSource.system(), ids));
        List<Controller> all =
                new ArrayList<>(new Binder(BINDING, PluginRegistry.EMPTY).controllers());
        all.add(volumes.controller());
        runtime = new ControllerRuntime(store, all, RuntimeOptions.defaults());
    }

    public static void main(String[] arguments) {
        TinyScheduler scheduler = new TinyScheduler();
        try (scheduler.store;
                scheduler.runtime) {
            scheduler.runtime.start();
            scheduler.world();
            for (String name : List.of("small-1", "small-2", "large-1", "large-2")) {
                System.out.println(name + ": " + scheduler.schedule(scheduler.pod(name)));
            }
        }
    }

    /** Three nodes with a disk each; claims of the class wait until a pod chooses the node. */
    private void world() {
        store.create(
                        Kinds.STORAGE_CLASS,
                        StorageClass.of("disks", "kubernetes.io/no-provisioner")
                                .withVolumeBindingMode(Optional.of(VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)))
                .orThrow();
        for (String size : List.of("10Gi", "20Gi", "100Gi")) {
            String name = "node-" + size.toLowerCase(Locale.ROOT);
            Node node = Node.of(name);
            store.create(Kinds.NODE, node.withMetadata(node.metadata().withLabels(Map.of("kubernetes.io/hostname", name))))
                    .orThrow();
            var disk = PersistentVolumeSpec.EMPTY
                    .withStorage(Quantity.parse(size))
                    .withAccessModes(ONE_NODE)
                    .withStorageClassName(Optional.of("disks"))
                    .withSource(Optional.of(new LocalSource("/mnt/disk", "").toSource()))
                    .withNodeAffinity(Optional.of(VolumeNodeAffinity.onlyWhere("kubernetes.io/hostname", name)));
            store.create(Kinds.PERSISTENT_VOLUME, PersistentVolume.of("disk-of-" + name, disk))
                    .orThrow();
        }
    }

    private Pod pod(String name) {
        var wish = PersistentVolumeClaimSpec.EMPTY
                .withRequestedStorage(Quantity.parse(name.startsWith("large") ? "50Gi" : "5Gi"))
                .withStorageClassName(Optional.of("disks"))
                .withAccessModes(ONE_NODE);
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.of("default", name, wish))
                .orThrow();
        var claim = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", name)));
        var spec = PodSpec.EMPTY.withVolumes(List.of(new PodVolume("data", Optional.of(claim))))
                .withContainers(List.of(new Container("main", "example.com/image", List.of(), List.of())));
        Pod pod = store.create(Kinds.POD, Pod.of("default", name, spec)).orThrow();
        runtime.whenQuiescent().join();
        return pod;
    }

    /** Filter, score, assume, bind; the pod's node is written last, when its volumes are its own. */
    private String schedule(Pod pod) {
        List<String> reasons = new ArrayList<>();
        Optional<Node> best = Optional.empty();
        int most = -1;
        for (Node node : runtime.ask(caches -> List.copyOf(caches.of(Kinds.NODE).all())).join()) {
            NodeFit fit = runtime.ask(caches -> volumes.filter(pod, node, caches)).join();
            int score = fit.fits() ? runtime.ask(caches -> volumes.score(pod, node, caches)).join() : -1;
            reasons.addAll(fit.reasons());
            if (score > most) {
                most = score;
                best = Optional.of(node);
            }
        }
        if (best.isEmpty()) {
            return "nowhere: " + reasons;
        }
        Node node = best.get();
        runtime.ask(caches -> volumes.assume(pod, node, caches)).join();
        BindOutcome end = runtime.ask(caches -> volumes.bind(ObjectKey.of(pod))).join().join();
        if (!end.bound()) {
            return "not bound: " + end.message();
        }
        String name = node.metadata().name();
        store.update(Kinds.POD, new Change<>(pod, pod.withSpec(pod.spec().withNodeName(name))))
                .orThrow();
        runtime.whenQuiescent().join();
        return name;
    }
}

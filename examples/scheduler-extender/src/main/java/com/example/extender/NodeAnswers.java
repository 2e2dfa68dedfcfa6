// SPDX-License-Identifier: Apache-2.0
package com.example.extender;

import dev.mooring.binder.scheduling.NodeFit;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.SchedulingOptions.ShapePoint;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Answers the scheduler's questions from caches that follow the cluster. Thread-safe. */
final class NodeAnswers implements AutoCloseable {
    /** The fuller a disk would be, the better: large ones are kept for large claims. */
    private static final SchedulingOptions TIGHT = SchedulingOptions.DEFAULT
            .withScoring(true)
            .withShape(List.of(new ShapePoint(0, 0), new ShapePoint(100, 10)));

    /** Ours are 0 to 100; an extender's are 0 to 10. */
    private static final int OURS_PER_POINT = 10;

    private final VolumeScheduling volumes = new VolumeScheduling(TIGHT);
    private final ControllerRuntime runtime;

    /** Returns when the caches hold what the cluster has: before, no node would be left for any pod. */
    NodeAnswers(ClusterStore store) {
        runtime = new ControllerRuntime(store, List.of(volumes.controller()), RuntimeOptions.defaults()).start();
        runtime.whenQuiescent().join();
    }

    /** Which nodes are left, and why each of the others is not. */
    String filter(ExtenderArgs asked) {
        return ask(caches -> {
            List<String> left = new ArrayList<>();
            Map<String, Object> failed = new TreeMap<>();
            for (String name : asked.nodes()) {
                String reasons = node(caches, name)
                        .map(node -> volumes.filter(asked.pod(), node, caches))
                        .map(NodeAnswers::reasons)
                        .orElse("node not found");
                if (reasons.isEmpty()) {
                    left.add(name);
                } else {
                    failed.put(name, reasons);
                }
            }
            return json(Map.of("NodeNames", left, "FailedNodes", failed));
        });
    }

    /** How well each node's disk suits the pod. */
    String prioritize(ExtenderArgs asked) {
        return ask(caches -> asked.nodes().stream()
                .map(name -> json(Map.of("Host", name, "Score", score(asked, name, caches))))
                .collect(Collectors.joining(",", "[", "]")));
    }

    private int score(ExtenderArgs asked, String name, Caches caches) {
        return node(caches, name)
                .map(node -> volumes.score(asked.pod(), node, caches) / OURS_PER_POINT)
                .orElse(0);
    }

    private static String reasons(NodeFit fit) {
        return String.join(", ", fit.reasons());
    }

    private static Optional<Node> node(Caches caches, String name) {
        return caches.get(Kinds.NODE, ObjectKey.cluster(name));
    }

    private static String json(Map<String, ?> fields) {
        return KubernetesJson.standard().write(Document.of(fields));
    }

    private String ask(Function<Caches, String> question) {
        return runtime.ask(question).join();
    }

    @Override
    public void close() {
        runtime.close();
    }
}

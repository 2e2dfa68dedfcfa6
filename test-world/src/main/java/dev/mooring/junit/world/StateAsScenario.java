// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes what stands in a store as a scenario that begins there. Pure but for reading the store. */
final class StateAsScenario {
    /** What is no part of a story, or a secret. */
    private static final Set<Kind<?>> LEFT_OUT =
            Set.of(Kinds.EVENT, Kinds.LEASE, Kinds.SECRET, Kinds.NAMESPACE, Kinds.SERVICE_ACCOUNT);

    private StateAsScenario() {}

    /**
     * A scenario of one step, which loads the objects with their status.
     *
     * @param namespace of kinds that have namespaces, only the objects in this one
     */
    static String write(DocumentStore store, String namespace) {
        List<Object> objects = new ArrayList<>();
        for (Kind<?> kind : Kinds.standard().all()) {
            if (!LEFT_OUT.contains(kind)) {
                store.listDocuments(kind).orThrow().items().stream()
                        .filter(object -> !kind.namespaced()
                                || object.text("metadata", "namespace")
                                        .orElse("")
                                        .equals(namespace))
                        .forEach(object -> objects.add(
                                object.without("metadata", "managedFields").asMap()));
            }
        }
        Map<String, Object> step = Map.of("name", "what there was", "load", objects);
        return KubernetesYaml.standard()
                .write(Document.of(Map.of(
                        "apiVersion",
                        "mooring.dev/v1alpha1",
                        "kind",
                        "Scenario",
                        "metadata",
                        Map.of("name", namespace),
                        "spec",
                        Map.of("steps", List.of(step)))));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects at the end of a step, to be looked up by kind and name. */
final class ClusterView {
    private final Map<String, List<Document>> byKind = new LinkedHashMap<>();
    private final Map<String, Document> byTitle = new LinkedHashMap<>();

    ClusterView(List<Document> objects) {
        for (Document object : objects) {
            byKind.computeIfAbsent(Documents.text(object, "kind"), kind -> new ArrayList<>())
                    .add(object);
            byTitle.put(Documents.title(object), object);
        }
    }

    /** Those of one kind, by namespace and name. */
    List<Document> ofKind(String kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    /** Where the source of a pod's volume stands: in the pod itself, or in the spec of the volume bound to its claim. */
    Optional<Document> sourceOf(Document pod, Document volume) {
        Optional<String> claim = volume.text("persistentVolumeClaim", "claimName");
        if (claim.isEmpty()) {
            return Optional.of(volume);
        }
        String title = "PersistentVolumeClaim " + Documents.text(pod, "metadata", "namespace") + "/" + claim.get();
        return Optional.ofNullable(byTitle.get(title))
                .flatMap(found -> found.text("spec", "volumeName"))
                .flatMap(name -> Optional.ofNullable(byTitle.get("PersistentVolume " + name)))
                .flatMap(found -> found.object("spec"));
    }
}

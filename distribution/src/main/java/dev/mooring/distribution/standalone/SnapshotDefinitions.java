// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** The definitions of VolumeSnapshot and its kin, which a server has from its start. One that is there stays as it is. */
final class SnapshotDefinitions {
    private static final String FILE = "snapshot-definitions.yaml";
    private static final List<String> NAMES = Kinds.OF_SNAPSHOTS.stream()
            .map(kind -> kind.plural() + "." + kind.group())
            .toList();

    private SnapshotDefinitions() {}

    /** Makes those that are missing. */
    static void make(DocumentStore store) throws IOException {
        Kind<?> kind = CustomResourceDefinition.KIND;
        for (Document definition : read()) {
            String name = definition.text("metadata", "name").orElse("");
            boolean missing = NAMES.contains(name)
                    && store.getDocument(kind, ObjectKey.cluster(name))
                            .failure()
                            .filter(Failure.NOT_FOUND::equals)
                            .isPresent();
            if (missing) {
                store.createDocument(kind, definition).orThrow();
            }
        }
    }

    private static List<Document> read() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(SnapshotDefinitions.class.getResourceAsStream(FILE), "no " + FILE)) {
            return KubernetesYaml.standard().readAll(in, FILE);
        }
    }
}

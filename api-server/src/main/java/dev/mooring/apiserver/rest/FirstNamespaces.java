// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.Map;

/** The namespaces that every cluster has. */
public final class FirstNamespaces {
    private static final List<String> NAMES = List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private FirstNamespaces() {}

    /**
     * Makes those that are missing.
     *
     * @throws IllegalStateException if the store takes no write; the message says why
     */
    public static void make(DocumentStore store) {
        for (String name : NAMES) {
            Document namespace = Document.of(Map.of("metadata", Map.of("name", name)));
            boolean made = store.createDocument(Kinds.NAMESPACE, namespace)
                    .match(created -> true, failed -> failed.reason() == Failure.ALREADY_EXISTS);
            if (!made) {
                throw new IllegalStateException("the namespace " + name + " cannot be made");
            }
        }
    }
}

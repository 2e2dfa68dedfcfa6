// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult;
import java.util.List;

/** {@code PUT /api/v1/namespaces/NAME/finalize}: sets who must agree before a namespace is gone, and nothing else. */
public final class Finalizing {
    private static final int PATH = 5;

    private final DocumentStore store;

    public Finalizing(DocumentStore store) {
        this.store = store;
    }

    /** Whether a path is that of a namespace's finalizers. */
    public static boolean isAbout(List<String> path) {
        return path.size() == PATH
                && path.subList(0, 3).equals(List.of("api", "v1", "namespaces"))
                && path.get(4).equals("finalize");
    }

    public Answer answer(ApiRequest request) {
        if (!request.method().equals("PUT")) {
            throw RestFailure.methodNotAllowed();
        }
        ObjectKey namespace = ObjectKey.cluster(request.path().get(3));
        Document body = Bodies.typed(request, "v1", "Namespace");
        if (!body.text("metadata", "name").orElse(namespace.name()).equals(namespace.name())) {
            throw RestFailure.badRequest("the name of the object does not match the name on the URL");
        }
        DocumentStore asUser = store.as("user").writtenBy(request.author());
        DocumentStore writing = request.isDryRun() ? asUser.dryRun() : asUser;
        boolean any = body.text("metadata", "resourceVersion").orElse("").isEmpty();
        StoreResult<Document> result =
                any ? Conflicts.outlasted(() -> once(writing, body, namespace)) : once(writing, body, namespace);
        return Answer.json(200, result.orThrow(failed -> Statuses.of(Kinds.NAMESPACE, namespace.name(), failed)));
    }

    private static StoreResult<Document> once(DocumentStore writing, Document body, ObjectKey namespace) {
        StoreResult<Document> current = writing.getDocument(Kinds.NAMESPACE, namespace);
        if (current.value().isEmpty()) {
            return current;
        }
        Document found = current.orThrow();
        Document changed = body.at("spec", "finalizers")
                .map(wanted -> found.with(wanted, "spec", "finalizers"))
                .orElseGet(() -> found.without("spec", "finalizers"));
        String version = body.text("metadata", "resourceVersion").orElse("");
        return writing.replaceDocument(
                Kinds.NAMESPACE,
                "",
                version.isEmpty() ? changed : changed.with(version, "metadata", "resourceVersion"));
    }
}

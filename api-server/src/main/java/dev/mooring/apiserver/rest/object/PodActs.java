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
import java.util.Map;
import java.util.Set;

/**
 * What is asked of one pod: {@code POST .../pods/NAME/eviction}, which deletes it, since there are no disruption budgets here, and {@code
 * POST .../pods/NAME/binding}, by which a scheduler gives it a node.
 */
public final class PodActs {
    private static final int POD_PATH = 7;
    private static final Set<String> ACTS = Set.of("eviction", "binding");
    private static final List<String> EVICTIONS = List.of("policy/v1", "policy/v1beta1");

    private final DocumentStore store;

    public PodActs(DocumentStore store) {
        this.store = store;
    }

    /** Whether a path is that of such an act. */
    public static boolean isAbout(List<String> path) {
        return path.size() == POD_PATH
                && path.subList(0, 3).equals(List.of("api", "v1", "namespaces"))
                && path.get(4).equals("pods")
                && ACTS.contains(path.get(6));
    }

    public Answer answer(ApiRequest request) {
        if (!request.method().equals("POST")) {
            throw RestFailure.methodNotAllowed();
        }
        ObjectKey pod = ObjectKey.of(request.path().get(3), request.path().get(5));
        if (request.path().get(6).equals("eviction")) {
            evict(request, Bodies.typed(request, EVICTIONS, "Eviction"), pod);
        } else {
            bind(request, Bodies.typed(request, "v1", "Binding"), pod);
        }
        return Answer.json(201, Statuses.success(201));
    }

    private void evict(ApiRequest request, Document body, ObjectKey pod) {
        if (!body.text("metadata", "name").orElse(pod.name()).equals(pod.name())) {
            throw RestFailure.badRequest("name in URL does not match name in Eviction object");
        }
        Deletes deletes = Deletes.of(body.object("deleteOptions").orElse(Document.empty()), request);
        DocumentStore writing = writing(request, deletes.dryRun());
        Document current = read(writing, pod);
        writing.delete(Kinds.POD, pod, deletes.optionsFor(current))
                .orThrow(failed -> Statuses.of(Kinds.POD, pod.name(), failed));
    }

    private void bind(ApiRequest request, Document body, ObjectKey pod) {
        String node = body.text("target", "name").orElse("");
        String what = body.text("target", "kind").orElse("");
        if (node.isEmpty()) {
            throw invalid(pod, "target.name: Required value");
        } else if (!what.isEmpty() && !what.equals("Node")) {
            throw invalid(
                    pod, "target.kind: Unsupported value: \"" + what + "\": supported values: \"Node\", \"<empty>\"");
        }
        DocumentStore writing = writing(request, request.isDryRun());
        StoreResult<Document> result = Conflicts.outlasted(() -> bindOnce(writing, body, pod, node));
        result.orThrow(failed -> Statuses.of(Kinds.POD, pod.name(), failed));
    }

    private static StoreResult<Document> bindOnce(DocumentStore writing, Document body, ObjectKey pod, String node) {
        Document current = read(writing, pod);
        String uid = body.text("metadata", "uid").orElse("");
        String given = current.text("spec", "nodeName").orElse("");
        if (!uid.isEmpty() && !uid.equals(current.text("metadata", "uid").orElse(""))) {
            throw conflict(pod, "the UID in the precondition (" + uid + ") does not match the UID in record");
        } else if (current.at("metadata", "deletionTimestamp").isPresent()) {
            throw conflict(pod, "pod " + pod.name() + " is being deleted, cannot be assigned to a host");
        } else if (!given.isEmpty()) {
            throw conflict(pod, "pod " + pod.name() + " is already assigned to node \"" + given + "\"");
        } else if (current.at("spec", "schedulingGates")
                .filter(gates -> gates instanceof List<?> all && !all.isEmpty())
                .isPresent()) {
            throw conflict(pod, "pod " + pod.name() + " has non-empty .spec.schedulingGates");
        }
        Document bound = current.with(node, "spec", "nodeName");
        for (Map.Entry<String, ?> note : body.object("metadata", "annotations")
                .orElse(Document.empty())
                .asMap()
                .entrySet()) {
            bound = bound.with(note.getValue(), "metadata", "annotations", note.getKey());
        }
        return writing.replaceDocument(Kinds.POD, "", bound);
    }

    private DocumentStore writing(ApiRequest request, boolean dryRun) {
        DocumentStore asUser = store.as("user").writtenBy(request.author());
        return dryRun ? asUser.dryRun() : asUser;
    }

    private static Document read(DocumentStore from, ObjectKey pod) {
        return from.getDocument(Kinds.POD, pod).orThrow(failed -> Statuses.of(Kinds.POD, pod.name(), failed));
    }

    private static RestFailure invalid(ObjectKey pod, String why) {
        return RestFailure.of(422, "Invalid", "Binding \"" + pod.name() + "\" is invalid: " + why);
    }

    private static RestFailure conflict(ObjectKey pod, String why) {
        return RestFailure.of(
                409, "Conflict", "Operation cannot be fulfilled on pods/binding \"" + pod.name() + "\": " + why);
    }
}

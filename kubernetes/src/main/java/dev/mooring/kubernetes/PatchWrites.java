// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.DocumentEdit;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Writes: creations, merge patches and deletions. Thread-safe. */
final class PatchWrites {
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final String STATUS = "status";
    private static final String METADATA = "metadata";

    private final Transport transport;
    private final Reads reads;
    private final BooleanSupplier may;

    /** Writes that are sent only if that still may be when their turn has come. */
    PatchWrites(Transport transport, Reads reads, BooleanSupplier may) {
        this.transport = transport;
        this.reads = reads;
        this.may = may;
    }

    <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        Document document = kind.write(object);
        Document sent = kind.hasStatus() ? document.without(STATUS) : document;
        String path = Paths.collection(kind, object.metadata().namespace());
        return transport.send(
                new Request("POST", path, "application/json", JSON.write(sent)),
                may,
                reply -> StoreResult.ok(kind.read(Outcomes.read(reply))));
    }

    /** Asks something of an object by a sub-resource that only takes questions. */
    StoreResult<Document> ask(Kind<?> kind, ObjectKey key, String subresource, Document question) {
        return transport.send(
                new Request(
                        "POST", Paths.object(kind, key) + "/" + subresource, "application/json", JSON.write(question)),
                reply -> StoreResult.ok(Outcomes.read(reply)));
    }

    /** Asks a question that is about no object. */
    StoreResult<Document> ask(String path, Document question) {
        return transport.send(
                new Request("POST", path, "application/json", JSON.write(question)),
                reply -> StoreResult.ok(Outcomes.read(reply)));
    }

    <T extends KubernetesObject> StoreResult<T> replace(Kind<T> kind, T object) {
        return transport.send(
                new Request(
                        "PUT",
                        Paths.object(kind, ObjectKey.of(object)),
                        "application/json",
                        JSON.write(kind.write(object))),
                may,
                reply -> StoreResult.ok(kind.read(Outcomes.read(reply))));
    }

    <T extends KubernetesObject> StoreResult<T> change(Kind<T> kind, Change<T> change, boolean status) {
        if (status && !kind.hasStatus()) {
            return StoreResult.failed(Failure.NOT_FOUND, kind.name() + " has no status of its own");
        }
        Document before = part(kind, kind.write(change.base()), status);
        Document after = part(kind, kind.write(change.edited()), status);
        DocumentEdit edit = DocumentEdit.between(before, after);
        Document patch = edit.asMergePatch(before);
        if (patch.isEmpty()) {
            // The server would note even an empty patch in managedFields, as a new revision.
            return current(kind, change).map(kind::read);
        }
        if (!replacesListsOfObjects(patch.asMap())) {
            return patch(kind, change, patch, status);
        }
        // A merge patch replaces a list as a whole: what no model knows of its elements has to be read first.
        return current(kind, change).then(current -> patch(kind, change, edit.asMergePatch(current), status));
    }

    /** The whole document that a change is based on, or a conflict if it is another by now. */
    private StoreResult<Document> current(Kind<?> kind, Change<?> change) {
        String base = change.base().metadata().resourceVersion();
        return reads.document(kind, change.key())
                .then(current -> base.isEmpty() || base.equals(resourceVersion(current))
                        ? StoreResult.ok(current)
                        : StoreResult.failed(
                                Failure.CONFLICT,
                                kind.name() + " \"" + change.key() + "\": the object has been modified"));
    }

    private static Document part(Kind<?> kind, Document document, boolean status) {
        if (status) {
            return Document.of(Map.of(STATUS, document.at(STATUS).orElse(Map.of())));
        }
        return kind.hasStatus() ? document.without(STATUS) : document;
    }

    private <T extends KubernetesObject> StoreResult<T> patch(
            Kind<T> kind, Change<T> change, Document patch, boolean status) {
        ObjectMeta base = change.base().metadata();
        Document sent = base.resourceVersion().isEmpty()
                ? patch
                : patch.with(base.resourceVersion(), METADATA, "resourceVersion");
        sent = base.uid().isEmpty() ? sent : sent.with(base.uid(), METADATA, "uid");
        String path = Paths.object(kind, change.key()) + (status ? "/" + STATUS : "");
        return transport.send(
                new Request("PATCH", path, "application/merge-patch+json", JSON.write(sent)),
                may,
                reply -> StoreResult.ok(kind.read(Outcomes.read(reply))));
    }

    private static boolean replacesListsOfObjects(Map<?, ?> patch) {
        return patch.values().stream()
                .anyMatch(value -> value instanceof Map<?, ?> map
                        ? replacesListsOfObjects(map)
                        : value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance));
    }

    <T extends KubernetesObject> StoreResult<Deletion<T>> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        String body = JSON.write(body(options));
        return transport.send(
                new Request("DELETE", Paths.object(kind, key), "application/json", body),
                may,
                reply -> StoreResult.ok(deletion(kind, key, Outcomes.read(reply))));
    }

    private static Document body(DeleteOptions options) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("apiVersion", "v1");
        fields.put("kind", "DeleteOptions");
        Map<String, Object> preconditions = new LinkedHashMap<>();
        if (!options.uid().isEmpty()) {
            preconditions.put("uid", options.uid());
        }
        options.revision().ifPresent(revision -> preconditions.put("resourceVersion", revision.toString()));
        if (!preconditions.isEmpty()) {
            fields.put("preconditions", preconditions);
        }
        options.gracePeriodSeconds().ifPresent(seconds -> fields.put("gracePeriodSeconds", seconds));
        fields.put(
                "propagationPolicy",
                switch (options.propagation()) {
                    case BACKGROUND -> "Background";
                    case FOREGROUND -> "Foreground";
                    case ORPHAN -> "Orphan";
                });
        return Document.of(fields);
    }

    private static <T extends KubernetesObject> Deletion<T> deletion(Kind<T> kind, ObjectKey key, Document answer) {
        if (answer.text("kind").orElse("").equals("Status")) {
            return new Deletion<>(kind.read(identity(key, answer)), true, Revision.ZERO);
        }
        T object = kind.read(answer);
        return new Deletion<>(object, isRemoved(object.metadata(), answer), Revision.parse(resourceVersion(answer)));
    }

    private static Document identity(ObjectKey key, Document status) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", key.name());
        metadata.put("namespace", key.namespace());
        metadata.put("uid", status.text("details", "uid").orElse(""));
        return Document.of(Map.of(METADATA, metadata));
    }

    /** A namespace is held by finalizers of its spec. */
    private static boolean isRemoved(ObjectMeta metadata, Document answer) {
        boolean held = !metadata.finalizers().isEmpty()
                || metadata.deletionGracePeriodSeconds().orElse(0L) > 0
                || (answer.at("spec", "finalizers").orElse(List.of()) instanceof List<?> more && !more.isEmpty());
        return !metadata.isDeleting() || !held;
    }

    private static String resourceVersion(Document document) {
        return document.text(METADATA, "resourceVersion").orElse("");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.patch.JsonPatch;
import dev.mooring.apiserver.patch.PatchException;
import dev.mooring.apiserver.patch.StrategicPatch;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.FieldValidation;
import dev.mooring.apiserver.rest.exchange.GoText;
import dev.mooring.apiserver.rest.exchange.ObjectSize;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.WrongFields;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.MergePatch;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Carries out patches: reads, patches and writes, and tries again if another writer was faster, as the API server does. */
public final class Patching {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    /** The definition of a custom resource does not say by which keys lists are merged. */
    private static final String SUPPORTED_OF_CUSTOM =
            "application/json-patch+json, application/merge-patch+json, " + Applying.TYPE;

    private static final String SUPPORTED =
            "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, "
                    + Applying.TYPE;

    /** All that the API server says of it. */
    private static final String UNFIT = "the server rejected our request due to an error in our request: ";

    private Patching() {}

    /**
     * What a patch does.
     *
     * @param operator makes the patched version of an object
     * @param strategic the patch, if it is a strategic merge patch
     */
    private record Edit(UnaryOperator<Document> operator, Optional<Document> strategic) {}

    public static StoreResult<Document> patch(
            ServedStore store, ApiRequest request, RequestTarget target, FieldValidation validation) {
        if (target.resource().custom().isPresent() && request.contentType().equals(STRATEGIC)) {
            throw Bodies.unsupported(request.contentType(), SUPPORTED_OF_CUSTOM);
        }
        Edit edit = edit(request, validation);
        return Conflicts.outlasted(() -> once(store, target, edit, validation));
    }

    private static StoreResult<Document> once(
            ServedStore store, RequestTarget target, Edit edit, FieldValidation validation) {
        StoreResult<Document> current = store.getDocument(target.kind(), target.key());
        if (current.value().isEmpty()) {
            return current;
        }
        Document result = patched(edit.operator(), current.orThrow());
        requireSame(target, result);
        Decoded decoded = target.resource().decode(result);
        // What was there before is not this client's doing.
        Decoded before = target.resource().decode(current.orThrow());
        WrongFields wrong = decoded.wrong().notIn(before.wrong());
        if (!wrong.isEmpty()) {
            throw refused(target.kind(), edit, result, wrong);
        }
        validation.unknown(decoded.unknown(), before.unknown());
        validation.enforce(target.kind());
        Document patched = Bodies.prepared(target.kind(), decoded.object());
        ObjectSize.require(target, current.orThrow(), patched);
        SeenVersions.require(target, patched);
        return store.replaceDocument(target.kind(), target.subresource(), pinned(patched, current.orThrow()));
    }

    /** In the API server's words, which name no object, and show what was read; but a secret is not shown. */
    private static RestFailure refused(Kind<?> kind, Edit edit, Document result, WrongFields wrong) {
        String shown = kind == Kinds.SECRET
                ? ""
                : edit.strategic().map(patch -> GoText.of(patch.asMap())).orElseGet(result::toString);
        String why = wrong.explained(wrong.first()
                .map(first -> edit.strategic().isPresent() ? first.conversionMessage() : first.serverMessage())
                .orElse(""));
        return Statuses.invalidPatch("Invalid value: " + quoted(shown) + ": " + why);
    }

    private static String quoted(String text) {
        String json = Document.of(Map.of("v", text)).toString();
        return json.substring("{\"v\":".length(), json.length() - 1);
    }

    /** A patch makes no other object of it, nor one of another kind. */
    static void requireSame(RequestTarget target, Document patched) {
        for (String field : List.of("apiVersion", "kind")) {
            String wanted =
                    field.equals("kind") ? target.kind().name() : target.kind().apiVersion();
            String given = patched.at(field).map(Object::toString).orElse("");
            if (!given.isEmpty() && !given.equals(wanted)) {
                throw RestFailure.of(
                        422,
                        "Invalid",
                        "the patch leaves " + field + " " + given + ", and that of the path is " + wanted);
            }
        }
        Bodies.requireName(target, patched.text("metadata", "name").orElse(""));
        if (!patched.text("metadata", "namespace").orElse("").equals(target.namespace())) {
            throw RestFailure.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    /** A patch that takes the version out means any version, and yet not to undo what others wrote since it was read. */
    static Document pinned(Document patched, Document current) {
        boolean any = patched.text("metadata", "resourceVersion").orElse("").isEmpty();
        return any
                ? patched.with(current.text("metadata", "resourceVersion").orElse(""), "metadata", "resourceVersion")
                : patched;
    }

    private static Document patched(UnaryOperator<Document> edit, Document current) {
        try {
            return edit.apply(current);
        } catch (PatchException e) {
            String message = String.valueOf(e.getMessage());
            throw e.isUnfit() ? RestFailure.of(422, "Invalid", UNFIT + message) : RestFailure.badRequest(message);
        } catch (IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static Edit edit(ApiRequest request, FieldValidation validation) {
        switch (request.contentType()) {
            case "application/json-patch+json" -> {
                Document wrapped = Bodies.json("{\"operations\":" + request.body() + "}", validation);
                if (wrapped.asMap().size() == 1 && wrapped.at("operations").orElse("") instanceof List<?> operations) {
                    return new Edit(current -> JsonPatch.apply(current, operations), Optional.empty());
                }
                throw RestFailure.badRequest("a JSON patch is a list of operations");
            }
            case "application/merge-patch+json" -> {
                Document patch = Bodies.json(request.body(), validation);
                return new Edit(current -> MergePatch.apply(current, patch), Optional.empty());
            }
            case STRATEGIC -> {
                Document patch = Bodies.json(request.body(), validation);
                return new Edit(current -> StrategicPatch.apply(current, patch), Optional.of(patch));
            }
            default -> throw Bodies.unsupported(request.contentType(), SUPPORTED);
        }
    }
}

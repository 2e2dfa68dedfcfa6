// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.apiserver.patch.JsonPatch;
import dev.mooring.apiserver.rest.exchange.Answer;
import dev.mooring.apiserver.rest.exchange.ApiRequest;
import dev.mooring.apiserver.rest.exchange.Bodies;
import dev.mooring.apiserver.rest.exchange.RequestTarget;
import dev.mooring.apiserver.rest.exchange.RestFailure;
import dev.mooring.apiserver.rest.exchange.Statuses;
import dev.mooring.clusterstore.customresources.DefinedVersion.ScalePaths;
import dev.mooring.clusterstore.customresources.JsonPath;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.MergePatch;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.store.StoreResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sub-resource {@code scale} of workloads and custom resources: the numbers of an object in the form of every scaled object. */
public final class Scaling {
    private static final String VERSION = "autoscaling/v1";
    private static final String KIND = "Scale";

    private final ServedStore store;

    public Scaling(ServedStore store) {
        this.store = store;
    }

    /**
     * The answer to a request.
     *
     * @param writing the store as this client writes to it
     */
    public Answer answer(ApiRequest request, RequestTarget target, ServedStore writing) {
        ScalePaths paths = target.resource().scale().orElseThrow();
        return switch (request.method()) {
            case "GET" -> Answer.json(200, scale(paths, value(target, store.getDocument(target.kind(), target.key()))));
            case "PUT" -> {
                Document wanted = Bodies.typed(request, VERSION, KIND);
                Bodies.requireName(target, wanted.text("metadata", "name").orElse(""));
                yield written(
                        paths, target, Conflicts.outlasted(() -> once(writing, target, paths, current -> wanted)));
            }
            case "PATCH" -> {
                Edit edit = edit(request);
                yield written(paths, target, Conflicts.outlasted(() -> once(writing, target, paths, edit)));
            }
            default -> throw RestFailure.methodNotAllowed();
        };
    }

    private interface Edit {
        Document of(Document scale);
    }

    private static Edit edit(ApiRequest request) {
        return switch (request.contentType()) {
            case "application/json-patch+json" -> {
                Document wrapped = Bodies.json("{\"operations\":" + request.body() + "}");
                if (!(wrapped.at("operations").orElse("") instanceof List<?> operations)) {
                    throw RestFailure.badRequest("a JSON patch is a list of operations");
                }
                yield scale -> JsonPatch.apply(scale, operations);
            }
            case "application/merge-patch+json" -> {
                Document patch = Bodies.json(request.body());
                yield scale -> MergePatch.apply(scale, patch);
            }
            default ->
                throw Bodies.unsupported(
                        request.contentType(), "application/json-patch+json, application/merge-patch+json");
        };
    }

    private static StoreResult<Document> once(ServedStore writing, RequestTarget target, ScalePaths paths, Edit edit) {
        StoreResult<Document> current = writing.getDocument(target.kind(), target.key());
        if (current.value().isEmpty()) {
            return current;
        }
        Document found = current.orThrow();
        Document wanted = edit.of(scale(paths, found));
        Object replicas = wanted.at("spec", "replicas").orElse(0L);
        if (!(replicas instanceof Long number) || number < 0) {
            throw Statuses.invalid(
                    "autoscaling",
                    KIND,
                    target.name(),
                    "spec.replicas: Invalid value: " + replicas + ": must be greater than or equal to 0");
        }
        String version = wanted.text("metadata", "resourceVersion").orElse("");
        Document changed = found.with(number, path(paths.specReplicas()));
        return writing.replaceDocument(
                target.kind(), "", version.isEmpty() ? changed : changed.with(version, "metadata", "resourceVersion"));
    }

    private static Answer written(ScalePaths paths, RequestTarget target, StoreResult<Document> result) {
        return Answer.json(200, scale(paths, value(target, result)));
    }

    private static Document value(RequestTarget target, StoreResult<Document> result) {
        return result.orThrow(failed -> Statuses.of(target.kind(), target.name(), failed));
    }

    private static String[] path(String jsonPath) {
        return jsonPath.substring(1).split("\\.", -1);
    }

    private static Document scale(ScalePaths paths, Document object) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            object.at("metadata", field).ifPresent(value -> metadata.put(field, value));
        }
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("replicas", number(paths.statusReplicas(), object));
        if (!paths.labelSelector().isEmpty()) {
            JsonPath.parse(paths.labelSelector())
                    .flatMap(each -> each.in(object).stream().findFirst())
                    .map(Scaling::selector)
                    .filter(selector -> !selector.isEmpty())
                    .ifPresent(selector -> status.put("selector", selector));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", KIND);
        fields.put("apiVersion", VERSION);
        fields.put("metadata", metadata);
        long wanted = number(paths.specReplicas(), object);
        fields.put("spec", wanted == 0 ? Map.of() : Map.of("replicas", wanted));
        fields.put("status", status);
        return Document.of(fields);
    }

    /** The selector of its pods as one text: that of a custom resource is one already. */
    private static String selector(Object value) {
        if (!(value instanceof Map<?, ?> fields)) {
            return value instanceof String text ? text : "";
        }
        List<String> all = new ArrayList<>();
        // that of a ReplicationController has labels alone
        boolean ofSets = fields.containsKey("matchLabels") || fields.containsKey("matchExpressions");
        if ((ofSets ? fields.get("matchLabels") : fields) instanceof Map<?, ?> labels) {
            labels.forEach((key, label) -> all.add(key + "=" + label));
        }
        if (ofSets && fields.get("matchExpressions") instanceof List<?> expressions) {
            expressions.forEach(
                    each -> all.add(requirement(Document.of(Map.of("it", each))).text()));
        }
        all.sort(Comparator.comparing(text -> text.replaceFirst("^!", "")));
        return String.join(",", all);
    }

    private static LabelSelectorRequirement requirement(Document expression) {
        List<?> values = expression.at("it", "values").orElse(List.of()) instanceof List<?> list ? list : List.of();
        return new LabelSelectorRequirement(
                expression.text("it", "key").orElse(""),
                expression.text("it", "operator").orElse(""),
                values.stream().map(String::valueOf).sorted().toList());
    }

    private static long number(String path, Document object) {
        return object.at(path(path))
                .filter(Long.class::isInstance)
                .map(Long.class::cast)
                .orElse(0L);
    }
}

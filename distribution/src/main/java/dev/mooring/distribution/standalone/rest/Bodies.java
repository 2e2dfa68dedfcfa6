// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.rest;

import dev.mooring.distribution.standalone.event.EventView;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ModelException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads what clients send. */
final class Bodies {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    private Bodies() {}

    /** An object for a target: of its kind, with the name and namespace of the path. */
    static Document object(ApiRequest request, Target target, FieldValidation validation) {
        return named(body(request, validation), target);
    }

    /** An object that is not stored, of the kind that is wanted if it says of which it is. */
    static Document typed(ApiRequest request, String apiVersion, String kind) {
        Document body = any(request);
        agree("kind", body.text("kind").orElse(""), kind);
        agree("apiVersion", body.text("apiVersion").orElse(""), apiVersion);
        return body;
    }

    /** An object that is not stored, of whatever kind. */
    static Document any(ApiRequest request) {
        FieldValidation validation = FieldValidation.of(request);
        Document body = body(request, validation);
        String version = body.text("apiVersion").orElse("v1");
        validation.enforce(body.text("kind").orElse("object"), version.substring(version.indexOf('/') + 1));
        return body;
    }

    private static Document body(ApiRequest request, FieldValidation validation) {
        return switch (request.contentType()) {
            case "", Answer.JSON_TYPE -> json(request.body(), validation);
            case Answer.YAML_TYPE -> yaml(request.body());
            default -> throw unsupported(request.contentType(), Answer.JSON_TYPE + ", " + Answer.YAML_TYPE);
        };
    }

    private static Document named(Document body, Target target) {
        Kind<?> kind = target.kind();
        agree("kind", body.text("kind").orElse(""), kind.name());
        agree("apiVersion", body.text("apiVersion").orElse(""), kind.apiVersion());
        Document object = body.with(kind.apiVersion(), "apiVersion").with(kind.name(), "kind");
        Object metadata = body.at("metadata").orElse(JsonNull.NULL);
        if (metadata == JsonNull.NULL) {
            object = object.without("metadata");
        } else if (!(metadata instanceof Map<?, ?>)) {
            throw RestFailure.badRequest("metadata is an object");
        }
        if (kind.namespaced()) {
            if (!target.namespace().isEmpty()) {
                String given = body.text("metadata", "namespace").orElse("");
                if (!given.isEmpty() && !given.equals(target.namespace())) {
                    throw RestFailure.badRequest(
                            "the namespace of the provided object does not match the namespace sent on the"
                                    + " request");
                }
                object = object.with(target.namespace(), "metadata", "namespace");
            }
        } else {
            object = object.without("metadata", "namespace");
        }
        String name = body.text("metadata", "name").orElse("");
        requireName(target, name);
        return object;
    }

    /** What is written to an object's path says that it is that object: else it may be another one's manifest. */
    static void requireName(Target target, String name) {
        if (target.name().isEmpty() || name.equals(target.name())) {
            return;
        }
        throw RestFailure.badRequest(
                name.isEmpty()
                        ? "the name of the object (" + target.name()
                                + " based on URL) was undeterminable: name must be provided"
                        : "the name of the object (" + name + ") does not match the name on the URL (" + target.name()
                                + ")");
    }

    /**
     * Refuses what cannot be read as its kind, as where a text stands for an integer. What can be read, and breaks a rule, is for the
     * store to tell.
     */
    static void requireReadable(Kind<?> kind, Document object) {
        boolean view = kind == EventView.KIND;
        Document read = (view ? EventView.stored(object) : prepared(kind, object)).withoutNulls();
        try {
            Object unused = (view ? Kinds.EVENT : kind).read(read);
        } catch (ModelException e) {
            throw unreadable(kind, String.valueOf(e.getMessage()));
        }
    }

    static RestFailure unreadable(Kind<?> kind, String problem) {
        return RestFailure.badRequest(kind.name() + " in version \"" + kind.version() + "\" cannot be handled as a "
                + kind.name() + ": " + problem);
    }

    static void agree(String field, String given, String wanted) {
        if (!given.isEmpty() && !given.equals(wanted)) {
            throw RestFailure.badRequest(
                    field + " in the body (" + given + ") is not that of the path (" + wanted + ")");
        }
    }

    /**
     * What the API server does with an object before it stores it, beyond defaults: secrets get a type, and their plain
     * texts are encoded; what is encoded already stands in one line.
     */
    static Document prepared(Kind<?> kind, Document object) {
        if (kind == Kinds.CONFIG_MAP) {
            return inOneLine(object, "binaryData");
        } else if (kind != Kinds.SECRET) {
            return object;
        }
        boolean typed = object.text("type").filter(each -> !each.isEmpty()).isPresent();
        return encoded(inOneLine(typed ? object : object.with("Opaque", "type"), "data"));
    }

    /** Base64 is often written with line breaks, and a block in YAML ends with one. */
    private static Document inOneLine(Document object, String field) {
        Map<String, Object> values = new LinkedHashMap<>();
        object.object(field)
                .orElse(Document.empty())
                .asMap()
                .forEach((key, value) -> values.put(
                        key,
                        value instanceof String text ? text.replace("\r", "").replace("\n", "") : value));
        return values.isEmpty() ? object : object.with(values, field);
    }

    private static Document encoded(Document object) {
        if (object.object("stringData").isEmpty()) {
            return object;
        }
        Map<String, Object> data = new LinkedHashMap<>();
        object.object("data").ifPresent(old -> data.putAll(old.asMap()));
        object.object("stringData").orElse(Document.empty()).asMap().forEach((key, value) -> {
            if (!(value instanceof String text)) {
                throw RestFailure.badRequest("stringData holds texts only");
            }
            data.put(key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        });
        return object.without("stringData").with(data, "data");
    }

    static Document json(String text) {
        try {
            return JSON.read(text, "the body");
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** Of fields that stand twice the last counts; the validation hears of them. */
    static Document json(String text, FieldValidation validation) {
        try {
            return JSON.readLastOfRepeated(text, "the body", validation::duplicate);
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** What a deletion asks for; nobody asks for the form in which it came, unless it is YAML. */
    static Document options(ApiRequest request) {
        if (request.body().isBlank()) {
            return Document.empty();
        }
        return request.contentType().equals(Answer.YAML_TYPE) ? yaml(request.body()) : json(request.body());
    }

    private static Document yaml(String text) {
        try {
            return KubernetesYaml.standard().read(text, "the body");
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    static RestFailure unsupported(String type, String supported) {
        return RestFailure.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format (" + type + ") - accepted media types include: "
                        + supported);
    }
}

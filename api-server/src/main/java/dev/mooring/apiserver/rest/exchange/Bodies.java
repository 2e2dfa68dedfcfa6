// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.clusterstore.schema.Decoded;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.clusterstore.schema.WrongFields;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.document.JsonType;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads what clients send. */
public final class Bodies {
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final Schema SCHEMA = Schema.standard();

    private Bodies() {}

    /**
     * An object for a target: of its kind, with the name and namespace of the path.
     *
     * @param borne the fields of a wrong type that it may have, since they were stored so before
     */
    public static Decoded object(
            ApiRequest request, RequestTarget target, FieldValidation validation, WrongFields borne) {
        Kind<?> kind = target.kind();
        Document body = body(request, validation);
        requireTyped(kind.name(), body);
        agree("kind", body.text("kind").orElse(""), kind.name());
        agree("apiVersion", body.text("apiVersion").orElse(""), kind.apiVersion());
        Decoded decoded = target.resource().decode(body);
        WrongFields wrong = decoded.wrong().notIn(borne);
        if (!wrong.isEmpty()) {
            throw RestFailure.badRequest(wrong.refusal(kind));
        }
        return new Decoded(named(decoded.object(), target), WrongFields.NONE, decoded.unknown());
    }

    /** An object that is not stored, of the kind that is wanted if it says of which it is. */
    public static Document typed(ApiRequest request, String apiVersion, String kind) {
        return typed(request, List.of(apiVersion), kind);
    }

    /** The same of one of several versions, of which the first is meant if it names none. */
    public static Document typed(ApiRequest request, List<String> apiVersions, String kind) {
        FieldValidation validation = FieldValidation.of(request);
        return typed(body(request, validation), apiVersions, kind, validation);
    }

    private static Document typed(Document body, List<String> apiVersions, String kind, FieldValidation validation) {
        requireTyped(kind, body);
        agree("kind", body.text("kind").orElse(""), kind);
        String given = body.text("apiVersion").orElse("");
        String apiVersion = apiVersions.contains(given) ? given : apiVersions.get(0);
        agree("apiVersion", given, apiVersion);
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        Decoded decoded = SCHEMA.type(group, version, kind)
                .map(type -> SCHEMA.decode(type, body))
                .orElseThrow(() -> new IllegalStateException("the schema has no " + apiVersion + " " + kind));
        if (!decoded.wrong().isEmpty()) {
            throw RestFailure.badRequest(decoded.wrong().refusal(kind, version));
        }
        validation.unknown(decoded.unknown(), List.of());
        validation.enforce(kind, version);
        return decoded.object();
    }

    /** What says of which kind it is says so by texts: nothing else of it is read before that. */
    private static void requireTyped(String kind, Document body) {
        for (String field : List.of("apiVersion", "kind")) {
            Object given = body.at(field).orElse("");
            if (!(given instanceof String) && given != JsonNull.NULL) {
                String type = JsonType.of(given).name().toLowerCase(Locale.ROOT).replace("boolean", "bool");
                throw RestFailure.badRequest("the object provided is unrecognized (must be of type " + kind
                        + "): couldn't get version/kind; json parse error: json: cannot unmarshal " + type
                        + " into Go struct field ." + field + " of type string");
            }
        }
    }

    private static Document body(ApiRequest request, FieldValidation validation) {
        return switch (request.contentType()) {
            case "", Answer.JSON_TYPE -> json(request.body(), validation);
            case Answer.YAML_TYPE -> yaml(request.body());
            default -> throw unsupported(request.contentType(), Answer.JSON_TYPE + ", " + Answer.YAML_TYPE);
        };
    }

    private static Document named(Document body, RequestTarget target) {
        Kind<?> kind = target.kind();
        Document object = body.with(kind.apiVersion(), "apiVersion").with(kind.name(), "kind");
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
    public static void requireName(RequestTarget target, String name) {
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

    public static void agree(String field, String given, String wanted) {
        if (!given.isEmpty() && !given.equals(wanted)) {
            throw RestFailure.badRequest(
                    field + " in the body (" + given + ") is not that of the path (" + wanted + ")");
        }
    }

    /** What the API server does with an object before it stores it, beyond defaults: secrets get a type, and their plain texts are encoded. */
    public static Document prepared(Kind<?> kind, Document object) {
        if (kind != Kinds.SECRET) {
            return object;
        }
        boolean typed = object.text("type").filter(each -> !each.isEmpty()).isPresent();
        return encoded(typed ? object : object.with("Opaque", "type"));
    }

    private static Document encoded(Document object) {
        if (object.object("stringData").isEmpty()) {
            return object;
        }
        Map<String, Object> data = new LinkedHashMap<>();
        object.object("data").ifPresent(old -> data.putAll(old.asMap()));
        object.object("stringData").orElse(Document.empty()).asMap().forEach((key, value) -> {
            byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
            data.put(key, Base64.getEncoder().encodeToString(bytes));
        });
        return object.without("stringData").with(data, "data");
    }

    public static Document json(String text) {
        try {
            return JSON.read(text, "the body");
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** Of repeated fields the last counts; the validation gets them all. */
    public static Document json(String text, FieldValidation validation) {
        try {
            return JSON.readLastOfRepeated(text, "the body", validation::duplicate);
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** What a deletion asks for. The form in which it came does not matter, unless it is YAML. */
    public static Document options(ApiRequest request) {
        if (request.body().isBlank()) {
            return Document.empty();
        }
        Document body = request.contentType().equals(Answer.YAML_TYPE) ? yaml(request.body()) : json(request.body());
        // Those of every group are the same.
        return typed(body.without("apiVersion"), List.of("meta/v1"), "DeleteOptions", FieldValidation.of(request));
    }

    public static Document yaml(String text) {
        try {
            return KubernetesYaml.standard().read(text, "the body");
        } catch (CodecException | IllegalArgumentException e) {
            throw RestFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    public static RestFailure unsupported(String type, String supported) {
        return RestFailure.of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format (" + type + ") - accepted media types include: "
                        + supported);
    }
}

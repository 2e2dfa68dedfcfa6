// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.JsonNull;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What a schema must be to be structural, so that objects can be pruned and given defaults (Kubernetes' page <em>Extend the Kubernetes API with
 * CustomResourceDefinitions</em>). Pure.
 */
final class StructuralRules {
    private static final Set<String> TYPES = Set.of("array", "boolean", "integer", "number", "object", "string");
    private static final List<String> UNSUPPORTED =
            List.of("$ref", "definitions", "dependencies", "id", "patternProperties", "additionalItems");
    private static final List<String> ONLY_OUTSIDE = List.of(
            "description",
            "type",
            "default",
            "nullable",
            "title",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys",
            "x-kubernetes-map-type");
    private static final List<String> JUNCTIONS = List.of("allOf", "anyOf", "oneOf");

    private final Problems problems;

    private StructuralRules(Problems problems) {
        this.problems = problems;
    }

    /** Says what is wrong with the schema of a version. */
    static void judge(JsonSchema schema, String path, Problems problems) {
        StructuralRules rules = new StructuralRules(problems);
        rules.root(schema, path);
        rules.schema(schema, path, "must not be empty at the root", true);
    }

    private void root(JsonSchema schema, String path) {
        if (schema.isNullable()) {
            problems.forbidden(path + ".nullable", "nullable cannot be true at the root");
        }
        if (!schema.type().isEmpty() && !schema.type().equals("object")) {
            problems.invalid(path + ".type", schema.type(), "must be object at the root");
        }
        JsonSchema metadata = schema.properties().get("metadata");
        if (metadata != null) {
            metadata(metadata, path + ".properties[metadata]");
        }
    }

    private void metadata(JsonSchema metadata, String path) {
        boolean others = !Set.of("name", "generateName")
                        .containsAll(metadata.properties().keySet())
                || metadata.additionalProperties().isPresent()
                || metadata.words().at("default").isPresent();
        if (others) {
            problems.forbidden(
                    path,
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private void schema(JsonSchema schema, String path, String untyped, boolean isRoot) {
        type(schema, path, untyped);
        unsupported(schema, path);
        extensions(schema, path, isRoot);
        lists(schema, path);
        pattern(schema, path);
        for (String junction : JUNCTIONS) {
            List<JsonSchema> all = schema.junction(junction);
            for (int i = 0; i < all.size(); i++) {
                value(all.get(i), schema, path + "." + junction + "[" + i + "]");
            }
        }
        schema.not().ifPresent(not -> value(not, schema, path + ".not"));
        schema.properties()
                .forEach((name, each) -> schema(
                        each,
                        path + ".properties[" + name + "]",
                        "must not be empty for specified object fields",
                        false));
        schema.items()
                .ifPresent(
                        items -> schema(items, path + ".items", "must not be empty for specified array items", false));
        schema.additionalProperties()
                .ifPresent(other -> schema(
                        other, path + ".additionalProperties", "must not be empty for specified object fields", false));
        defaultValue(schema, path, isRoot);
    }

    // ---- types ----

    private void type(JsonSchema schema, String path, String untyped) {
        String type = schema.type();
        if (type.isEmpty()) {
            if (!schema.isIntOrString() && !schema.keepsUnknown() && !Fields.isSet(schema.words(), "$ref")) {
                problems.required(path + ".type", untyped);
            }
        } else if (!TYPES.contains(type)) {
            problems.notSupported(path + ".type", type, TYPES);
        } else if (type.equals("array") && schema.items().isEmpty()) {
            boolean given = schema.words().at("items").isPresent();
            if (given) {
                problems.forbidden(path + ".items", "items must be a schema object and not an array");
            } else {
                problems.required(path + ".items", "must be specified");
            }
        }
    }

    private void unsupported(JsonSchema schema, String path) {
        for (String word : UNSUPPORTED) {
            if (Fields.isSet(schema.words(), word)) {
                problems.forbidden(path + "." + word, word + " is not supported");
            }
        }
        if (schema.is("uniqueItems")) {
            problems.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        Object additional = schema.words().at("additionalProperties").orElse(JsonNull.NULL);
        if (additional != JsonNull.NULL && !schema.properties().isEmpty()) {
            problems.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive");
        } else if (additional != JsonNull.NULL && !(additional instanceof Map) && !(additional instanceof Boolean)) {
            problems.invalid(path + ".additionalProperties", additional, "must be a schema object or a boolean");
        }
        for (String number : List.of("maximum", "minimum", "multipleOf")) {
            if (Fields.isSet(schema.words(), number) && schema.number(number).isEmpty()) {
                problems.invalid(path + "." + number, schema.words().at(number).orElse(""), "must be a number");
            }
        }
    }

    private void extensions(JsonSchema schema, String path, boolean isRoot) {
        if (schema.words()
                .at("x-kubernetes-preserve-unknown-fields")
                .filter(Boolean.FALSE::equals)
                .isPresent()) {
            problems.invalid(path + ".x-kubernetes-preserve-unknown-fields", false, "must be true or undefined");
        }
        if (schema.isEmbedded()) {
            if (!schema.type().equals("object")) {
                problems.invalid(
                        path + ".type", schema.type(), "must be object if x-kubernetes-embedded-resource is true");
            }
            if (schema.properties().isEmpty() && !schema.keepsUnknown()) {
                problems.required(
                        path + ".properties",
                        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields");
            }
            JsonSchema metadata = schema.properties().get("metadata");
            if (metadata != null && !isRoot) {
                metadata(metadata, path + ".properties[metadata]");
            }
        }
        String mapType = schema.text("x-kubernetes-map-type");
        if (!mapType.isEmpty()) {
            problems.oneOf(path + ".x-kubernetes-map-type", mapType, List.of("atomic", "granular"));
            if (!schema.type().equals("object")) {
                problems.invalid(path + ".type", schema.type(), "must be object if x-kubernetes-map-type is specified");
            }
        }
    }

    private void pattern(JsonSchema schema, String path) {
        String pattern = schema.text("pattern");
        try {
            Pattern unused = Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            problems.invalid(
                    path + ".pattern", pattern, "must be a valid regular expression, but isn't: " + e.getDescription());
        }
    }

    // ---- lists ----

    private void lists(JsonSchema schema, String path) {
        String type = schema.listType();
        List<String> keys = schema.listMapKeys();
        if (type.isEmpty()) {
            if (!keys.isEmpty()) {
                problems.required(
                        path + ".x-kubernetes-list-type", "must be map if x-kubernetes-list-map-keys is non-empty");
            }
            return;
        }
        if (!List.of("atomic", "set", "map").contains(type)) {
            problems.add(new FieldError(
                    path + ".x-kubernetes-list-type",
                    Problem.NOT_SUPPORTED,
                    "\"" + type + "\"",
                    "supported values: \"atomic\", \"set\", \"map\""));
        }
        if (!schema.type().equals("array")) {
            problems.invalid(path + ".type", schema.type(), "must be array if x-kubernetes-list-type is specified");
        } else if (type.equals("set")) {
            schema.items().ifPresent(items -> set(items, path + ".items"));
        } else if (type.equals("map")) {
            map(schema, keys, path);
        }
        if (!type.equals("map") && !keys.isEmpty()) {
            problems.invalid(
                    path + ".x-kubernetes-list-type", type, "must be map if x-kubernetes-list-map-keys is non-empty");
        }
    }

    private void set(JsonSchema items, String path) {
        if (items.isNullable()) {
            problems.forbidden(path + ".nullable", "cannot be nullable when x-kubernetes-list-type is set");
        }
        String mapType = items.text("x-kubernetes-map-type");
        if (items.type().equals("object") && !mapType.equals("atomic")) {
            String detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
            problems.invalid(path + ".x-kubernetes-map-type", mapType.isEmpty() ? "null" : mapType, detail);
        } else if (items.type().equals("array") && !List.of("", "atomic").contains(items.listType())) {
            problems.invalid(
                    path + ".x-kubernetes-list-type",
                    items.listType(),
                    "must be atomic as item of a list with x-kubernetes-list-type=set");
        }
    }

    private void map(JsonSchema schema, List<String> keys, String path) {
        if (keys.isEmpty()) {
            problems.required(
                    path + ".x-kubernetes-list-map-keys", "must not be empty if x-kubernetes-list-type is map");
        }
        if (schema.items().isEmpty()) {
            return;
        }
        JsonSchema items = schema.items().get();
        if (!items.type().equals("object")) {
            problems.invalid(
                    path + ".items.type",
                    items.type(),
                    "must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        if (!items.properties().keySet().containsAll(keys)) {
            problems.invalid(
                    path + ".x-kubernetes-list-map-keys", keys, "entries must all be names of item properties");
        }
        for (String key : keys) {
            JsonSchema property = items.properties().get(key);
            if (property == null) {
                continue;
            }
            if (!items.required().contains(key) && property.defaultValue().isEmpty()) {
                problems.required(
                        path + ".items.properties[" + key + "].default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property");
            } else if (property.isNullable()) {
                problems.forbidden(
                        path + ".items.properties[" + key + "].nullable",
                        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
            }
        }
    }

    // ---- junctions ----

    /** Within a junction values are judged, and nothing is said of what there is. */
    private void value(JsonSchema schema, JsonSchema outside, String path) {
        boolean intOrString = outside.isIntOrString();
        for (String word : ONLY_OUTSIDE) {
            if (Fields.isSet(schema.words(), word) && !(word.equals("type") && intOrString)) {
                problems.forbidden(path + "." + word, "must be empty to be structural");
            }
        }
        if (Fields.isSet(schema.words(), "additionalProperties")) {
            problems.forbidden(path + ".additionalProperties", "must be undefined to be structural");
        }
        pattern(schema, path);
        schema.properties()
                .forEach((name, each) -> value(
                        each,
                        Optional.ofNullable(outside.properties().get(name)).orElse(JsonSchema.ANYTHING),
                        path + ".properties[" + name + "]"));
        schema.items().ifPresent(items -> value(items, outside.items().orElse(JsonSchema.ANYTHING), path + ".items"));
        for (String junction : JUNCTIONS) {
            List<JsonSchema> all = schema.junction(junction);
            for (int i = 0; i < all.size(); i++) {
                value(all.get(i), outside, path + "." + junction + "[" + i + "]");
            }
        }
        schema.not().ifPresent(not -> value(not, outside, path + ".not"));
    }

    // ---- defaults ----

    private void defaultValue(JsonSchema schema, String path, boolean isRoot) {
        if (schema.defaultValue().isEmpty()) {
            return;
        }
        Object value = schema.defaultValue().get();
        if (isRoot && !(value instanceof Map)) {
            problems.invalid(path + ".default", value, "must be an object");
            return;
        }
        Problems own = new Problems();
        SchemaValidation.judge(schema, value, "", own);
        for (FieldError each : own.found()) {
            String below = each.path().equals("<nil>") ? "" : "." + each.path();
            problems.add(new FieldError(path + ".default" + below, each.problem(), each.value(), each.detail()));
        }
        SchemaDecoding decoding = new SchemaDecoding();
        if (value instanceof Map<?, ?> members && schema.type().equals("object")) {
            Map<String, Object> unused = decoding.object(schema, members);
        }
        if (!decoding.unknown().isEmpty()) {
            problems.invalid(path + ".default", value, "must not have unknown fields");
        }
    }
}

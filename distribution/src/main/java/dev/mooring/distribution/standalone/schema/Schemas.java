// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.schema;

import dev.mooring.distribution.standalone.event.EventView;
import dev.mooring.distribution.standalone.patch.MergeKeys;
import dev.mooring.distribution.standalone.resource.Resource;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.HiddenText;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Describes kinds from the records of the model. What the model does not know of a kind is kept by the store all the same; it is not
 * described.
 */
final class Schemas {
    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> FLAG = Map.of("type", "boolean");
    private static final Map<String, Object> NUMBER = Map.of("type", "integer", "format", "int64");
    private static final Map<String, Object> OBJECT = Map.of("type", "object");
    private static final Map<String, Object> OBJECTS = Map.of("type", "array", "items", OBJECT);
    /** Fields of Kubernetes that the model has no use for; the store keeps them, and nobody is told that they do not exist. */
    private static final Map<String, Map<String, Object>> BEYOND_THE_MODEL = Map.of(
            "ObjectMeta", fields("selfLink", TEXT, "managedFields", OBJECTS),
            "Secret", fields("stringData", Map.of("type", "object", "additionalProperties", TEXT)),
            "ServiceAccount",
                    fields("secrets", OBJECTS, "imagePullSecrets", OBJECTS, "automountServiceAccountToken", FLAG),
            "Event", fields("eventTime", TEXT, "series", OBJECT, "related", OBJECT),
            "LeaseSpec", fields("strategy", TEXT, "preferredHolder", TEXT),
            "NamespaceStatus", fields("conditions", OBJECTS),
            "CSIDriverSpec",
                    fields(
                            "tokenRequests", OBJECTS,
                            "nodeAllocatableUpdatePeriodSeconds", NUMBER,
                            "serviceAccountTokenInSecrets", FLAG));

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private final String references;
    private final Map<String, Map<String, Object>> all = new TreeMap<>();

    /**
     * Starts an empty collection.
     *
     * @param references what stands before a name in a reference
     */
    Schemas(String references) {
        this.references = references;
    }

    /** Adds a kind and what it is made of. */
    void add(Resource resource, boolean announced) {
        Kind<?> kind = resource.kind();
        Map<String, Object> schema = record(kind, kind.type());
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("apiVersion", Map.of("type", "string", "description", Descriptions.of("apiVersion")));
        properties.put("kind", Map.of("type", "string", "description", Descriptions.of("kind")));
        if (schema.get("properties") instanceof Map<?, ?> own) {
            own.forEach((key, value) ->
                    properties.put(kind == EventView.KIND ? EventView.shownName((String) key) : (String) key, value));
        }
        schema.put("description", Descriptions.of(kind.name()));
        schema.put("properties", properties);
        if (announced) {
            schema.put("x-kubernetes-group-version-kind", List.of(gvk(kind)));
        }
        all.put(name(kind), schema);
    }

    /** All of them by name. */
    Map<String, Map<String, Object>> all() {
        return all;
    }

    static String name(Kind<?> kind) {
        return prefix(kind) + kind.name();
    }

    static Map<String, Object> gvk(Kind<?> kind) {
        Map<String, Object> gvk = new LinkedHashMap<>();
        gvk.put("group", kind.group());
        gvk.put("version", kind.version());
        gvk.put("kind", kind.name());
        return gvk;
    }

    private static String prefix(Kind<?> kind) {
        String group = kind.group().isEmpty() ? "core" : kind.group().replaceFirst("\\..*", "");
        return "io.k8s.api." + group + "." + kind.version() + ".";
    }

    private Map<String, Object> record(Kind<?> kind, Class<?> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (isInlineSource(component)) {
                boolean persistent = type == PersistentVolumeSpec.class;
                List<String> sources = persistent ? VolumeSource.PERSISTENT_TYPES : VolumeSource.POD_TYPES;
                sources.forEach(each -> properties.put(each, described(each, SourceSchemas.of(each, persistent))));
            } else {
                Map<String, Object> property = schema(kind, component.getGenericType());
                extend(property, parent(type), component.getName());
                properties.put(component.getName(), described(component.getName(), property));
            }
        }
        BEYOND_THE_MODEL
                .getOrDefault(type.getSimpleName(), Map.of())
                .forEach((name, field) -> properties.put(name, described(name, (Map<?, ?>) field)));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("description", Descriptions.of(type.getSimpleName()));
        schema.put("properties", properties);
        return schema;
    }

    private static Map<String, Object> fields(Object... pairs) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put((String) pairs[i], pairs[i + 1]);
        }
        return fields;
    }

    private static Map<String, Object> described(String name, Map<?, ?> schema) {
        Map<String, Object> described = new LinkedHashMap<>();
        schema.forEach((key, value) -> described.put((String) key, value));
        String text = Descriptions.of(name);
        if (!text.isEmpty() && !described.containsKey("$ref")) {
            described.put("description", text);
        }
        return described;
    }

    private static boolean isInlineSource(RecordComponent component) {
        return component.getName().equals("source")
                && component.getGenericType() instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[0] == VolumeSource.class;
    }

    private static String parent(Class<?> type) {
        String name = type.getSimpleName();
        if (type == ObjectMeta.class) {
            return "metadata";
        } else if (name.equals("Container")) {
            return "containers";
        }
        return name.endsWith("Spec") ? "spec" : name.endsWith("Status") ? "status" : "";
    }

    private static void extend(Map<String, Object> property, String parent, String field) {
        MergeKeys.of(parent, field).ifPresent(key -> {
            property.put("x-kubernetes-patch-merge-key", key);
            property.put("x-kubernetes-patch-strategy", "merge");
        });
        if (MergeKeys.isSet(parent, field)) {
            property.put("x-kubernetes-patch-strategy", "merge");
        }
    }

    /** Of an optional value, a list or a map. */
    private Map<String, Object> container(Kind<?> kind, ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            return schema(kind, arguments[0]);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        if (type.getRawType() == List.class) {
            schema.put("type", "array");
            schema.put("items", schema(kind, arguments[0]));
        } else {
            schema.put("type", "object");
            schema.put("additionalProperties", schema(kind, arguments[1]));
        }
        return schema;
    }

    private Map<String, Object> schema(Kind<?> kind, Type type) {
        if (type instanceof ParameterizedType generic) {
            return container(kind, generic);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        if (type == boolean.class || type == Boolean.class) {
            schema.put("type", "boolean");
        } else if (type == long.class || type == Long.class) {
            schema.put("type", "integer");
            schema.put("format", "int64");
        } else if (type == Instant.class) {
            schema.put("type", "string");
            schema.put("format", "date-time");
        } else if (type == HiddenText.class) {
            schema.put("type", "string");
            schema.put("format", "byte");
        } else if (type == Quantity.class) {
            String name = "io.k8s.apimachinery.pkg.api.resource.Quantity";
            all.put(name, Map.of("type", "string", "description", Descriptions.of("Quantity")));
            schema.put("$ref", references + name);
        } else if (type == Document.class || type == VolumeSource.class) {
            schema.put("type", "object");
        } else if (type instanceof Class<?> c && c.isRecord()) {
            String name = (c == ObjectMeta.class ? META : prefix(kind)) + c.getSimpleName();
            if (!all.containsKey(name)) {
                all.put(name, new LinkedHashMap<>()); // records may contain themselves
                all.put(name, record(kind, c));
            }
            schema.put("$ref", references + name);
        } else {
            schema.put("type", "string");
        }
        return schema;
    }
}

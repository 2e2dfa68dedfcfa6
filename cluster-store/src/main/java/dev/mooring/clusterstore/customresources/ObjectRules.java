// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.fields.Fields;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.JsonNull;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules in CEL of a schema, and what they say of objects. A schema without rules costs nothing; those of others are read when they are first
 * needed. Thread-safe.
 */
final class ObjectRules {
    private static final String WORD = "x-kubernetes-validations";

    private final JsonSchema root;
    private volatile @Nullable Map<JsonSchema, List<CelRule>> read;

    ObjectRules(JsonSchema root) {
        this.root = root;
    }

    /** A rule, and the value of which it speaks. */
    interface Place {
        /**
         * Sees a rule.
         *
         * @param field in an object: {@code spec.names[*]}; empty for the object itself
         * @param schema in a definition: {@code .properties[spec]}
         * @param index of the rule in its list
         */
        void see(String field, String schema, int index, CelRule rule);
    }

    /** Reads all rules, in the order of the schema. */
    static void each(JsonSchema schema, Place place) {
        each(schema, "", "", place);
    }

    private static void each(JsonSchema schema, String field, String path, Place place) {
        List<CelRule> own = rules(schema);
        for (int i = 0; i < own.size(); i++) {
            place.see(field, path + "." + WORD, i, own.get(i));
        }
        schema.properties()
                .forEach((name, below) ->
                        each(below, SchemaValidation.child(field, name), path + ".properties[" + name + "]", place));
        schema.items().ifPresent(items -> each(items, field + "[*]", path + ".items", place));
        schema.additionalProperties()
                .ifPresent(others -> each(others, field + "[*]", path + ".additionalProperties", place));
    }

    private static List<CelRule> rules(JsonSchema schema) {
        return Fields.objects(schema.words(), WORD).stream().map(CelRule::of).toList();
    }

    /** Says which rules an object breaks. Those that compare with the value before are left out. */
    void state(Map<String, Object> object, Problems problems) {
        if (!rules().isEmpty()) {
            judge(root, named(object), Optional.empty(), "", problems);
        }
    }

    /** Says which rules a change breaks, of those that compare with the value before. */
    void change(Map<String, Object> before, Map<String, Object> after, Problems problems) {
        if (!rules().isEmpty()) {
            judge(root, named(after), Optional.of(named(before)), "", problems);
        }
    }

    boolean isEmpty() {
        return rules().isEmpty();
    }

    private Map<JsonSchema, List<CelRule>> rules() {
        Map<JsonSchema, List<CelRule>> known = read;
        if (known == null) {
            known = new HashMap<>();
            collect(root, known);
            read = known;
        }
        return known;
    }

    private static void collect(JsonSchema schema, Map<JsonSchema, List<CelRule>> into) {
        List<CelRule> own = rules(schema);
        if (!own.isEmpty()) {
            into.put(schema, own);
        }
        schema.properties().values().forEach(each -> collect(each, into));
        schema.items().ifPresent(each -> collect(each, into));
        schema.additionalProperties().ifPresent(each -> collect(each, into));
    }

    /** Of its metadata, rules see the name. */
    private static Map<String, Object> named(Map<String, Object> object) {
        Map<String, Object> seen = new LinkedHashMap<>(object);
        Map<String, Object> names = new LinkedHashMap<>();
        if (object.get("metadata") instanceof Map<?, ?> metadata) {
            for (String name : List.of("name", "generateName")) {
                Object value = metadata.get(name);
                if (value != null) {
                    names.put(name, value);
                }
            }
        }
        seen.put("metadata", names);
        return seen;
    }

    // ---- judging ----

    /**
     * Judges a value, and what is in it.
     *
     * @param before the value before; if it is empty, this is no change
     */
    private void judge(JsonSchema schema, Object value, Optional<Object> before, String path, Problems problems) {
        if (value == JsonNull.NULL) {
            return;
        }
        own(schema, value, before, path, problems);
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                JsonSchema property = schema.properties().get(key);
                Optional<Object> old = before.filter(Map.class::isInstance).map(all -> ((Map<?, ?>) all).get(key));
                if (property != null) {
                    below(property, each, before, old, SchemaValidation.child(path, (String) key), problems);
                } else {
                    schema.additionalProperties()
                            .ifPresent(others -> below(others, each, before, old, path + "[" + key + "]", problems));
                }
            });
        } else if (value instanceof List<?> list) {
            schema.items().ifPresent(items -> {
                for (int i = 0; i < list.size(); i++) {
                    Object each = list.get(i);
                    Optional<Object> old = before.flatMap(all -> counterpart(schema, each, all));
                    below(items, each, before, old, path + "[" + i + "]", problems);
                }
            });
        }
    }

    /** In a change, what was not there before has no rule that compares. */
    private void below(
            JsonSchema schema,
            Object value,
            Optional<Object> parent,
            Optional<Object> before,
            String path,
            Problems problems) {
        if (parent.isEmpty() || before.isPresent()) {
            judge(schema, value, before, path, problems);
        }
    }

    private void own(JsonSchema schema, Object value, Optional<Object> before, String path, Problems problems) {
        List<CelRule> own = rules().getOrDefault(schema, List.of()).stream()
                .filter(each -> each.looksBack() == before.isPresent())
                .toList();
        if (own.isEmpty()) {
            return;
        }
        Map<String, Object> variables = new HashMap<>();
        variables.put(RuleLanguage.SELF, CelValues.of(schema, value));
        before.ifPresent(old -> variables.put(RuleLanguage.OLD_SELF, CelValues.of(schema, old)));
        own.forEach(each -> each.judge(variables, schema.type(), path, problems));
    }

    /** The element of a list that is a map by keys which has the same keys; other lists have none. */
    private static Optional<Object> counterpart(JsonSchema schema, Object element, Object before) {
        if (!schema.listType().equals("map") || !(before instanceof List<?> all)) {
            return Optional.empty();
        }
        List<String> keys = schema.listMapKeys();
        return all.stream()
                .filter(each -> each instanceof Map<?, ?> one
                        && element instanceof Map<?, ?> other
                        && keys.stream().allMatch(key -> Objects.equals(one.get(key), other.get(key))))
                .<Object>map(each -> each)
                .findFirst();
    }
}

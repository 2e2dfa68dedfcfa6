// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.fieldmanagement;

import dev.mooring.clusterstore.fieldmanagement.FieldSet.Branch;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The form {@code FieldsV1} of a set: an object with a key for each step, {@code f:} before a field's name, {@code k:} before an element's
 * keys, {@code v:} before a value, {@code i:} before an index; {@code .} stands for the path itself, if paths below it are there too.
 */
final class FieldsV1 {
    private static final KubernetesJson JSON = KubernetesJson.standard();
    private static final String SELF = ".";
    private static final int MOST_KNOWN = 2_000;
    private static final int LONGEST_KNOWN = 200;
    private static final Map<String, PathElement> KNOWN = new ConcurrentHashMap<>();

    private FieldsV1() {}

    static Map<String, Object> encode(FieldSet set) {
        Map<String, Object> fields = new LinkedHashMap<>();
        set.branches().forEach((step, branch) -> {
            Map<String, Object> below = new LinkedHashMap<>();
            if (branch.member() && !branch.below().isEmpty()) {
                below.put(SELF, Map.of());
            }
            below.putAll(encode(branch.below()));
            fields.put(step.encoded(), below);
        });
        return fields;
    }

    /**
     * Reads the form.
     *
     * @throws IllegalArgumentException if it is none
     */
    static FieldSet decode(Map<?, ?> fields) {
        TreeMap<PathElement, Branch> branches = new TreeMap<>();
        fields.forEach((key, value) -> {
            if (!(value instanceof Map<?, ?> below)) {
                throw new IllegalArgumentException("fieldsV1: " + key + ": must be an object, not " + value);
            } else if (!SELF.equals(key)) {
                boolean member = below.isEmpty() || below.containsKey(SELF);
                branches.put(step(String.valueOf(key)), new Branch(member, decode(below)));
            }
        });
        return FieldSet.of(branches);
    }

    /** The same few elements of lists stand in all objects of a kind, and to read their JSON is most of the work. */
    private static PathElement step(String text) {
        if (text.startsWith("f:") || text.length() > LONGEST_KNOWN) {
            return read(text);
        }
        PathElement known = KNOWN.get(text);
        if (known == null) {
            known = read(text);
            if (KNOWN.size() >= MOST_KNOWN) {
                KNOWN.clear();
            }
            KNOWN.put(text, known);
        }
        return known;
    }

    private static PathElement read(String text) {
        String content = text.length() < 2 ? "" : text.substring(2);
        if (text.startsWith("f:")) {
            return PathElement.field(content);
        } else if (text.startsWith("k:") && json(content) instanceof Map<?, ?> keys && !keys.isEmpty()) {
            Map<String, Object> read = new TreeMap<>();
            keys.forEach((name, value) -> read.put(String.valueOf(name), value));
            return PathElement.keys(read);
        } else if (text.startsWith("v:")) {
            return PathElement.value(json(content));
        } else if (text.startsWith("i:")) {
            return PathElement.index(Long.parseLong(content));
        }
        throw new IllegalArgumentException("fieldsV1: the key " + text + " is unknown");
    }

    /** The JSON that stands in a key. */
    private static Object json(String text) {
        try {
            return JSON.read("{\"v\":" + text + "}", "a value")
                    .at("v")
                    .orElseThrow(() -> new IllegalArgumentException("there is no value"));
        } catch (CodecException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

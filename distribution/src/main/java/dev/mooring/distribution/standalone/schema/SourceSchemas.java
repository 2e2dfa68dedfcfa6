// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes the sources of volumes, which the model keeps as they are written. */
final class SourceSchemas {
    private static final Properties FIELDS = Descriptions.read("volume-sources.properties");
    private static final Pattern FIELD = Pattern.compile("(\\w+)(\\?|#|\\*|\\[]|\\{})?(?:=(\\w+))?");
    private static final Map<String, Object> TEXT = Map.of("type", "string");

    private SourceSchemas() {}

    /**
     * The description of a source.
     *
     * @param type such as {@code nfs}
     * @param persistent whether of a PersistentVolume, not of a pod's volume
     * @throws IllegalStateException if it is not known
     */
    static Map<String, Object> of(String type, boolean persistent) {
        String own = "persistent." + type;
        return record(persistent && FIELDS.containsKey(own) ? own : type);
    }

    private static Map<String, Object> record(String name) {
        String fields = FIELDS.getProperty(name);
        if (fields == null) {
            throw new IllegalStateException("volume-sources.properties lacks " + name);
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String field : fields.strip().split("\\s+", -1)) {
            Matcher parts = FIELD.matcher(field);
            if (!parts.matches()) {
                throw new IllegalStateException("volume-sources.properties: " + name + ": " + field);
            }
            properties.put(parts.group(1), schema(parts));
        }
        return Map.of("type", "object", "properties", properties);
    }

    private static Map<String, Object> schema(Matcher parts) {
        Map<String, Object> one = parts.group(3) == null ? TEXT : record(parts.group(3));
        String mark = parts.group(2) == null ? "" : parts.group(2);
        return switch (mark) {
            case "?" -> Map.of("type", "boolean");
            case "#" -> Map.of("type", "integer", "format", "int64");
            case "[]" -> Map.of("type", "array", "items", one);
            case "{}" -> Map.of("type", "object", "additionalProperties", one);
            case "*" -> Map.of();
            default -> one;
        };
    }
}

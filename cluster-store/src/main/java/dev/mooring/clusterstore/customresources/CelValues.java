// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.projectnessie.cel.common.types.BytesT;
import org.projectnessie.cel.common.types.DurationT;
import org.projectnessie.cel.common.types.NullT;
import org.projectnessie.cel.common.types.TimestampT;

/** Values as rules see them, by their schema (Kubernetes' page <em>Common Expression Language in Kubernetes</em>). Pure. */
final class CelValues {
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private CelValues() {}

    /** A value as a rule sees it. */
    static Object of(JsonSchema schema, Object value) {
        if (value instanceof Map<?, ?> map) {
            return object(schema, map);
        } else if (value instanceof List<?> list) {
            List<Object> all = new ArrayList<>();
            list.forEach(each -> all.add(of(schema.items().orElse(JsonSchema.ANYTHING), each)));
            return all;
        } else if (value instanceof String text) {
            return text(schema.text("format"), text);
        } else if (value == JsonNull.NULL) {
            return NullT.NullValue;
        }
        return number(schema, value);
    }

    private static Map<String, Object> object(JsonSchema schema, Map<?, ?> map) {
        Map<String, Object> seen = new LinkedHashMap<>();
        JsonSchema others = schema.additionalProperties().orElse(JsonSchema.ANYTHING);
        map.forEach((key, each) -> {
            String name = (String) key;
            JsonSchema property = schema.properties().get(name);
            seen.put(property == null ? name : escaped(name), of(property == null ? others : property, each));
        });
        return seen;
    }

    private static Object number(JsonSchema schema, Object value) {
        if (value instanceof Long whole) {
            return schema.type().equals("number") ? (Object) whole.doubleValue() : whole;
        } else if (value instanceof BigDecimal broken) {
            return schema.type().equals("integer") && SchemaValidation.isWhole(broken)
                    ? (Object) broken.longValue()
                    : broken.doubleValue();
        }
        return value;
    }

    private static Object text(String format, String text) {
        try {
            return switch (format) {
                case "date-time", "datetime" ->
                    TimestampT.timestampOf(
                            OffsetDateTime.parse(text.toUpperCase(Locale.ROOT).replace(' ', 'T'))
                                    .toInstant());
                case "date" ->
                    TimestampT.timestampOf(
                            LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant());
                case "duration" -> DurationT.durationOf(text);
                case "byte" -> BytesT.bytesOf(Base64.getDecoder().decode(text));
                default -> text;
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            return text;
        }
    }

    /** The name of a field by which a rule selects it. */
    private static String escaped(String name) {
        return RESERVED.contains(name)
                ? "__" + name + "__"
                : name.replace("__", "__underscores__")
                        .replace(".", "__dot__")
                        .replace("-", "__dash__")
                        .replace("/", "__slash__");
    }
}

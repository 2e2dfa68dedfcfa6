// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.customresources;

import dev.mooring.clusterstore.validation.FieldError;
import dev.mooring.clusterstore.validation.FieldError.Problem;
import dev.mooring.clusterstore.validation.Problems;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/** The numbers that the sub-resource {@code scale} shows: whole, not negative, of 32 bits. Pure. */
final class ScaledNumbers {
    private ScaledNumbers() {}

    static void judge(String path, Document object, Problems problems) {
        Object at = object.asMap();
        for (String name : path.isEmpty() ? new String[0] : path.substring(1).split("\\.", -1)) {
            if (!(at instanceof Map<?, ?> map)) {
                unreadable(path, at, "map[string]interface{}", problems);
                return;
            }
            at = Optional.<Object>ofNullable(map.get(name)).orElse(JsonNull.NULL);
            if (at == JsonNull.NULL) {
                return;
            }
        }
        if (at instanceof Map && path.isEmpty()) {
            return;
        } else if (!(at instanceof Long number)) {
            unreadable(path, at, "int64", problems);
        } else if (number < 0) {
            problems.invalid(path, number, "should be a non-negative integer");
        } else if (number > Integer.MAX_VALUE) {
            problems.invalid(path, number, "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    private static void unreadable(String path, Object value, String wanted, Problems problems) {
        String shown = value instanceof BigDecimal number
                ? number.stripTrailingZeros().toPlainString()
                : JsonPath.shown(value);
        problems.add(new FieldError(
                path,
                Problem.INVALID,
                "0",
                path + " accessor error: " + shown + " is of the type " + goType(value) + ", expected " + wanted));
    }

    private static String goType(Object value) {
        return switch (SchemaValidation.typeOf(value)) {
            case "string" -> "string";
            case "boolean" -> "bool";
            case "integer" -> "int64";
            case "number" -> "float64";
            case "array" -> "[]interface {}";
            default -> "map[string]interface {}";
        };
    }
}

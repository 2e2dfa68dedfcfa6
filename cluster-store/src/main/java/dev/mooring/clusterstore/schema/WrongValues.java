// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.clusterstore.schema.FieldType.Form;
import dev.mooring.clusterstore.schema.FieldType.Mapping;
import dev.mooring.clusterstore.schema.FieldType.Plain;
import dev.mooring.clusterstore.schema.FieldType.Sequence;
import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.storage.document.JsonType;
import java.math.BigDecimal;
import java.util.List;

/**
 * The words for values of a wrong type: ours, and those of Go's JSON decoder, which API servers hand on.
 *
 * @param shows whether values may be shown; those of secrets may not
 */
record WrongValues(boolean shows) {
    private static final String QUANTITY =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    WrongValue mismatch(FieldType type, Object value, FieldPlace place) {
        String given = "json: cannot unmarshal " + goValue(type, value) + " into Go ";
        String server = given + "struct field " + place.goField() + " of type " + wantedByGo(type, value);
        boolean own = type instanceof Plain plain
                && List.of(Form.TIME, Form.MICRO_TIME, Form.INT_OR_STRING).contains(plain.form());
        return wrong(
                wanted(type),
                value,
                place,
                server,
                own ? given + "value of type " + type.goName() : conversion(type, value));
    }

    WrongValue quantity(Object value, FieldPlace place) {
        return wrong("a quantity such as 5Gi", value, place, QUANTITY, QUANTITY);
    }

    WrongValue time(Plain type, String problem, String text, FieldPlace place) {
        return wrong(wanted(type), text, place, problem, problem);
    }

    WrongValue base64(int bad, String text, FieldPlace place) {
        String server = "illegal base64 data at input byte " + bad;
        return wrong("base64", text, place, server, "error decoding from json: " + server);
    }

    private WrongValue wrong(String wanted, Object value, FieldPlace place, String server, String conversion) {
        String given = shows ? JsonType.described(value) : JsonType.of(value).phrase();
        String rule = "must be " + wanted + ", not " + given;
        return new WrongValue(place.path(), rule, server, conversion);
    }

    private static String wanted(FieldType type) {
        if (type instanceof Sequence) {
            return JsonType.ARRAY.phrase();
        } else if (type instanceof Plain plain) {
            return switch (plain.form()) {
                case STRING -> JsonType.STRING.phrase();
                case BOOLEAN -> JsonType.BOOLEAN.phrase();
                case INT32 -> "an integer of 32 bits";
                case INT64 -> "an integer";
                case BYTE -> "a string in base64";
                case TIME -> "a time such as 2026-01-31T12:00:00Z";
                case MICRO_TIME -> "a time such as 2026-01-31T12:00:00.000000Z";
                case QUANTITY -> "a quantity such as 5Gi";
                case INT_OR_STRING -> "an integer of 32 bits or a string";
                case ANY, JSON -> "a value";
            };
        }
        return JsonType.OBJECT.phrase();
    }

    private static boolean isInteger(FieldType type) {
        return type instanceof Plain plain
                && List.of(Form.INT32, Form.INT64, Form.INT_OR_STRING).contains(plain.form());
    }

    private static String goValue(FieldType type, Object value) {
        return switch (JsonType.of(value)) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> isInteger(type) ? "number " + value : "number";
            case OBJECT -> "object";
            case ARRAY -> "array";
            case NULL -> "null";
        };
    }

    private static String wantedByGo(FieldType type, Object value) {
        boolean bytes = type instanceof Plain plain && plain.form() == Form.BYTE;
        return bytes && value instanceof List ? "uint8" : type.goName();
    }

    /** What is said of a map of Go that does not fit a structure; there a wrong number is converted where Go would. */
    private static String conversion(FieldType type, Object value) {
        String from = kind(value);
        if (type instanceof Structure) {
            return "cannot restore struct from: " + from;
        } else if (type instanceof Mapping) {
            return "cannot restore map from " + from;
        } else if (type instanceof Sequence || (type instanceof Plain plain && plain.form() == Form.BYTE)) {
            return "cannot restore slice from " + from;
        }
        boolean text = type instanceof Plain plain && plain.form() == Form.STRING;
        boolean convertible = isInteger(type) ? from.equals("float64") : text && from.equals("int64");
        return convertible
                ? "cannot convert " + from + " to " + type.goName()
                : "unrecognized type: " + (text ? "string" : type.goName());
    }

    private static String kind(Object value) {
        return switch (JsonType.of(value)) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> value instanceof BigDecimal ? "float64" : "int64";
            case OBJECT -> "map";
            case ARRAY -> "slice";
            case NULL -> "invalid";
        };
    }
}

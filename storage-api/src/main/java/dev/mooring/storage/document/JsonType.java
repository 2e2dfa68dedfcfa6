// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The types of JSON values, and the words that messages have for them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum JsonType {
    /** A string. */
    STRING,
    /** A number. */
    NUMBER,
    /** True or false. */
    BOOLEAN,
    /** An object. */
    OBJECT,
    /** An array. */
    ARRAY,
    /** Null. */
    NULL;

    private static final int LONGEST = 80;

    /** The type of a value of a {@link Document}; never null. */
    public static JsonType of(Object value) {
        if (value instanceof String) {
            return STRING;
        } else if (value instanceof Boolean) {
            return BOOLEAN;
        } else if (value instanceof Map) {
            return OBJECT;
        } else if (value instanceof List) {
            return ARRAY;
        }
        return value instanceof JsonNull ? NULL : NUMBER;
    }

    /** The type with its article: {@code a string}; never null. */
    public String phrase() {
        return switch (this) {
            case STRING -> "a string";
            case NUMBER -> "a number";
            case BOOLEAN -> "a boolean";
            case OBJECT -> "an object";
            case ARRAY -> "an array";
            case NULL -> "null";
        };
    }

    /**
     * A value for a message: its type and, of what is short enough to show, its text: {@code the string "false"}, {@code the number 5}, {@code
     * an object}. Not for secrets.
     *
     * @param value a value of a {@link Document}, never null
     * @return one line, never null
     */
    public static String described(Object value) {
        return switch (of(value)) {
            case STRING -> "the string " + JsonText.of(shortened((String) value));
            case NUMBER -> "the number " + shortened(value.toString());
            case BOOLEAN -> "the boolean " + value;
            case OBJECT, ARRAY, NULL -> of(value).phrase();
        };
    }

    private static String shortened(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}

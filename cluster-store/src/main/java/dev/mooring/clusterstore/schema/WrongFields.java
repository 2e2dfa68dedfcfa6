// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.storage.model.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The fields of one object whose values are of a wrong type. An API server names the first of them; we name the first five and their
 * number.
 *
 * @param values the fields: first the one that the API server names, then in the order of reading; at most 100 are kept; never null
 * @param count how many there are, those that are not kept included
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WrongFields(List<WrongValue> values, int count) {
    /** No field has a value of a wrong type. */
    public static final WrongFields NONE = new WrongFields(List.of(), 0);

    static final int KEPT = 100;
    private static final int TOLD = 5;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if fewer are counted than there are
     */
    public WrongFields {
        values = List.copyOf(values);
        if (count < values.size()) {
            throw new IllegalArgumentException("count: must be at least " + values.size() + ", not " + count);
        }
    }

    /** Whether each value is of the type of its field. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** The field that the API server names. */
    public Optional<WrongValue> first() {
        return values.stream().findFirst();
    }

    /**
     * What is wrong now and was not before.
     *
     * @param before what was wrong with the object as it was stored, never null
     */
    public WrongFields notIn(WrongFields before) {
        if (equals(before)) {
            return NONE;
        }
        List<WrongValue> kept =
                values.stream().filter(value -> !before.values.contains(value)).toList();
        if (kept.isEmpty() && count > before.count) {
            return this; // the new ones are among those that are not kept
        }
        return new WrongFields(kept, kept.size());
    }

    /**
     * What a server answers to an object with such fields: the API server's sentence about the first, and in parentheses fields and rules.
     *
     * @param kind the object's, never null
     */
    public String refusal(Kind<?> kind) {
        return refusal(kind.name(), kind.version());
    }

    /** The same by the kind's name and version. */
    public String refusal(String kind, String version) {
        return kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": "
                + explained(first().map(WrongValue::serverMessage).orElse(""));
    }

    /** A message of the API server, and in parentheses fields and rules. */
    public String explained(String message) {
        return message + " (" + this + ")";
    }

    /** The rule of the first field, and behind it the other fields with their rules. */
    public String rules() {
        return first().map(WrongValue::rule).orElse("") + others();
    }

    /** Fields and rules. */
    @Override
    public String toString() {
        return first().map(WrongValue::toString).orElse("") + others();
    }

    private String others() {
        String others =
                values.stream().limit(TOLD).skip(1).map(value -> "; " + value).collect(Collectors.joining());
        return count <= TOLD ? others : others + "; and " + (count - TOLD) + " more fields of a wrong type";
    }
}

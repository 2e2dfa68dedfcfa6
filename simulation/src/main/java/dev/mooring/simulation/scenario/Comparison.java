// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Quantity;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether an object contains what is expected. Maps: subset at any depth. Null: the key is absent, or the whole map around
 * it if nothing but nulls is expected of it. Lists: equal length, element by element. What an API server may leave out as well as write
 * is equal to what is not there: false, empty lists, annotations and labels. Quantities and times are compared by value, everything else
 * exactly.
 */
final class Comparison {
    /** The keys under which quantities stand, at any depth. */
    private static final Set<String> QUANTITIES = Set.of(
            "capacity", "requests", "limits", "allocatedResources", "allocatable", "sizeLimit", "maximumVolumeSize");

    private static final int POSITION_OF_T = 10;

    private final List<String> differences = new ArrayList<>();

    private Comparison() {}

    /** The differences, each with path, expected and actual; empty if the object contains everything. */
    static List<String> differences(Document expected, Document actual) {
        Comparison comparison = new Comparison();
        comparison.compareMaps("", expected.asMap(), actual.asMap(), false);
        return comparison.differences;
    }

    private void compare(String path, Object expected, @Nullable Object found, boolean quantity) {
        Object actual = found == null || isLeftOut(path, found) ? JsonNull.NULL : found;
        if (expected instanceof Map<?, ?> map && actual instanceof Map<?, ?> actualMap) {
            compareMaps(path, map, actualMap, quantity);
        } else if (actual == JsonNull.NULL && isNothing(expected)) {
            return;
        } else if (expected instanceof List<?> list && actual instanceof List<?> actualList) {
            compareLists(path, list, actualList, quantity);
        } else if (!sameScalar(expected, actual, quantity)) {
            differences.add(path + ": expected " + shown(expected) + ", actual " + shown(actual));
        }
    }

    /** An API server shows no empty lists, annotations and labels: they are as good as absent. */
    private static boolean isLeftOut(String path, Object found) {
        return (found instanceof List<?> list && list.isEmpty())
                || (found instanceof Map<?, ?> map
                        && map.isEmpty()
                        && (path.endsWith("metadata.annotations") || path.endsWith("metadata.labels")));
    }

    private void compareMaps(String path, Map<?, ?> expected, Map<?, ?> actual, boolean quantity) {
        expected.forEach((key, value) -> {
            String name = (String) key;
            String below = path.isEmpty() ? name : path + "." + name;
            compare(below, value, actual.get(key), quantity || QUANTITIES.contains(name));
        });
    }

    private void compareLists(String path, List<?> expected, List<?> actual, boolean quantity) {
        if (expected.size() != actual.size()) {
            differences.add(path + ": expected " + shown(expected) + ", actual " + shown(actual));
            return;
        }
        for (int i = 0; i < expected.size(); i++) {
            compare(path + "[" + i + "]", expected.get(i), actual.get(i), quantity);
        }
    }

    /** What the API may leave out as well as write: false, a list without elements, and a map of which no more than that is expected. */
    private static boolean isNothing(Object expected) {
        return expected == JsonNull.NULL
                || expected.equals(false)
                || (expected instanceof List<?> list && list.isEmpty())
                || (expected instanceof Map<?, ?> map && map.values().stream().allMatch(Comparison::isNothing));
    }

    private static boolean sameScalar(Object expected, Object actual, boolean quantity) {
        if (quantity && isScalar(expected) && isScalar(actual)) {
            return sameQuantity(expected.toString(), actual.toString());
        }
        if (expected instanceof Number a && actual instanceof Number b) {
            return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
        }
        return expected.equals(actual)
                || (expected instanceof String a && actual instanceof String b && sameTime(a, b));
    }

    private static boolean isScalar(Object value) {
        return value instanceof String || value instanceof Number;
    }

    private static boolean sameQuantity(String expected, String actual) {
        Optional<Quantity> wanted = Quantity.tryParse(expected);
        return expected.equals(actual) || (wanted.isPresent() && wanted.equals(Quantity.tryParse(actual)));
    }

    private static boolean sameTime(String expected, String actual) {
        Optional<Instant> time = time(expected);
        return time.isPresent() && time.equals(time(actual));
    }

    private static Optional<Instant> time(String text) {
        if (text.length() <= POSITION_OF_T || text.charAt(POSITION_OF_T) != 'T') {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A value as it is shown to people. */
    static String shown(Object value) {
        if (value == JsonNull.NULL) {
            return "nothing";
        }
        return value instanceof String text ? "'" + text + "'" : ScenarioJson.oneLine(value);
    }
}

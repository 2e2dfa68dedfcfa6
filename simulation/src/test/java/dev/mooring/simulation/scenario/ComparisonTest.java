// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.document.JsonNull;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final JsonNull NULL = JsonNull.NULL;

    @Test
    void mapsAreSubsetsAtAnyDepth() {
        Map<String, ?> actual = Map.of("spec", Map.of("a", "1", "b", Map.of("c", true, "d", 2)));
        holds(Map.of("spec", Map.of("b", Map.of("c", true))), actual);
        fails(Map.of("spec", Map.of("b", Map.of("c", false))), actual, "spec.b.c: expected false, actual true");
        fails(Map.of("spec", Map.of("x", "1")), actual, "spec.x: expected '1', actual nothing");
    }

    @Test
    void nullMeansThatTheKeyIsAbsent() {
        holds(Map.of("spec", Map.of("claimRef", NULL)), Map.of("spec", Map.of("a", "1")));
        fails(
                Map.of("spec", Map.of("claimRef", NULL)),
                Map.of("spec", Map.of("claimRef", Map.of("name", "x"))),
                "spec.claimRef: expected nothing, actual {\"name\":\"x\"}");
    }

    @Test
    void aMapOfNothingButNullsMatchesAnAbsentMap() {
        holds(Map.of("metadata", Map.of("annotations", Map.of("a", NULL, "b", Map.of("c", NULL)))), Map.of());
        fails(
                Map.of("metadata", Map.of("annotations", orderedNullAndValue())),
                Map.of(),
                "metadata: expected {\"annotations\":{\"a\":null,\"b\":\"x\"}}, actual nothing");
    }

    /** The API leaves some of these out and writes others; a text that is empty means something else than none. */
    @Test
    void falseAndAListWithoutElementsMatchWhatIsLeftOut() {
        holds(Map.of("status", Map.of("attached", false, "volumesInUse", List.of())), Map.of("status", Map.of()));
        holds(Map.of("status", Map.of("attached", false, "volumesInUse", List.of())), Map.of());
        fails(
                Map.of("status", Map.of("attached", true)),
                Map.of(),
                "status: expected {\"attached\":true}, actual nothing");
        fails(Map.of("class", ""), Map.of(), "class: expected '', actual nothing");
        fails(Map.of("attached", NULL), Map.of("attached", false), "attached: expected nothing, actual false");
        fails(Map.of("list", List.of()), Map.of("list", List.of("a")), "list: expected [], actual [\"a\"]");
    }

    private static Map<String, Object> orderedNullAndValue() {
        Map<String, Object> map = new java.util.LinkedHashMap<>();
        map.put("a", NULL);
        map.put("b", "x");
        return map;
    }

    @Test
    void listsHaveEqualLengthAndAreComparedElementByElement() {
        Map<String, ?> actual = Map.of("list", List.of(Map.of("a", "1"), "x"));
        holds(Map.of("list", List.of(Map.of(), "x")), actual);
        fails(Map.of("list", List.of("x")), actual, "list: expected [\"x\"], actual [{\"a\":\"1\"},\"x\"]");
        fails(Map.of("list", List.of(Map.of("a", "2"), "x")), actual, "list[0].a: expected '2', actual '1'");
    }

    @Test
    void anEmptyListIsAnAbsentOne() {
        holds(Map.of("list", List.of()), Map.of());
        holds(Map.of("list", NULL), Map.of("list", List.of()));
        holds(Map.of("list", List.of()), Map.of("list", List.of()));
        fails(Map.of("list", List.of()), Map.of("list", List.of("x")), "list: expected [], actual [\"x\"]");
        fails(Map.of("list", List.of("x")), Map.of("list", List.of()), "list: expected [\"x\"], actual nothing");
    }

    @Test
    void soAreEmptyAnnotationsAndLabelsButNoOtherMap() {
        holds(Map.of("metadata", Map.of("annotations", NULL)), Map.of("metadata", Map.of("annotations", Map.of())));
        fails(
                Map.of("spec", Map.of("emptyDir", NULL)),
                Map.of("spec", Map.of("emptyDir", Map.of())),
                "spec.emptyDir: expected nothing, actual {}");
    }

    @Test
    void quantitiesAreComparedByValueWhereQuantitiesStand() {
        Map<String, ?> actual =
                Map.of("status", Map.of("capacity", Map.of("storage", "1Gi")), "metadata", Map.of("name", "1Gi"));
        holds(Map.of("status", Map.of("capacity", Map.of("storage", "1024Mi"))), actual);
        holds(Map.of("status", Map.of("capacity", Map.of("storage", 1_073_741_824L))), actual);
        fails(
                Map.of("status", Map.of("capacity", Map.of("storage", "1G"))),
                actual,
                "status.capacity.storage: expected '1G', actual '1Gi'");
        fails(Map.of("metadata", Map.of("name", "1024Mi")), actual, "metadata.name: expected '1024Mi', actual '1Gi'");
    }

    @Test
    void timesAreComparedByValue() {
        Map<String, ?> actual = Map.of("time", "2000-01-01T00:00:00Z");
        holds(Map.of("time", "2000-01-01T01:00:00+01:00"), actual);
        holds(Map.of("time", "2000-01-01T00:00:00.000000Z"), actual);
        fails(
                Map.of("time", "2000-01-01T00:00:01Z"),
                actual,
                "time: expected '2000-01-01T00:00:01Z', actual '2000-01-01T00:00:00Z'");
    }

    @Test
    void numbersAreComparedByValueAndNeverWithTexts() {
        holds(Map.of("n", new BigDecimal("1.0")), Map.of("n", 1L));
        fails(Map.of("n", "1"), Map.of("n", 1L), "n: expected '1', actual 1");
        fails(Map.of("n", Map.of("a", "b")), Map.of("n", 1L), "n: expected {\"a\":\"b\"}, actual 1");
    }

    private static void holds(Map<String, ?> expected, Map<String, ?> actual) {
        assertThat(Comparison.differences(Document.of(expected), Document.of(actual)))
                .isEmpty();
    }

    private static void fails(Map<String, ?> expected, Map<String, ?> actual, String difference) {
        assertThat(Comparison.differences(Document.of(expected), Document.of(actual)))
                .containsExactly(difference);
    }
}

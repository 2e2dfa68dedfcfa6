// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ages as kubectl's users know them, and rows that fit their heads. */
class CellsTest {
    @ParameterizedTest
    @CsvSource({
        "-5, <invalid>",
        "-1, 0s",
        "0, 0s",
        "119, 119s",
        "120, 2m",
        "303, 5m3s",
        "600, 10m",
        "10799, 179m",
        "10800, 3h",
        "11160, 3h6m",
        "28800, 8h",
        "172799, 47h",
        "172800, 2d",
        "273600, 3d4h",
        "691200, 8d",
        "63071999, 729d",
        "63072000, 2y",
        "63331200, 2y3d",
        "252288000, 8y"
    })
    void agesHaveTwoParts(long seconds, String text) {
        assertThat(Cells.human(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void aPodThatIsHeldBackByGatesIsShownAsSuch() {
        Document pod = Document.of(Map.of(
                "metadata",
                Map.of("name", "p"),
                "spec",
                Map.of("schedulingGates", List.of(Map.of("name", "example.com/quota"))),
                "status",
                Map.of("phase", "Pending")));
        assertThat(Tables.of(Kinds.POD).cells(pod, Instant.EPOCH)).contains("SchedulingGated");
        Document deleting = pod.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
        assertThat(Tables.of(Kinds.POD).cells(deleting, Instant.EPOCH)).contains("Terminating");
    }

    @Test
    void everyKindHasAsManyCellsAsHeadsEvenIfEmpty() {
        Document empty = Document.of(Map.of("metadata", Map.of("name", "x")));
        for (var kind : Kinds.standard().all()) {
            Table table = Tables.of(kind);
            List<Object> cells = table.cells(empty, Instant.EPOCH);
            assertThat(cells).as("%s", kind).hasSameSizeAs(table.definitions());
            assertThat(cells.get(kind == Kinds.EVENT ? cells.size() - 1 : 0)).isEqualTo("x");
        }
    }
}

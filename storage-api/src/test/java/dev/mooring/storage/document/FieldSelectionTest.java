// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which fields are selected, and what is left of a document. */
class FieldSelectionTest {
    private static final Document POD = Document.of(Map.of(
            "metadata", Map.of("name", "web", "labels", Map.of("app", "web")),
            "spec",
                    Map.of(
                            "nodeName",
                            "n1",
                            "volumes",
                            List.of(
                                    Map.of("name", "data", "hostPath", Map.of("path", "/d")),
                                    Map.of("name", "token", "projected", Map.of("sources", List.of())))),
            "status", Map.of("phase", "Running")));

    @Test
    void onlyWhatIsNamedIsKept() {
        assertThat(POD.keep(FieldSelection.of("metadata.name", "status")))
                .isEqualTo(
                        Document.of(Map.of("metadata", Map.of("name", "web"), "status", Map.of("phase", "Running"))));
        assertThat(POD.keep(FieldSelection.NONE)).isEqualTo(Document.empty());
        assertThat(POD.keep(FieldSelection.ALL)).isSameAs(POD);
    }

    @Test
    void whatHoldsForAListHoldsForEachElement() {
        FieldSelection names = FieldSelection.of("spec.volumes.name");
        assertThat(POD.keep(names).at("spec", "volumes"))
                .contains(List.of(Map.of("name", "data"), Map.of("name", "token")));
        FieldSelection unprojected = FieldSelection.of("spec.volumes").without("spec", "volumes", "projected");
        assertThat(POD.keep(unprojected).at("spec", "volumes"))
                .contains(List.of(Map.of("name", "data", "hostPath", Map.of("path", "/d")), Map.of("name", "token")));
    }

    @Test
    void twoSelectionsSelectWhatEitherSelects() {
        FieldSelection part = FieldSelection.of("spec.volumes").without("spec", "volumes", "projected");
        assertThat(part.and(FieldSelection.of("spec.volumes"))).isEqualTo(FieldSelection.of("spec.volumes"));
        assertThat(part.and(FieldSelection.of("spec"))).isEqualTo(FieldSelection.of("spec"));
        assertThat(part.and(FieldSelection.ALL)).isEqualTo(FieldSelection.ALL);
        assertThat(part.and(FieldSelection.NONE)).isEqualTo(part);
        FieldSelection other = FieldSelection.of("spec.volumes").without("spec", "volumes", "secret");
        assertThat(part.and(other)).isEqualTo(FieldSelection.of("spec.volumes"));
        assertThat(FieldSelection.ALL.without("a.b", "c").and(FieldSelection.of("d")))
                .isEqualTo(FieldSelection.ALL.without("a.b", "c"));
    }

    @Test
    void aKeyMayHaveDots() {
        FieldSelection selection = FieldSelection.ALL.without("metadata", "annotations", "example.com/long");
        assertThat(selection
                        .at("metadata")
                        .at("annotations")
                        .at("example.com/long")
                        .isNone())
                .isTrue();
        assertThat(selection
                        .at("metadata")
                        .at("annotations")
                        .at("example.com/other")
                        .isAll())
                .isTrue();
        assertThat(selection.at("spec").isAll()).isTrue();
    }

    @Test
    void whatIsNotThereCannotBeTakenAway() {
        assertThat(FieldSelection.NONE.without("a", "b")).isEqualTo(FieldSelection.NONE);
        assertThat(FieldSelection.of("a").without("b")).isEqualTo(FieldSelection.of("a"));
        assertThat(FieldSelection.of("a").without("a")).isEqualTo(FieldSelection.NONE);
    }

    @Test
    void anObjectOfALargerOneIsSelectedInIt() {
        FieldSelection items = FieldSelection.of("name").below("items");
        assertThat(items).isEqualTo(FieldSelection.of("items.name"));
        assertThat(FieldSelection.NONE.below("items").isNone()).isTrue();
    }
}

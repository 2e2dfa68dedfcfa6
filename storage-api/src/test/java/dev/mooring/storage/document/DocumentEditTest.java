// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentEditTest {
    private static final int WORLDS = 2000;

    @Test
    void finalizersAreEditedByValue() {
        Document result =
                DocumentEdit.between(finalizers("a", "b"), finalizers("b", "c")).applyTo(finalizers("x", "a", "b"));
        assertThat(result).isEqualTo(finalizers("x", "b", "c"));
    }

    @Test
    void theLastFinalizerLeavesThoseOfOthers() {
        Document bare = Document.of(Map.of("metadata", Map.of("name", "n")));
        assertThat(DocumentEdit.between(finalizers("a"), bare).applyTo(finalizers("a", "x")))
                .isEqualTo(finalizers("x"));
        assertThat(DocumentEdit.between(finalizers("a"), bare).applyTo(finalizers("a")))
                .isEqualTo(bare);
    }

    @Test
    void conditionsAreEditedByTypeAndKeepUnknownMembers() {
        Document before = status("conditions", Map.of("type", "A", "status", "False"), Map.of("type", "B"));
        Document after = status("conditions", Map.of("type", "A", "status", "True"), Map.of("type", "C"));
        Document current = status(
                "conditions",
                Map.of("type", "Z"),
                Map.of("type", "A", "status", "False", "probe", 7),
                Map.of("type", "B"));
        assertThat(DocumentEdit.between(before, after).applyTo(current))
                .isEqualTo(status(
                        "conditions",
                        Map.of("type", "Z"),
                        Map.of("type", "A", "status", "True", "probe", 7),
                        Map.of("type", "C")));
    }

    @Test
    void attachedVolumesAreEditedByName() {
        Document result = DocumentEdit.between(
                        status("volumesAttached", Map.of("name", "v1")),
                        status("volumesAttached", Map.of("name", "v2")))
                .applyTo(status("volumesAttached", Map.of("name", "v1"), Map.of("name", "other")));
        assertThat(result).isEqualTo(status("volumesAttached", Map.of("name", "other"), Map.of("name", "v2")));
    }

    @Test
    void anyOtherListIsReplaced() {
        Document result = DocumentEdit.between(
                        Document.of(Map.of("spec", Map.of("accessModes", List.of("A")))),
                        Document.of(Map.of("spec", Map.of("accessModes", List.of("B")))))
                .applyTo(Document.of(Map.of("spec", Map.of("accessModes", List.of("A", "X"), "unknown", 1))));
        assertThat(result).isEqualTo(Document.of(Map.of("spec", Map.of("accessModes", List.of("B"), "unknown", 1))));
    }

    @Test
    void annotationsOfOthersSurviveTheRemovalOfTheOnlyKnownOne() {
        Document before = Document.of(Map.of("metadata", Map.of("annotations", Map.of("a", "1"))));
        Document after = Document.of(Map.of("metadata", Map.of()));
        Document current = Document.of(Map.of("metadata", Map.of("annotations", Map.of("a", "1", "x", "2"))));
        assertThat(DocumentEdit.between(before, after).applyTo(current))
                .isEqualTo(Document.of(Map.of("metadata", Map.of("annotations", Map.of("x", "2")))));
    }

    @Test
    void nothingChangedIsNoEdit() {
        DocumentEdit edit = DocumentEdit.between(finalizers("a"), finalizers("a"));
        assertThat(edit.isEmpty()).isTrue();
        assertThat(edit.asMergePatch(finalizers("z")).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomEditsKeepWhatIsUnknownAndThePatchDoesTheSame(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < WORLDS; i++) {
            Document before = known(random);
            Document after = known(random);
            Document current = withUnknowns(before);
            DocumentEdit edit = DocumentEdit.between(before, after);
            Document applied = edit.applyTo(current);
            assertThat(MergePatch.apply(current, edit.asMergePatch(current))).isEqualTo(applied);
            for (String place : List.of("", "metadata", "spec", "status")) {
                String[] path = place.isEmpty() ? new String[] {"unknown"} : new String[] {place, "unknown"};
                assertThat(applied.at(path))
                        .as("seed %s world %s %s", seed, i, place)
                        .contains("kept");
            }
            Document seen = applied;
            for (String place : List.of("metadata", "spec", "status")) {
                seen = seen.without(place, "unknown");
            }
            assertThat(set(seen, "finalizers")).isEqualTo(set(after, "finalizers"));
            assertThat(seen.at("spec")).isEqualTo(after.at("spec"));
            assertThat(seen.at("status", "phase")).isEqualTo(after.at("status", "phase"));
        }
    }

    private static java.util.Set<Object> set(Document document, String list) {
        return new java.util.HashSet<>((List<?>) document.at("metadata", list).orElse(List.of()));
    }

    private static Document known(Random random) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", "n");
        List<Object> finalizers = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            if (random.nextBoolean()) {
                finalizers.add(name);
            }
        }
        if (!finalizers.isEmpty()) {
            metadata.put("finalizers", finalizers);
        }
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("always", 1);
        for (String key : List.of("x", "y")) {
            switch (random.nextInt(4)) {
                case 0 -> spec.put(key, random.nextInt(3));
                case 1 -> spec.put(key, Map.of("in", random.nextInt(3)));
                case 2 -> spec.put(key, List.of(random.nextInt(3)));
                default -> {}
            }
        }
        List<Object> conditions = new ArrayList<>();
        for (String type : List.of("A", "B")) {
            if (random.nextBoolean()) {
                conditions.add(Map.of("type", type, "status", String.valueOf(random.nextBoolean())));
            }
        }
        return Document.of(Map.of(
                "metadata",
                metadata,
                "spec",
                spec,
                "status",
                Map.of("phase", "P" + random.nextInt(3), "conditions", conditions)));
    }

    private static Document withUnknowns(Document document) {
        return document.with("kept", "unknown")
                .with("kept", "metadata", "unknown")
                .with("kept", "spec", "unknown")
                .with("kept", "status", "unknown");
    }

    private static Document finalizers(String... names) {
        return Document.of(Map.of("metadata", Map.of("name", "n", "finalizers", List.of(names))));
    }

    private static Document status(String list, Object... elements) {
        return Document.of(Map.of("status", Map.of(list, List.of(elements))));
    }
}

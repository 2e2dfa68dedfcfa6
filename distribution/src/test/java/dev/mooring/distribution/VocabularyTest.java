// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names say what they name. They are read from the sources of all modules; generated sources and the examples are not looked at. */
class VocabularyTest {
    private static final int TYPES_AT_LEAST = 1500;
    private static final List<String> NO_NAMES = List.of("package-info", "module-info");

    private static Map<String, List<Path>> sourcesByName() {
        return Reactor.directories().stream()
                .flatMap(module ->
                        Reactor.filesBelow(Reactor.ROOT.resolve(module).resolve("src/main"), ".java").stream())
                .filter(source -> !NO_NAMES.contains(nameOf(source)))
                .collect(Collectors.groupingBy(VocabularyTest::nameOf, TreeMap::new, Collectors.toList()));
    }

    private static String nameOf(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    /** A reader who meets a name need not ask which of several types it is. */
    @Test
    void eachTypeHasASimpleNameOfItsOwn() {
        Map<String, List<Path>> sources = sourcesByName();
        assertThat(sources).hasSizeGreaterThan(TYPES_AT_LEAST);

        assertThat(sources.entrySet().stream()
                        .filter(entry -> entry.getValue().size() > 1)
                        .map(entry -> entry.getKey() + ": "
                                + entry.getValue().stream()
                                        .map(source ->
                                                Reactor.ROOT.relativize(source).toString())
                                        .collect(Collectors.joining(", "))))
                .as(
                        "simple names of more than one type: rename those that are not exported, with a word of their field")
                .isEmpty();
    }
}

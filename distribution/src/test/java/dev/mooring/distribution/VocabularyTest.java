// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Names say what they name. They are read from the sources of all modules; generated sources and the examples are not looked at. */
class VocabularyTest {
    private static final int TYPES_AT_LEAST = 1400;
    private static final int TESTS_AT_LEAST = 500;
    private static final List<String> NO_NAMES = List.of("package-info", "module-info");

    /** A constant whose whole name is the number of a rule, such as {@code U4}, {@code K05} or {@code PI}. */
    private static final Pattern RULE_NUMBER = Pattern.compile(
            "^ {4,12}(?:(?:public |private |protected |static |final )+[\\w.<>]+ )?([A-Z]{1,2}\\d{1,2}|P[EI])(?:\\(|,|;| =|$)");

    private static Map<String, List<Path>> sourcesByName() {
        return byName("src/main", ".java");
    }

    private static Map<String, List<Path>> byName(String sources, String ending) {
        return Reactor.directories().stream()
                .flatMap(module ->
                        Reactor.filesBelow(Reactor.ROOT.resolve(module).resolve(sources), ending).stream())
                .filter(source -> !NO_NAMES.contains(nameOf(source)))
                .collect(Collectors.groupingBy(VocabularyTest::nameOf, TreeMap::new, Collectors.toList()));
    }

    private static List<String> shared(Map<String, List<Path>> sources) {
        return sources.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> entry.getKey() + ": "
                        + entry.getValue().stream()
                                .map(source -> Reactor.ROOT.relativize(source).toString())
                                .collect(Collectors.joining(", ")))
                .toList();
    }

    private static String nameOf(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    /** A reader who meets a name need not ask which of several types it is. */
    @Test
    void eachTypeHasASimpleNameOfItsOwn() {
        Map<String, List<Path>> sources = sourcesByName();
        assertThat(sources).hasSizeGreaterThan(TYPES_AT_LEAST);

        assertThat(shared(sources))
                .as(
                        "simple names of more than one type: rename those that are not exported, with a word of their field")
                .isEmpty();
    }

    /**
     * The page of parity, reports and {@code -Dtest} name a test by its simple name alone. What helps tests is named by what it is: neither
     * another helper nor a type of the product has its name.
     */
    @Test
    void eachTypeOfTestsHasASimpleNameOfItsOwn() {
        assertThat(byName("src/test", "Test.java")).hasSizeGreaterThan(TESTS_AT_LEAST);

        assertThat(shared(byName("src", ".java")))
                .as("simple names of more than one type: rename the one of tests by what it is")
                .isEmpty();
    }

    /** A reader without the specification reads the rule in words; its number stands behind. */
    @Test
    void noConstantIsOnlyTheNumberOfARule() {
        TreeSet<String> numbers = new TreeSet<>();
        sourcesByName().values().stream()
                .flatMap(List::stream)
                .forEach(source -> Reactor.read(source)
                        .lines()
                        .map(RULE_NUMBER::matcher)
                        .filter(Matcher::find)
                        .forEach(found -> numbers.add(nameOf(source) + "." + found.group(1))));

        assertThat(numbers).isEmpty();
    }
}

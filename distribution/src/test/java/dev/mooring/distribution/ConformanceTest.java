// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The second half of {@code docs/inside/parity.md}: every conformance point of the plugins has a row, and each names tests that exist and are
 * named after it, or says that it has none yet; so has every safety invariant and every hole.
 */
class ConformanceTest {
    static final String BEGINNING = "# Conformance points of the plugins";
    private static final String INVARIANTS = "# Safety invariants and holes";
    private static final Pattern SECTION = Pattern.compile("(?m)^#+ (\\d+(?:\\.\\d+)?)\\.? ");
    private static final Pattern POINT = Pattern.compile("\\b([MNIHL]\\d{1,2})\\b");
    private static final Pattern TEST = Pattern.compile("(\\w+)\\.(\\w+)");
    private static final Pattern SCENARIO = Pattern.compile("scenario:([\\w./-]+)");
    private static final String NOT_YET = "not yet: ";

    private final RepositoryTests sources = new RepositoryTests();

    @Test
    void everyPointHasARowAndEveryRowATestOfItsName() {
        Map<String, String> rows = rows(pageFrom(BEGINNING, "# Attaching and mounting"), 3);
        List<String> problems = new ArrayList<>();
        for (String point : points()) {
            if (!rows.containsKey(point)) {
                problems.add("no row for " + point);
            }
        }
        rows.forEach((point, cell) -> {
            if (!cell.startsWith(NOT_YET)) {
                problems.addAll(problemsOf(point, cell));
                if (testsIn(cell).stream().noneMatch(test -> isNamedAfter(point, test))) {
                    problems.add(point + ": no test is named after it: " + cell);
                }
            }
        });
        assertThat(problems).isEmpty();
    }

    @Test
    void everyRuleOfAttachingAndMountingNamesTestsThatExist() {
        Map<String, String> rows = rows(pageFrom("# Attaching and mounting", INVARIANTS), 5);
        assertThat(rows).hasSizeGreaterThan(30);
        List<String> problems = new ArrayList<>();
        rows.forEach((rule, cell) -> problems.addAll(problemsOf(rule, cell)));
        assertThat(problems).isEmpty();
    }

    /** Of what nodes and controllers do with CSI drivers: §6 to §13 of their semantics. */
    @Test
    void everySectionAboutCallsOfDriversHasARow() {
        Set<String> rules = rows(pageFrom("## CSI drivers", INVARIANTS), 5).keySet();
        List<String> sections = SECTION.matcher(Reactor.read(Reactor.ROOT.resolve("docs/semantics/csi.md")))
                .results()
                .map(found -> found.group(1))
                .filter(section ->
                        section.contains(".") || Set.of("11", "12", "13").contains(section))
                .filter(section -> inCalls(section.replaceFirst("\\..*", "")))
                .toList();
        assertThat(sections).hasSizeGreaterThan(25).contains("6.1", "8.10", "13");
        assertThat(sections)
                .allSatisfy(section -> assertThat(rules)
                        .as("a row that begins with " + section)
                        .anyMatch(rule -> rule.startsWith(section + " ")));
    }

    private static boolean inCalls(String chapter) {
        int number = Integer.parseInt(chapter);
        return number >= 6 && number <= 13;
    }

    @Test
    void everyInvariantAndEveryHoleIsChecked() {
        Map<String, String> rows = rows(pageFrom(INVARIANTS, "\0"), 2);
        Set<String> wanted = new LinkedHashSet<>();
        IntStream.rangeClosed(1, 18).forEach(i -> wanted.add("S" + i));
        IntStream.rangeClosed(1, 17).forEach(i -> wanted.add("H" + i));
        assertThat(rows.keySet()).containsAll(wanted);
        List<String> problems = new ArrayList<>();
        rows.forEach((name, cell) -> problems.addAll(problemsOf(name, cell)));
        assertThat(problems).isEmpty();
    }

    private static Set<String> points() {
        String specification = Reactor.read(Reactor.ROOT.resolve("docs/semantics/plugins.md"));
        int from = specification.indexOf("# 8. Conformance points");
        int to = specification.indexOf("\n# 9", from);
        return POINT.matcher(specification.substring(from, to))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String pageFrom(String from, String to) {
        String page = Reactor.read(Reactor.ROOT.resolve("docs/inside/parity.md"));
        int begin = page.indexOf(from);
        int end = page.indexOf(to, begin);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    /** First cell to last cell of each row of tables with so many columns. */
    private static Map<String, String> rows(String page, int columns) {
        Map<String, String> rows = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (String line : page.split("\n", -1)) {
            boolean row = line.startsWith("|")
                    && !line.matches("\\|[-|: ]+\\|")
                    && !line.matches("\\| (rule|point|invariant).*");
            if (row) {
                String[] cells = line.substring(1).split("\\|", -1);
                boolean fresh = cells.length == columns + 1
                        && rows.putIfAbsent(cells[0].strip(), cells[columns - 1].strip()) == null;
                if (!fresh) {
                    wrong.add(line);
                }
            }
        }
        assertThat(wrong)
                .as("rows that have not %s cells, or stand twice", columns)
                .isEmpty();
        return rows;
    }

    private List<String> problemsOf(String name, String cell) {
        List<String> problems = new ArrayList<>();
        String rest = cell;
        for (Matcher scenario = SCENARIO.matcher(cell); scenario.find(); ) {
            if (!sources.hasScenario(scenario.group(1))) {
                problems.add(name + ": no such scenario: " + scenario.group());
            }
            rest = rest.replace(scenario.group(), "");
        }
        for (String test : testsIn(rest)) {
            String[] parts = test.split("\\.", -1);
            if (!sources.hasTest(parts[0], parts[1])) {
                problems.add(name + ": no such test: " + test);
            }
        }
        return problems;
    }

    private static List<String> testsIn(String cell) {
        return TEST.matcher(cell)
                .results()
                .map(found -> found.group(1) + "." + found.group(2))
                .filter(test -> Character.isUpperCase(test.charAt(0)))
                .toList();
    }

    private static boolean isNamedAfter(String point, String test) {
        int number = Integer.parseInt(point.substring(1));
        String letter = point.substring(0, 1).toLowerCase(Locale.ROOT);
        String method = test.substring(test.indexOf('.') + 1);
        return method.matches(letter + "0?" + number + "_.*");
    }
}

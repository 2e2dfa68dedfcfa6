// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page that says rule by rule how Mooring compares with Kubernetes, as data, and what is wrong with it.
 *
 * @param rows in the order of the page
 * @param switches the constants of {@code BinderSwitch} that the page names
 * @param malformed the lines of tables that are no rows
 */
record ParityPage(List<Row> rows, Set<String> switches, List<String> malformed) {
    private static final Set<String> HERE = Set.of("same", "different", "not applicable");
    private static final String NONE = "–";
    private static final int CELLS = 5;

    private static final Pattern HEADING = Pattern.compile("#+ §?(\\d+(?:\\.\\d+)?) .*");
    private static final Pattern RULER = Pattern.compile("\\|[-|: ]+\\|");
    private static final Pattern SWITCH = Pattern.compile("BinderSwitch\\.(\\w+)");
    private static final Pattern HOW = Pattern.compile(
            "(Binder|Scheduling|AttachDetach)Options\\.\\w+|BinderSwitch\\.\\w+|no switch: |^not yet: ");
    private static final Pattern TEST = Pattern.compile("(\\w+)\\.(\\w+)|scenario:([\\w./-]+)");
    private static final Pattern RULE = Pattern.compile(
            "(?<![\\w.^-])(?:(?:SV|SC|PP|VP|[UVBRFTECXDSI])\\d{1,2}b?|P[01EI]|checkVolumeSatisfyClaim|isVolumeReleased)(?!\\w)");

    /**
     * One row.
     *
     * @param section of the specification, as its number
     */
    record Row(String section, String rule, String here, String why, String test) {
        Set<String> rules() {
            return rulesIn(section, rule);
        }
    }

    /** What the checks ask the sources for. */
    interface Sources {
        /** Whether there is a test class of this name with this method. */
        boolean hasTest(String className, String method);

        /** Whether the tests play a scenario of this name. */
        boolean hasScenario(String name);

        /** Whether {@code BinderSwitch} has this constant. */
        boolean hasSwitch(String constant);
    }

    static ParityPage read(String markdown) {
        List<Row> rows = new ArrayList<>();
        List<String> malformed = new ArrayList<>();
        String section = "";
        for (String line : markdown.split("\n", -1)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                section = heading.group(1);
            } else if (line.startsWith("|")
                    && !line.startsWith("| rule |")
                    && !RULER.matcher(line).matches()) {
                String[] cells = line.substring(1).split("\\|", -1);
                if (cells.length == CELLS + 1) {
                    rows.add(new Row(section, cells[0].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip()));
                } else {
                    malformed.add(line);
                }
            }
        }
        Set<String> switches = new TreeSet<>();
        SWITCH.matcher(markdown).results().forEach(found -> switches.add(found.group(1)));
        return new ParityPage(rows, switches, malformed);
    }

    /** The rules that §1, §2, §3 and §7 of the specification name. */
    static Set<String> rulesOf(String specification) {
        Set<String> rules = new LinkedHashSet<>();
        String section = "";
        for (String line : specification.split("\n", -1)) {
            Matcher heading = HEADING.matcher(line.replace(". ", " "));
            if (heading.matches()) {
                section = heading.group(1);
            }
            if (List.of("1", "2", "3", "7").contains(section.replaceFirst("\\..*", ""))) {
                rules.addAll(rulesIn(section, line));
            }
        }
        return rules;
    }

    /** Two sections count X1, X2, …, and only there they are meant: those of the expansion are told apart by their section. */
    private static Set<String> rulesIn(String section, String text) {
        Set<String> rules = new LinkedHashSet<>();
        RULE.matcher(text)
                .results()
                .map(MatchResult::group)
                .forEach(rule -> rules.add(rule.startsWith("X") && section.equals("3.5") ? "3.5 " + rule : rule));
        return rules;
    }

    /** What is wrong, in the order of the page; nothing if all is well. */
    List<String> problems(String specification, Sources sources) {
        List<String> problems = new ArrayList<>();
        malformed.forEach(line -> problems.add("no row of " + CELLS + " cells: " + line));
        Set<String> seen = new TreeSet<>();
        for (Row row : rows) {
            String name = row.section + " " + row.rule;
            problemsOf(row, sources).forEach(problem -> problems.add(name + ": " + problem));
            if (!seen.add(name)) {
                problems.add(name + ": more than one row");
            }
        }
        switches.stream()
                .filter(Predicate.not(sources::hasSwitch))
                .forEach(constant -> problems.add("no such switch: BinderSwitch." + constant));
        Set<String> missing = rulesOf(specification);
        rows.forEach(row -> missing.removeAll(row.rules()));
        missing.forEach(rule -> problems.add("no row for " + rule));
        return problems;
    }

    private static List<String> problemsOf(Row row, Sources sources) {
        List<String> problems = new ArrayList<>();
        if (!HERE.contains(row.here)) {
            problems.add("here is \"" + row.here + "\"");
        }
        if (!row.here.equals("same") && (row.why.isEmpty() || row.why.equals(NONE))) {
            problems.add("does not say why");
        } else if (row.here.equals("different") && !HOW.matcher(row.why).find()) {
            problems.add("names neither a switch nor an option, nor says that there is none");
        }
        boolean nothingToTest = row.here.equals("not applicable") || row.why.startsWith("not yet: ");
        if (row.test.equals(NONE) && nothingToTest) {
            return problems;
        }
        for (String test : row.test.split(", ", -1)) {
            Matcher matcher = TEST.matcher(test);
            if (!matcher.matches()) {
                problems.add("no test: \"" + test + "\"");
            } else if (matcher.group(3) == null
                    ? !sources.hasTest(matcher.group(1), matcher.group(2))
                    : !sources.hasScenario(matcher.group(3))) {
                problems.add("no such test: " + test);
            }
        }
        return problems;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the page for authors of drivers says of one plugin: which rules hold on the way through a driver, and which checks do not. */
record LossPage(Map<String, String> rules, Set<String> lost, Set<String> notAsked) {
    static final String HOLDS = "holds";
    static final String IN_PART = "in part";
    static final String LOST = "no";

    private static final Path PAGE = Path.of(System.getProperty("mooring.root", ".."), "docs/plugins/driver.md");
    /** How a row begins that is of all checks with the words behind it. */
    private static final String ANY = "any ";

    /** Reads the column of a plugin in both tables. */
    static LossPage of(String column) {
        Map<String, String> rules = new LinkedHashMap<>();
        Set<String> lost = new TreeSet<>();
        Set<String> notAsked = new TreeSet<>();
        int at = -1;
        for (List<String> row : rows()) {
            if (row.get(0).equals("rule") || row.get(0).equals("check")) {
                at = row.indexOf(column);
            } else if (at > 0 && at < row.size() && row.get(0).matches("(K[0-9]|any ).*")) {
                String said = row.get(at);
                if (said.equals("lost")) {
                    lost.add(row.get(0));
                } else if (said.equals("not asked")) {
                    notAsked.add(row.get(0));
                } else if (row.get(0).matches("K[0-9]+") && !said.equals("–")) {
                    rules.put(row.get(0), said);
                }
            }
        }
        return new LossPage(rules, lost, notAsked);
    }

    private static List<List<String>> rows() {
        try {
            return Files.readAllLines(PAGE).stream()
                    .filter(line -> line.startsWith("|"))
                    .map(line -> Arrays.stream(line.substring(1).split("[|]", -1))
                            .map(String::strip)
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isLost(String check) {
        return lost.stream().anyMatch(row -> isOf(row, check));
    }

    boolean isNotAsked(String check) {
        return notAsked.stream().anyMatch(row -> isOf(row, check));
    }

    /** Whether a row of the page is about a check. */
    static boolean isOf(String row, String check) {
        return row.startsWith(ANY) ? check.contains(row.substring(ANY.length() - 1)) : row.equals(check);
    }

    /** The rule that a check is about. */
    static String rule(String check) {
        return check.substring(0, check.indexOf(' '));
    }
}

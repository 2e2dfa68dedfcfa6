// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each rule that is safer than Kubernetes' has a planted bug that breaks it, or a test that is named instead. */
class SaferRulesTest {
    private static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));
    private static final Path PARITY = ROOT.resolve("docs/inside/parity.md");
    private static final Path TABLE = ROOT.resolve("simulation/src/test/resources/safer-rules.md");
    private static final Pattern INSTEAD = Pattern.compile(".*: (scenario )?[A-Za-z0-9-]+$");

    @Test
    void eachSaferRuleHasAPlantedBugOrAReason() throws IOException {
        Set<String> bugs = Mutants.all().stream().map(mutant -> mutant.name).collect(Collectors.toSet());
        Map<String, String> table = table();
        assertThat(table.keySet()).isEqualTo(rules());
        List<String> wrong = new ArrayList<>();
        table.forEach((rule, holds) -> {
            List<String> named = List.of(holds.split("; ", -1));
            boolean planted = bugs.containsAll(named);
            if (!planted
                    && (named.stream().anyMatch(bugs::contains)
                            || !INSTEAD.matcher(holds).matches())) {
                wrong.add(rule + ": " + holds);
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static Set<String> rules() throws IOException {
        Set<String> rules = new TreeSet<>();
        for (String line : Files.readAllLines(PARITY)) {
            if (line.startsWith("| ") && line.contains("safer")) {
                rules.add(line.split(" \\| ", -1)[0].substring(2));
            }
        }
        return rules;
    }

    private static Map<String, String> table() throws IOException {
        Map<String, String> table = new TreeMap<>();
        Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| rule"))
                .forEach(line -> {
                    String[] cells = line.split(" \\| ", -1);
                    table.put(cells[0].substring(2), cells[1].replaceAll(" \\|$", ""));
                });
        return table;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.testkit.rule.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesPageTest {
    private static final Path PAGE = Path.of(System.getProperty("mooring.root", ".."), "docs/plugins/rules.md");

    @Test
    void thePageSaysWhatTheKitSays() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| K"))
                .toList();

        assertThat(rows)
                .as("docs/plugins/rules.md, one row for each rule")
                .containsExactlyElementsOf(
                        Arrays.stream(Rule.values()).map(RulesPageTest::row).toList());
    }

    @Test
    void everyRuleSaysWhatWhyAndWhatToDo() {
        assertThat(Rule.values())
                .allSatisfy(rule -> assertThat(List.of(rule.text(), rule.why(), rule.remedy()))
                        .allSatisfy(text -> assertThat(text).endsWith(".")));
    }

    private static String row(Rule rule) {
        return "| " + rule.id() + " | " + rule.text() + " | " + rule.why() + " | " + rule.remedy() + " |";
    }
}

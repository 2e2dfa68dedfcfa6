// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.CommandLines;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What a process says that it was told. */
class ToldOptionsTest {
    @Test
    void namesForEachOptionItsValueAndWhoTold() {
        String told = told(
                Map.of("MOORING_LOG_LEVEL", "debug", "MOORING_PLUGIN_SETTING", "example.com/x:a=planted"),
                "node",
                "--log-format",
                "json",
                "--data-dir",
                "/srv/a");

        assertThat(told)
                .contains(
                        "node.log-format: json    # command line\n",
                        "node.data-dir: /srv/a    # command line\n",
                        "node.log-level: debug    # MOORING_LOG_LEVEL\n",
                        "node.plugin-setting: example.com/x:a=(removed)    # MOORING_PLUGIN_SETTING\n",
                        "node.node-lease-duration: 40s    # default\n")
                .doesNotContain("planted");
    }

    @Test
    void settingsOfTheCommandLineAreLeftOutAsWell() {
        assertThat(told(Map.of(), "node", "--plugin-setting", "example.com/x:a=planted"))
                .contains("node.plugin-setting: example.com/x:a=(removed)    # command line\n")
                .doesNotContain("planted");
    }

    private static String told(Map<String, String> environment, String... arguments) {
        CommandLine mooring = CommandLines.of(environment);
        mooring.parseArgs(arguments);
        return ToldOptions.ofThisProcess(
                mooring.getSubcommands().get(arguments[0]).getCommandSpec(), Optional.empty());
    }
}

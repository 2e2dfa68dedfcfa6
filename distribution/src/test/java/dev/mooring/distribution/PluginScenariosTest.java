// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Scenarios that tell something only where the real plugins say which volumes are one. */
class PluginScenariosTest {
    private static final Path SCENARIOS = Reactor.ROOT.resolve("distribution/src/test/resources/scenarios");

    @Test
    void allPass() {
        StringWriter out = new StringWriter();
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(out));
        int status = Main.run(commandLine, "play", SCENARIOS.toString());
        assertThat(status).as(out::toString).isZero();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A command line in this JVM, with what it prints. */
abstract class CommandLineRun {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    @TempDir
    Path directory = Path.of("");

    int run(String... arguments) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }
}

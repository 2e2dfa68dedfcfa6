// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code mooring csi serve} is not started with; that it serves, see CsiLayerIT. */
class CsiServeCommandTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--plugin=nosuch --endpoint=unix:///nowhere/csi.sock | --plugin: there is no plugin 'nosuch'. There are:",
                "--plugin=nfs --endpoint=unix:///nowhere/csi.sock --driver-name=../etc | --driver-name '../etc'",
                "--plugin=nfs --endpoint=unix:///nowhere/csi.sock --role=node | --role",
                "--endpoint=unix:///nowhere/csi.sock | --plugin",
            })
    void aWrongOptionIsNamed(String options, String said) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(Map.of());
        line.setErr(new PrintWriter(err));
        String all = "csi serve --data-dir=" + directory + " " + options;
        assertThat(line.execute(all.split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(said);
        assertThat(directory).isEmptyDirectory();
    }
}

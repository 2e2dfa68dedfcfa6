// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With too few files open a JVM dies before it can say why, and a build before it says anything: the launcher looks before both. */
class LauncherLimitsTest {
    private static final String LAUNCHER = "src/dist/bin/mooring";

    /** What a run with a limit of open files says, with its exit status. */
    private static String run(String limit, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", "-c", limit + "; " + LAUNCHER + " " + command)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + said.strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"standalone", "controller", "node", "play", "demo", "which-java"})
    void tooFewFilesAreSaidWithTheirNumberAndWhatToSet(String command) throws IOException, InterruptedException {
        assertThat(run("ulimit -n 64", command))
                .isEqualTo(
                        "69 mooring: this process may have 64 files open and needs 256: raise the limit (ulimit -n 1024, or"
                                + " LimitNOFILE= of the systemd unit)");
    }

    @Test
    void aSoftLimitThatTheJvmRaisesByItselfIsNone() throws IOException, InterruptedException {
        assertThat(run("ulimit -Sn 64", "which-java")).startsWith("0 ").endsWith("/java");
    }
}

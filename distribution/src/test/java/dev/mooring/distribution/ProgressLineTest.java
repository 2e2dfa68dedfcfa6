// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressLineTest {
    private final StringWriter text = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();
    private final ProgressLine line = new ProgressLine(new PrintWriter(text), nanos::get);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private void after(long seconds) {
        nanos.set(seconds * 1_000_000_000L);
        line.draw();
    }

    @Test
    void whatIsDoneWithinTwoSecondsIsNotTold() {
        line.step("reading pods");
        after(1);
        line.close();
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void tellsTheStepAndTheTimeAndLeavesNothingBehind() {
        line.step("reading pods");
        after(3);
        assertThat(text.toString()).isEqualTo("reading pods (3 s)");
        line.step("explaining");
        after(4);
        assertThat(text.toString()).endsWith("\rexplaining (4 s)");
        line.close();
        assertThat(text.toString()).endsWith("\r" + " ".repeat(79) + "\r");
        int told = text.toString().length();
        after(9);
        assertThat(text.toString()).hasSize(told);
    }

    @Test
    void aLongLineFitsIntoATerminal() {
        line.step("x".repeat(200));
        after(3);
        assertThat(text.toString()).hasSize(79).endsWith("…");
    }

    @Test
    void aPipeOrAFileIsNoTerminal() throws Exception {
        Path pipe = Files.createSymbolicLink(directory.resolve("pipe"), Path.of("pipe:[17]"));
        Path file = Files.createSymbolicLink(directory.resolve("file"), Path.of("/tmp/out"));
        Path terminal = Files.createSymbolicLink(directory.resolve("terminal"), Path.of("/dev/pts/3"));
        assertThat(ProgressLine.isTerminal(pipe)).isFalse();
        assertThat(ProgressLine.isTerminal(file)).isFalse();
        assertThat(ProgressLine.isTerminal(directory.resolve("nothing"))).isFalse();
        assertThat(ProgressLine.isTerminal(terminal)).isTrue();
    }
}

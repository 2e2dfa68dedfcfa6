// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example of the README runs, and is the one of the README. */
class EmbeddingExampleTest {
    private static final Path ROOT = Path.of(System.getProperty("mooring.root"));
    private static final String SOURCE = "distribution/src/test/java/dev/mooring/distribution/EmbeddingExample.java";

    @Test
    void bindsTheClaimAndLeavesNoThread() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        EmbeddingExample.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("would get disk\nBOUND\n");
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(Thread::isAlive)
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("mooring-decider"));
    }

    @Test
    void standsInTheReadme() throws IOException {
        String source = Files.readString(ROOT.resolve(SOURCE));
        int begin = source.indexOf('\n', source.indexOf("// example begins")) + 1;
        String example = source.substring(begin, source.indexOf("// example ends"))
                .stripIndent()
                .stripTrailing();
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("```java\n" + example + "\n```");
    }
}

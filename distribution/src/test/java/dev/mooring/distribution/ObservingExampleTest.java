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

/** The example of docs/embed/embedding.md runs, and is the one that stands there. */
class ObservingExampleTest {
    private static final Path ROOT = Path.of(System.getProperty("mooring.root"));
    private static final String SOURCE = "distribution/src/test/java/dev/mooring/distribution/ObservingExample.java";

    @Test
    void printsWhatTheBinderCounts() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObservingExample.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                        pv_collector_unbound_pvc_count{namespace=default, storage_class=, volume_attributes_class=} 1.0
                        retroactive_storageclass_total{} 0.0
                        retroactive_storageclass_errors_total{} 0.0
                        """);
    }

    @Test
    void standsInTheGuide() throws IOException {
        String source = Files.readString(ROOT.resolve(SOURCE));
        int begin = source.indexOf('\n', source.indexOf("// example begins")) + 1;
        String example = source.substring(begin, source.indexOf("// example ends"))
                .stripIndent()
                .stripTrailing();
        assertThat(Files.readString(ROOT.resolve("docs/embed/embedding.md"))).contains("```java\n" + example + "\n```");
    }
}

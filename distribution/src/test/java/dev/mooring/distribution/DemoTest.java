// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.demo.Demo;
import dev.mooring.distribution.plugin.Plugins;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The demonstration goes as it should, with real mounts where this user may mount, and leaves nothing behind. */
class DemoTest {
    @Test
    void tellsTheWholeStoryAndLeavesNothing() throws IOException {
        StringWriter told = new StringWriter();
        assertThat(new Demo(new PrintWriter(told), Plugins.installed()).run())
                .as(told.toString())
                .isTrue();
        assertThat(told.toString())
                .contains("claim default/data")
                .contains("Bound, names disk")
                .contains("VolumeRecycled")
                .contains("Released");
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain("mooring-demo-");
        try (Stream<Path> temporary = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(temporary.map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> name.startsWith("mooring-demo-"));
        }
    }
}

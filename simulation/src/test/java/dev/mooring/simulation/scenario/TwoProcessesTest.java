// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.PlayOptions;
import dev.mooring.simulation.PlayOptions.Format;
import dev.mooring.simulation.Player;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same file gives the same bytes in another process, in another language and time zone. */
@Tag("long")
class TwoProcessesTest {
    @TempDir
    Path folder;

    @Test
    void jsonIsByteIdentical() throws IOException, InterruptedException {
        for (String name : List.of("pv-lifecycle", "bind-crash-after-pv-main")) {
            Path file = ScenarioFolder.example(name);
            Path written = folder.resolve(name + ".json");
            play(file, written);
            String here = Player.play(file, PlayOptions.DEFAULT.withFormat(Format.JSON))
                    .output();
            assertThat(Files.readString(written)).isEqualTo(here).startsWith("{");
        }
    }

    private void play(Path file, Path written) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Duser.timezone=Pacific/Kiritimati",
                "-Dfile.encoding=ISO-8859-1",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-cp",
                classPath(),
                PlayMain.class.getName(),
                file.toString(),
                written.toString()));
        Path errors = folder.resolve("errors.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(errors.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    }

    private static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.of(
                                System.getProperty("jdk.module.path", ""),
                                System.getProperty("java.class.path", ""),
                                String.valueOf(ScenarioFolder.path().getParent()))
                        .filter(part -> !part.isEmpty())
                        .toList());
    }
}

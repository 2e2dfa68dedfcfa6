// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An archive of classes fits one module path, and holds what one sort of process loads: the launcher takes the one that was made for the command. */
class LauncherArchivesTest {
    @TempDir
    Path directory;

    /** A Java that says what it was told. */
    @BeforeEach
    void makeJava() throws IOException {
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(directory.resolve("java/release"), "JAVA_VERSION=\"17.0.15\"\nIMPLEMENTOR=\"X\"\n");
        Files.createDirectories(directory.resolve("lib/csi"));
    }

    private List<String> told(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("src/dist/bin/mooring"));
        words.addAll(List.of(command.split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        builder.environment().put("MOORING_HOME", directory.toString());
        builder.environment().put("MOORING_LIB", directory.resolve("lib").toString());
        builder.environment().remove("MOORING_PLUGINS");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    @ParameterizedTest
    @CsvSource({
        "standalone, _X_.jsa, lib",
        "controller, _X_.jsa, lib",
        "explain pvc/data, _X_.jsa, lib",
        "csi manifests, _X_.jsa, lib",
        "node, _X_-node.jsa, lib",
        "csi serve, _X_-serve.jsa, lib:lib/csi",
        "csi sidecar, _X_-sidecar.jsa, lib:lib/csi"
    })
    void eachCommandHasTheArchiveAndTheModulesThatWereMadeForIt(String command, String archive, String modules)
            throws IOException, InterruptedException {
        assertThat(told(command)).noneMatch(word -> word.startsWith("-XX:SharedArchiveFile"));
        Path made = Files.createDirectories(directory.resolve("cds")).resolve(archive);
        Files.createFile(made);
        List<String> told = told(command);
        assertThat(told).contains("-XX:SharedArchiveFile=" + made, "-XX:ArchiveRelocationMode=0");
        assertThat(told)
                .containsSubsequence(
                        "--module-path",
                        modules.replace("lib", directory.resolve("lib").toString()));
        assertThat(told.contains("ALL-MODULE-PATH")).isEqualTo(modules.contains("csi"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars for CSI are there for a program that asks for them, and for no other. */
class CsiLayerIT {
    private static final Path LIB = Reactor.ROOT.resolve("distribution/target/lib");
    /** Modules that only CSI needs. */
    private static final List<String> ONLY_FOR_CSI = List.of("dev.mooring.csi", "io.grpc", "io.netty", "com.google.");

    @TempDir
    Path directory;

    private Process start(String javaOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Reactor.ROOT.resolve("distribution/src/dist/bin/mooring").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("MOORING_HOME", directory.toString());
        builder.environment().put("MOORING_LIB", LIB.toString());
        builder.environment()
                .put("MOORING_JAVA_OPTS", javaOptions + " -Dmooring.places=" + directory.resolve("places"));
        return builder.start();
    }

    @Test
    void theJarsLieInADirectoryOfTheirOwn() throws IOException {
        try (Stream<Path> jars = Files.list(LIB.resolve("csi"))) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .contains(
                            "mooring-csi-protocol-" + Reactor.VERSION + ".jar",
                            "mooring-csi-server-" + Reactor.VERSION + ".jar")
                    .anyMatch(name -> name.startsWith("grpc-netty-"));
        }
        try (Stream<Path> jars = Files.list(LIB)) {
            assertThat(jars.map(jar -> jar.getFileName().toString()))
                    .noneMatch(name -> name.matches("(grpc|netty|protobuf|guava|mooring-csi)-.*"));
        }
    }

    @Test
    void aStartThatNeedsNoDriverResolvesNoModuleForThem() throws IOException, InterruptedException {
        Process process = start("--show-module-resolution", "--version");
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().filter(line -> line.startsWith("root dev.mooring.distribution")))
                .as("modules are shown")
                .isNotEmpty();
        assertThat(said.lines())
                .noneMatch(line -> ONLY_FOR_CSI.stream().anyMatch(name -> line.contains(" " + name)))
                .noneMatch(line -> line.contains("/csi/"));
    }

    private Process serve(Path socket) throws IOException {
        return start(
                "",
                "csi",
                "serve",
                "--plugin",
                "kubernetes.io/host-path",
                "--endpoint",
                "unix://" + socket,
                "--node-id",
                "node-a",
                "--data-dir",
                directory.resolve("data").toString());
    }

    private static List<String> untilItListens(BufferedReader lines) throws IOException {
        List<String> said = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.contains("listens on")) {
                break;
            }
        }
        return said;
    }

    @Test
    void aDriverIsServedByThemAndTakesItsSocketAwayAtTheEnd() throws IOException {
        Path socket = directory.resolve("csi.sock");
        Process process = serve(socket);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> said = untilItListens(lines);
            assertThat(said).last().asString().contains("hostpath.csi.mooring.dev", "node-a", socket.toString());
            assertThat(socket).exists();
            EndedProcess.inOrder(process);
            assertThat(lines.lines()).last().asString().contains("stopped");
        } finally {
            EndedProcess.inOrder(process);
        }
        assertThat(socket).doesNotExist();
    }

    /** gRPC tells of it through the JDK's log. */
    @Test
    void aCallerThatSpeaksNonsenseLeavesNoStackTrace() throws IOException {
        Path socket = directory.resolve("csi.sock");
        Process process = serve(socket);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(untilItListens(lines)).last().asString().contains("listens on");
            try (NonsenseCaller caller = new NonsenseCaller(socket)) {
                caller.probeWith(new byte[] {0, 0, 0, 0, 3, -1, -1, -1}); // no message of protocol buffers
                caller.awaitAnswer();
                caller.breakTheConnection();
                caller.awaitEnd();
            }
            EndedProcess.inOrder(process);
            assertThat(lines.lines())
                    .allMatch(line -> line.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T.*"))
                    .anyMatch(line -> line.contains(" ERROR SerializingExecutor ")
                            && line.endsWith("(io.grpc.StatusRuntimeException)"))
                    .last()
                    .asString()
                    .contains("stopped");
        } finally {
            EndedProcess.inOrder(process);
        }
    }
}

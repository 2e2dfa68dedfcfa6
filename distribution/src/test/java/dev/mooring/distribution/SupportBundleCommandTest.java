// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneOptions;
import dev.mooring.distribution.standalone.StandaloneServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mooring support-bundle}, from a server that runs and from none. */
class SupportBundleCommandTest {
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory = Path.of("");

    private Map<String, String> bundle(Map<String, String> environment, String... arguments) throws IOException {
        Path file = directory.resolve("bundle.tar.gz");
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "-o";
        all[arguments.length + 1] = file.toString();
        assertThat(Main.commandLine(environment)
                        .setOut(new PrintWriter(new StringWriter(), true))
                        .setErr(new PrintWriter(err, true))
                        .execute(all))
                .isZero();
        Map<String, String> texts = new TreeMap<>();
        try (InputStream in = Files.newInputStream(file);
                TarArchiveInputStream tar = new TarArchiveInputStream(new GzipCompressorInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String name = entry.getName();
                texts.put(
                        name.substring(name.indexOf('/') + 1), new String(tar.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    @Test
    void whatCannotBeHadIsNamedAndTheRestIsThere() throws IOException {
        Files.createFile(directory.resolve("kubeconfig"));
        Map<String, String> texts = bundle(
                Map.of("MOORING_PLUGIN_SETTING", "example.com/x:word=planted", "MOORING_LOG_LEVEL", "debug"),
                "support-bundle",
                "--data-dir",
                directory.toString());
        assertThat(texts.get("versions.txt")).contains("mooring 0.1.0");
        assertThat(texts.get("configuration.txt"))
                .contains("standalone.log-level: debug    # MOORING_LOG_LEVEL", "example.com/x:word=(removed)")
                .doesNotContain("planted");
        assertThat(texts.get("missing.txt")).contains("kubeconfig is empty", "node/records.txt");
        assertThat(err.toString()).contains("missing: cluster.txt", "missing: node/records.txt");
    }

    @Test
    void aNamedKubeconfigThatIsNotThereIsAnErrorAndNothingIsWritten() throws IOException {
        Path file = directory.resolve("bundle.tar.gz");
        assertThat(Main.commandLine(Map.of())
                        .setErr(new PrintWriter(err, true))
                        .execute("support-bundle", "--kubeconfig", "/nowhere/config", "-o", file.toString()))
                .isEqualTo(Main.USAGE);
        assertThat(err.toString()).contains("there is no file /nowhere/config");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aRunningServerIsShownWithoutItsCredentials() throws IOException {
        Path data = directory.resolve("data");
        StandaloneOptions options = StandaloneServers.options(data)
                .withOperations(Optional.of(new OperationsAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "standalone.node: here\n")));
        try (Standalone server = Standalone.start(options, List.of())) {
            int port = server.operationsPort().orElseThrow();
            Map<String, String> texts = bundle(
                    Map.of(),
                    "support-bundle",
                    "--data-dir",
                    data.toString(),
                    "--metrics-address",
                    "127.0.0.1:" + port);
            assertThat(texts.get("objects/nodes.json")).contains("\"here\"");
            assertThat(texts.get("explanations.txt")).startsWith("Nothing waits.\n");
            assertThat(texts.get("process/metrics.txt")).contains("mooring_ready_keys");
            assertThat(texts.get("process/threads.txt")).contains("controllers-decider");
            assertThat(texts.get("process/readyz.txt")).isEqualTo("ok\n");
            assertThat(texts.get("configuration.txt")).isEqualTo("standalone.node: here\n");
            String token = Files.readString(data.resolve("access/token")).strip();
            assertThat(token).isNotEmpty();
            assertThat(texts)
                    .allSatisfy((name, text) -> assertThat(text)
                            .as(name)
                            .doesNotContain(token, "certificate-authority-data", "client-key-data"));
        }
    }

    @Test
    void aBundleThatCannotBeWrittenIsNamedAndWhy() {
        Path file = directory.resolve("none/bundle.tar.gz");
        assertThat(Main.commandLine(Map.of())
                        .setErr(new PrintWriter(err, true))
                        .execute("support-bundle", "-o", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith("mooring: " + file + " cannot be written: there is no such file or directory");
    }
}

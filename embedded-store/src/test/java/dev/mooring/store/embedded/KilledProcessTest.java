// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process is killed in the middle of its appends; what it was told to be durable is there. */
@Tag("long")
class KilledProcessTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 400})
    void nothingAcknowledgedIsLost(int acknowledgements) throws Exception {
        Path file = directory.resolve("records.db");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", ""),
                        Appender.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int last = -1;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < acknowledgements; i++) {
                last = Integer.parseInt(String.valueOf(lines.readLine()));
            }
            process.toHandle().destroyForcibly();
            String line;
            while ((line = lines.readLine()) != null) {
                last = Integer.parseInt(line);
            }
        }
        process.waitFor();

        Set<String> found;
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(file)) {
            found = log.replay().stream().map(RecordEntry::key).collect(Collectors.toSet());
        }
        for (int i = 0; i <= last; i++) {
            assertThat(found).contains(Publish.key("uid-" + i, "data"));
        }
    }

    /** Appends for ever and tells each entry that is durable. */
    static final class Appender {
        private Appender() {}

        public static void main(String[] arguments) throws IOException {
            try (EmbeddedRecordLog log = EmbeddedRecordLog.open(Path.of(arguments[0]))) {
                for (int i = 0; log.append(entry(i)).isDone(); i++) {
                    System.out.write((i + "\n").getBytes(StandardCharsets.UTF_8));
                    System.out.flush();
                }
            }
        }

        private static RecordEntry entry(int number) {
            return RecordEntryPublishBuilder.builder()
                    .pod(new PodRef("default", "pod", "uid-" + number))
                    .podVolume("data")
                    .volume("volume")
                    .volumeId(new VolumeId(
                            new PluginName("kubernetes.io/nfs"), String.join("/", List.of("server:", "export"))))
                    .state(PluginState.NONE)
                    .target(Path.of("/target"))
                    .phase(RecordPhase.INTENT)
                    .bootId("boot-1")
                    .build();
        }
    }
}

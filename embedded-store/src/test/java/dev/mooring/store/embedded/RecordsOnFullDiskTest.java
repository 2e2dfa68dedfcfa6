// SPDX-License-Identifier: Apache-2.0
package dev.mooring.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.VolumeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ends can be recorded on a full disk: else a pod that filled it could never go, and the disk would stay full. */
@Tag("long")
class RecordsOnFullDiskTest {
    private static final int PODS = 700;

    @TempDir
    private Path directory;

    private Path disk;

    @BeforeEach
    void mounts() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        assumeThat(EmbeddedStores.run("mount", "-t", "tmpfs", "-o", "size=16m", "none", disk.toString()))
                .as("mounting")
                .isZero();
    }

    @AfterEach
    void unmounts() throws Exception {
        EmbeddedStores.run("umount", disk.toString());
    }

    private static RecordEntry entry(int number, RecordPhase phase) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef("default", "pod-" + number, "uid-" + number))
                .podVolume("data")
                .volume("volume-" + number)
                .volumeId(new VolumeId(new PluginName("kubernetes.io/nfs"), "server:/export/" + number))
                .deviceMap(Optional.empty())
                .state(new PluginState(1, "{\"place\":\"" + "x".repeat(400) + "\"}"))
                .target(Path.of("/var/lib/kubelet/pods/uid-" + number + "/volumes/kubernetes.io~nfs/data"))
                .phase(phase)
                .bootId("boot-1")
                .build();
    }

    private void fill() throws IOException {
        try (var ballast = Files.newOutputStream(disk.resolve("ballast"))) {
            for (int i = 0; i < 32 << 20; i += 512) {
                ballast.write(new byte[512]);
            }
        } catch (IOException full) {
            return;
        }
        throw new AssertionError("the disk takes more than it has");
    }

    private static List<Outcome<Nothing>> together(EmbeddedRecordLog log, RecordPhase phase) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Outcome<Nothing>>> answers = IntStream.range(0, PODS)
                    .mapToObj(number -> threads.submit(() -> log.append(entry(number, phase))))
                    .toList();
            List<Outcome<Nothing>> outcomes = new ArrayList<>();
            for (Future<Outcome<Nothing>> answer : answers) {
                outcomes.add(answer.get());
            }
            return outcomes;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void manyPodsEndAndOthersCannotBegin() throws Exception {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(disk.resolve("records.db"))) {
            for (int number = 0; number < PODS; number++) {
                assertThat(log.append(entry(number, RecordPhase.DONE)).isDone()).isTrue();
            }
            fill();
            assertThat(together(log, RecordPhase.UNDO)).allMatch(Outcome::isDone);
            assertThat(together(log, RecordPhase.GONE)).allMatch(Outcome::isDone);
            assertThat(log.replay()).isEmpty();
        }
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(disk.resolve("records.db"))) {
            assertThat(log.replay()).isEmpty();
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndWhatEndsBesideItIsWritten() throws Exception {
        try (EmbeddedRecordLog log = EmbeddedRecordLog.open(disk.resolve("records.db"))) {
            assertThat(log.append(entry(0, RecordPhase.DONE)).isDone()).isTrue();
            fill();
            boolean refused = false;
            for (int number = 1; number < 20_000 && !refused; number++) {
                refused = !log.append(entry(number, RecordPhase.INTENT)).isDone();
            }
            assertThat(refused).isTrue();
            assertThat(log.append(entry(0, RecordPhase.UNDO)).isDone()).isTrue();
            assertThat(log.append(entry(0, RecordPhase.GONE)).isDone()).isTrue();
            assertThat(log.replay())
                    .noneMatch(entry ->
                            entry.key().equals(entry(0, RecordPhase.GONE).key()));
        }
    }
}

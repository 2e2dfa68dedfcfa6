// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk below a running server gets full, or stops to take writes. */
@Tag("long")
class StandaloneDiskTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    private final Set<String> acknowledged = new TreeSet<>();
    /** By the watch. */
    private final Set<String> seen = new TreeSet<>();

    private int next;

    @Test
    void onAFullDiskWritesAreRefusedWithTheReasonAndTakenAgainWhenThereIsRoom() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("full"));
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=24m", "none", disk.toString()))
                .as("mounting")
                .isZero();
        Path ballast = disk.resolve("ballast");
        try (ServerProcess server = ServerProcess.start(disk.resolve("data"), directory.resolve("full.log"))) {
            assertThat(server.isServing()).isTrue();
            ProgramClient client = new ProgramClient(disk.resolve("data/kubeconfig"));
            try (BufferedReader watch = watch(client)) {
                Files.write(ballast, new byte[16 << 20]);
                ProgramClient.Reply refused = untilRefused(client);
                assertThat(refused.status()).isEqualTo(507);
                assertThat(refused.text("reason")).isEqualTo("InsufficientStorage");
                assertThat(refused.text("message")).contains("cluster.db", "the disk is full", "make room");
                checkReads(client, watch);
                Files.delete(ballast);
                assertThat(write(client).status()).isEqualTo(201);
                checkReads(client, watch);
            }
            server.kill();
            restarted(disk.resolve("data"), directory.resolve("full.log"));
        } finally {
            run("umount", "--recursive", disk.toString()); // a server that was killed leaves mounts
        }
    }

    @Test
    void onADiskThatHasBecomeReadOnlyReadsGoOnAndNothingAcknowledgedIsLost() throws Exception {
        Path image = directory.resolve("image");
        Path disk = Files.createDirectory(directory.resolve("read-only"));
        try (var file = new java.io.RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(64 << 20);
        }
        assumeThat(run("mkfs.ext4", "-q", image.toString())).as("mkfs.ext4").isZero();
        assumeThat(run("mount", "-o", "loop,errors=remount-ro", image.toString(), disk.toString()))
                .as("loop devices")
                .isZero();
        Path trigger = Path.of(
                "/sys/fs/ext4",
                Path.of(Files.getFileStore(disk).name()).getFileName().toString(),
                "trigger_fs_error");
        try (ServerProcess server = ServerProcess.start(disk.resolve("data"), directory.resolve("ro.log"))) {
            assertThat(server.isServing()).isTrue();
            ProgramClient client = new ProgramClient(disk.resolve("data/kubeconfig"));
            try (BufferedReader watch = watch(client)) {
                for (int i = 0; i < 20; i++) {
                    assertThat(write(client).status()).isEqualTo(201);
                }
                Files.writeString(trigger, "1");
                ProgramClient.Reply refused = untilRefused(client);
                // Whether this one lasts is not known; it says so.
                assertThat(refused.status()).isBetween(500, 504);
                assertThat(refused.text("message")).contains("cluster.db", "read-only", "kernel's log");
                checkReads(client, watch);
            }
            server.kill();
            assertThat(run("umount", "--recursive", disk.toString())).isZero();
            run("fsck.ext4", "-fy", image.toString());
            assertThat(run("mount", "-o", "loop", image.toString(), disk.toString()))
                    .isZero();
            restarted(disk.resolve("data"), directory.resolve("ro.log"));
        } finally {
            run("umount", "--recursive", disk.toString()); // a server that was killed leaves mounts
        }
    }

    private void restarted(Path data, Path log) throws Exception {
        try (ServerProcess again = ServerProcess.start(data, log)) {
            assertThat(again.isServing()).isTrue();
            ProgramClient client = new ProgramClient(data.resolve("kubeconfig"));
            assertThat(names(client)).containsAll(acknowledged);
            assertThat(write(client).status()).isEqualTo(201);
        }
    }

    private static BufferedReader watch(ProgramClient client) throws IOException {
        return new BufferedReader(
                new InputStreamReader(client.stream(MAPS + "?watch=1").body(), StandardCharsets.UTF_8));
    }

    private ProgramClient.Reply write(ProgramClient client) throws IOException {
        String name = "c" + next++;
        ProgramClient.Reply reply = client.json(
                "POST",
                MAPS,
                "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"x\":\"" + "x".repeat(50_000) + "\"}}");
        if (reply.status() == 201) {
            acknowledged.add(name);
        }
        return reply;
    }

    private ProgramClient.Reply untilRefused(ProgramClient client) throws IOException {
        for (int i = 0; i < 1_000; i++) {
            ProgramClient.Reply reply = write(client);
            if (reply.status() != 201) {
                return reply;
            }
        }
        throw new AssertionError("every write was taken");
    }

    /** A list, and a watch that has not been cut off, show what was acknowledged. */
    private void checkReads(ProgramClient client, BufferedReader watch) throws IOException {
        assertThat(names(client)).isEqualTo(acknowledged);
        Set<String> awaited = new TreeSet<>(acknowledged);
        awaited.removeAll(seen);
        while (!awaited.isEmpty()) {
            String name = ProgramClient.parse(watch.readLine())
                    .text("object", "metadata", "name")
                    .orElseThrow();
            seen.add(name);
            awaited.remove(name);
        }
    }

    private static Set<String> names(ProgramClient client) throws IOException {
        return ProgramClient.items(client.get(MAPS).body()).stream()
                .map(each -> each.text("metadata", "name").orElseThrow())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static int run(String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1; // no such command
        }
    }
}

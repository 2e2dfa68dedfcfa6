// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.plugin.hostpath.Notes;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two volumes whose paths lead to one disk: their callers do not know of each other. */
class ClaimTest {
    private static final int ROUNDS = 30;

    private LocalNode local;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.close();
        }
    }

    @Test
    @DisplayName("L7 of two volumes that claim a disk at once, under two paths, one gets it")
    void l07_twoClaimsAtOnce() throws Exception {
        Path disk = local.disk("one", 16L << 20);
        Path alias = Files.createSymbolicLink(local.node.base.resolve("by-id"), disk);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(answers(threads, disk, alias)).as("round %d", i).containsExactlyInAnyOrder("done", "IN_USE");
                cleanUp();
            }
        } finally {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private List<String> answers(ExecutorService threads, Path disk, Path alias) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Future<String> one = threads.submit(staging(start, "pv-one", disk));
        Future<String> two = threads.submit(staging(start, "pv-two", alias));
        return List.of(one.get(), two.get());
    }

    private Callable<String> staging(CyclicBarrier start, String name, Path path) {
        OperationContext context = local.node.context(local.host(), new Notes());
        VolumeSpec volume = local.volume(name, path, VolumeMode.BLOCK);
        return () -> {
            start.await(1, TimeUnit.MINUTES);
            Outcome<PluginState> staged = local.stage(context, volume);
            return HostPathNode.answer(staged);
        };
    }

    private void cleanUp() throws IOException {
        try (var entries =
                Files.newDirectoryStream(HostPathNode.value(local.node.host.stateDirectory(LocalPlugin.NAME)))) {
            for (Path entry : entries) {
                Files.delete(entry);
            }
        }
    }
}

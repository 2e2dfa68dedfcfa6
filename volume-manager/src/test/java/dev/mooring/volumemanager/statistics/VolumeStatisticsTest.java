// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.statistics;

import static dev.mooring.volumemanager.machine.Playground.kindOf;
import static dev.mooring.volumemanager.machine.Playground.tool;
import static dev.mooring.volumemanager.machine.Playground.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.volumemanager.machine.Playground;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeStatisticsTest {
    private static final PluginName HANGING = new PluginName("example.com/hanging");
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CountDownLatch serverAnswers = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Playground machine;
    private VolumeStatistics statistics;

    /** A plugin whose server does not answer for now. */
    private final class Hanging implements StoragePlugin, Statistics {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(HANGING, List.of("hanging"), Place.NODE);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(HANGING, "volume");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
            try {
                serverAnswers.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Outcome.done(new Usage(3, 2, 1, 0, 0));
        }
    }

    @BeforeEach
    void makesVolumes() {
        machine = new Playground(HostFeature.ROOT, HostFeature.MOUNT_IDENTITY);
        statistics = new VolumeStatistics(
                new PluginRegistry(List.of(new Hanging())),
                new NodeRef("n1", "n1-uid"),
                machine.host,
                InstantSource.system(),
                threads);
    }

    @AfterEach
    void cleans() throws IOException {
        serverAnswers.countDown();
        threads.shutdownNow();
        if (machine != null) {
            machine.close();
        }
    }

    private Publish published(PluginName plugin, Path target, Optional<Path> device) {
        return RecordEntryPublishBuilder.builder()
                .pod(new PodRef("ns", "web", "uid"))
                .podVolume("data")
                .volume("pv")
                .volumeId(new VolumeId(plugin, "volume"))
                .deviceMap(device)
                .state(PluginState.NONE)
                .target(target)
                .phase(RecordPhase.DONE)
                .bootId("boot-1")
                .build();
    }

    private Path tmpfs(String name, String source) {
        Path target = machine.directory(name);
        tool("mount", "-t", "tmpfs", "-o", "size=1m", source, target.toString());
        return target;
    }

    private Publish ordinary(Path target) {
        return published(new PluginName("example.com/ordinary"), target, Optional.empty());
    }

    private Publish hanging(Path target) {
        return published(HANGING, target, Optional.empty());
    }

    @Test
    void whatThePodSeesIsMeasuredWhereThePluginCannot() {
        Path target = tmpfs("volume", "mooring-test");
        machine.file("volume/file", "x".repeat(5000));
        Statistics.Usage usage = value(statistics.usage(ordinary(target), LONG));
        assertThat(usage.capacityBytes()).isEqualTo(1 << 20);
        assertThat(usage.usedBytes()).isEqualTo(8192);
        assertThat(usage.availableBytes()).isEqualTo((1 << 20) - 8192);
    }

    @Test
    void n9_aServerThatHangsCostsOneMeasurementAndNoOtherServer() throws Exception {
        Publish first = hanging(tmpfs("first", "server:/a"));
        Publish second = ordinary(tmpfs("second", "server:/b"));
        Publish other = ordinary(tmpfs("other", "other:/a"));
        assertThat(kindOf(statistics.usage(first, Duration.ZERO))).isEqualTo("deferred");
        assertThat(statistics.usage(first, LONG).message())
                .contains("server server does not answer: an earlier look has not ended");
        assertThat(kindOf(statistics.usage(second, LONG))).isEqualTo("deferred");
        assertThat(kindOf(statistics.usage(other, LONG))).isEqualTo("done");
        serverAnswers.countDown();
        Outcome<Statistics.Usage> later = statistics.usage(second, LONG);
        while (!later.isDone()) { // the look has yet to come back
            assertThat(Thread.interrupted()).as("it lasts too long").isFalse();
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            later = statistics.usage(second, LONG);
        }
        assertThat(kindOf(later)).isEqualTo("done");
    }

    @Test
    void aDeviceHasNoFileSystem() {
        Publish device = published(HANGING, machine.base, Optional.of(machine.base));
        assertThat(kindOf(statistics.usage(device, LONG))).isEqualTo("UNSUPPORTED");
    }
}

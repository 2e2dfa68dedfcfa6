// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.NodeGetVolumeStatsRequest;
import dev.mooring.csi.v1.NodeServiceCapability;
import dev.mooring.csi.v1.Volume;
import dev.mooring.plugin.csi.controller.ConditionsOfDriver;
import dev.mooring.plugin.csi.controller.ListedVolumes;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.plugin.csi.node.NodeGrowth;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver is asked about the condition of its volumes as few times as it lets. */
class ConditionsOfDriverTest {
    @TempDir
    private Path temp;

    private final CsiTransport transport = CsiTransport.start(1);
    private final Drivers drivers = new Drivers();
    private final ConditionsOfDriver conditions = new ConditionsOfDriver(FakeDriver.NAME, drivers, new ListedVolumes());
    private FakeDriver driver;
    private volatile Instant now = Instant.EPOCH;

    private record Asking(InstantSource clock) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return new NodeRef("n1", "uid");
        }

        @Override
        public HostServices host() {
            return HostServices.none();
        }

        @Override
        public Instant deadline() {
            return clock.instant().plus(Duration.ofMinutes(1));
        }

        @Override
        public String idempotencyKey() {
            return "test";
        }
    }

    @BeforeEach
    void start() throws Exception {
        driver = new FakeDriver(temp.resolve("csi.sock"));
        for (String id : new String[] {"a", "b", "c"}) {
            driver.volumes.put(id, Volume.newBuilder().setVolumeId(id).build());
        }
        driver.abnormal.put("b", "the disk is worn out");
        drivers.put(new Driver(
                FakeDriver.NAME,
                transport.connect(CsiEndpoint.parse(driver.endpoint())),
                DriverCallMetrics.ofControllers()));
    }

    @AfterEach
    void close() {
        drivers.close();
        transport.close();
        driver.close();
    }

    private Outcome<Condition> ask(String volume) {
        return conditions.of(new Asking(() -> now), volume);
    }

    @Test
    void aDriverThatListsItsVolumesIsAskedForAllOfThemEveryFiveMinutes() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
        driver.controller.add(ControllerServiceCapability.RPC.Type.GET_VOLUME);

        assertThat(ask("a").result()).contains(new Condition(false, "well"));
        assertThat(ask("b").result()).contains(new Condition(true, "the disk is worn out"));
        assertThat(ask("unknown").isRefused(Refusal.NOT_FOUND)).isTrue();
        assertThat(driver.called()).containsExactly("ListVolumes", "ListVolumes", "ListVolumes");

        driver.abnormal.clear();
        now = now.plus(Duration.ofMinutes(5));
        assertThat(ask("b").result()).contains(new Condition(false, "well"));
    }

    @Test
    void aDriverThatFailsToListIsLeftAloneForAMinute() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
        driver.fail("ListVolumes", Status.Code.INTERNAL);

        assertThat(ask("a").isDone()).isFalse();
        assertThat(ask("b").message()).isEqualTo(ask("a").message());
        assertThat(driver.called()).containsExactly("ListVolumes");

        now = now.plus(Duration.ofMinutes(1));
        assertThat(ask("a").isDone()).isTrue();
    }

    /** While the first one waits for the driver, the second one waits for nothing. */
    @Test
    void oneCallerListsAndTheOthersAreDeferred() throws Exception {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
        assertThat(ask("a").isDone()).isTrue();
        now = now.plus(Duration.ofMinutes(5));
        CountDownLatch lists = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        driver.beforeListing = () -> {
            lists.countDown();
            await(goOn);
        };

        CompletableFuture<Outcome<Condition>> first = CompletableFuture.supplyAsync(() -> ask("a"));
        await(lists);
        Outcome<Condition> second = ask("b");
        goOn.countDown();

        assertThat(second.message()).isEqualTo("the volumes of driver " + FakeDriver.NAME + " are being listed");
        assertThat(first.get(1, TimeUnit.MINUTES).isDone()).isTrue();
        assertThat(ask("b").isDone()).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) {
                throw new AssertionError("nothing happened for a minute");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anotherOneIsAskedForEach() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.controller.add(ControllerServiceCapability.RPC.Type.GET_VOLUME);

        assertThat(ask("b").result()).contains(new Condition(true, "the disk is worn out"));
        assertThat(driver.called()).containsExactly("ControllerGetVolume");
    }

    @Test
    void aNodeAsksForWhatAPodHas() {
        NodeGrowth node = new NodeGrowth(drivers);
        VolumeId volume = new VolumeId(new PluginName("kubernetes.io/csi"), FakeDriver.NAME + "^b");
        Path target = temp.resolve("target");
        assertThat(node.condition(new Asking(() -> now), volume, target).isRefused(Refusal.UNSUPPORTED))
                .isTrue();
        assertThat(driver.called()).isEmpty();

        driver.node.add(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
        driver.node.add(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
        NodeGrowth another = new NodeGrowth(againConnected());

        assertThat(another.condition(new Asking(() -> now), volume, target).result())
                .contains(new Condition(true, "the disk is worn out"));
        assertThat(driver.request(NodeGetVolumeStatsRequest.class).getVolumePath())
                .isEqualTo(target.toString());
    }

    @Test
    void aDriverThatIsReplacedWhileNothingCallsItIsAskedAgainWhatItCan() throws Exception {
        driver.controller.add(ControllerServiceCapability.RPC.Type.GET_VOLUME);
        assertThat(ask("b").isRefused(Refusal.UNSUPPORTED)).isTrue();

        driver.stop();
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.startAgain();

        long end = System.nanoTime() + 60_000_000_000L;
        while (!ask("b").isDone() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(ask("b").result()).contains(new Condition(true, "the disk is worn out"));
    }

    private Drivers againConnected() {
        drivers.put(new Driver(
                FakeDriver.NAME, transport.connect(CsiEndpoint.parse(driver.endpoint())), DriverCallMetrics.ofNode()));
        return drivers;
    }

    @Test
    void aDriverThatCannotTellIsNotAsked() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);

        assertThat(ask("b").isRefused(Refusal.UNSUPPORTED)).isTrue();
        assertThat(driver.called()).isEmpty();
    }
}

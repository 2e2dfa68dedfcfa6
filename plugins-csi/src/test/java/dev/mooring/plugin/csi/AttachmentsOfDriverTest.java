// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.csi.v1.ControllerServiceCapability;
import dev.mooring.csi.v1.Volume;
import dev.mooring.plugin.csi.controller.AttachmentsOfDriver;
import dev.mooring.plugin.csi.controller.ConditionsOfDriver;
import dev.mooring.plugin.csi.controller.ListedVolumes;
import dev.mooring.plugin.csi.controller.NodeIds;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.model.CSINode;
import dev.mooring.storage.model.CSINodeDriver;
import dev.mooring.storage.model.CSINodeSpec;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.Attaching.State;
import dev.mooring.storage.spi.Health.Condition;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostServices;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a driver says of its attachments (semantics/csi §9.4): what is not proven is not known. */
class AttachmentsOfDriverTest {
    private static final NodeRef NODE = new NodeRef("n1", "uid");
    private static final String ID = "id-of-this-node";

    @TempDir
    private Path temp;

    private final CsiTransport transport = CsiTransport.start(1);
    private final Drivers drivers = new Drivers();
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(7))));
    private final ListedVolumes listed = new ListedVolumes();
    private final AttachmentsOfDriver attachments =
            new AttachmentsOfDriver(FakeDriver.NAME, drivers, new NodeIds(store), listed);
    private FakeDriver driver;
    private volatile Instant now = Instant.EPOCH;

    private record Asking(InstantSource clock) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return NODE;
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
        store.create(
                        Kinds.CSI_NODE,
                        new CSINode(
                                ObjectMeta.named(NODE.name()),
                                new CSINodeSpec(
                                        List.of(new CSINodeDriver(FakeDriver.NAME, ID, List.of(), Optional.empty())))))
                .orThrow();
        driver = new FakeDriver(temp.resolve("csi.sock"));
        for (String id : new String[] {"a", "b"}) {
            driver.volumes.put(id, Volume.newBuilder().setVolumeId(id).build());
        }
        driver.attached.add("a@" + ID);
        driver.attached.add("b@another");
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
        driver.controller.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
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
        store.close();
    }

    private State ask(String handle) {
        VolumeId volume = new VolumeId(new PluginName(FakeDriver.NAME), handle);
        return attachments.of(new Asking(() -> now), NODE, Set.of(volume)).get(volume);
    }

    private long lists() {
        return driver.called().stream().filter("ListVolumes"::equals).count();
    }

    @Test
    void aListTellsWhatIsAttachedAndWhatIsNotForAMinuteAndAHalf() {
        assertThat(ask("a")).isEqualTo(State.ATTACHED);
        assertThat(ask("b")).isEqualTo(State.DETACHED);
        long first = lists();
        now = now.plusSeconds(89);
        driver.attached.remove("a@" + ID);
        assertThat(ask("a")).isEqualTo(State.ATTACHED);
        assertThat(lists()).isEqualTo(first);
        now = now.plusSeconds(1);
        assertThat(ask("a")).isEqualTo(State.DETACHED);
    }

    /** Each asks as often as if it were alone, and the driver lists as often as the one that asks more often. */
    @Test
    void oneListServesAttachmentsAndConditions() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        driver.abnormal.put("b", "the disk is worn out");
        ConditionsOfDriver conditions = new ConditionsOfDriver(FakeDriver.NAME, drivers, listed);
        assertThat(ask("a")).isEqualTo(State.ATTACHED);
        long one = lists();
        for (int seconds = 0; seconds < 900; seconds += 30) {
            assertThat(ask("a")).isEqualTo(State.ATTACHED);
            assertThat(conditions.of(new Asking(() -> now), "b").result())
                    .contains(new Condition(true, "the disk is worn out"));
            now = now.plusSeconds(30);
        }
        assertThat(lists()).isEqualTo(10 * one);
    }

    /** A list that serves conditions is too old for attachments, which have another one made, and that serves conditions again. */
    @Test
    void attachmentsDoNotTrustAListAsLongAsConditionsDo() {
        driver.controller.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
        ConditionsOfDriver conditions = new ConditionsOfDriver(FakeDriver.NAME, drivers, listed);
        assertThat(conditions.of(new Asking(() -> now), "a").isDone()).isTrue();
        long one = lists();
        now = now.plusSeconds(90);
        driver.attached.remove("a@" + ID);
        assertThat(ask("a")).isEqualTo(State.DETACHED);
        now = now.plusSeconds(299);
        assertThat(conditions.of(new Asking(() -> now), "a").isDone()).isTrue();
        assertThat(lists()).isEqualTo(2 * one);
    }

    /** A driver whose list lags, or lacks a volume, has not said that it is detached. */
    @Test
    void aVolumeThatIsNotListedIsNotKnown() {
        assertThat(ask("unlisted")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aListThatIsOlderThanTheLastCallProvesNothing() {
        assertThat(ask("b")).isEqualTo(State.DETACHED);
        String answer = attachments.changing("b", () -> {
            assertThat(ask("b")).as("while it is being changed").isEqualTo(State.UNKNOWN);
            return "attached";
        });
        assertThat(answer).isEqualTo("attached");
        assertThat(ask("b")).isEqualTo(State.UNKNOWN);
        now = now.plusSeconds(90);
        assertThat(ask("b")).isEqualTo(State.DETACHED);
    }

    @Test
    void aListThatFailsProvesNothing() {
        driver.fail("ListVolumes", Status.Code.INTERNAL);
        assertThat(ask("b")).isEqualTo(State.UNKNOWN);
        now = now.plusSeconds(90);
        assertThat(ask("b")).isEqualTo(State.DETACHED);
    }

    @Test
    void aDriverThatDoesNotTellOfNodesIsNotAsked() {
        driver.controller.remove(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
        assertThat(ask("b")).isEqualTo(State.UNKNOWN);
        assertThat(lists()).isZero();
    }

    @Test
    void aNodeThatTheDriverDoesNotKnowIsNotKnown() {
        VolumeId volume = new VolumeId(new PluginName(FakeDriver.NAME), "b");
        assertThat(attachments.of(new Asking(() -> now), new NodeRef("n2", "uid"), Set.of(volume)))
                .containsEntry(volume, State.UNKNOWN);
    }
}

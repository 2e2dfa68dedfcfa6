// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static dev.mooring.csi.server.ServedDriver.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.csi.v1.NodeGetInfoRequest;
import dev.mooring.csi.v1.NodeGrpc;
import dev.mooring.csi.v1.Volume;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a driver is not started with, and a plugin that does nothing on nodes. */
class RefusedStartsTest {
    private static final Set<Class<?>> ON_NODES =
            Set.of(Staging.class, Publishing.class, BlockMapping.class, NodeExpanding.class, Statistics.class);

    @TempDir
    private Path directory = Path.of("");

    private Optional<LinuxHost> host = Optional.empty();

    /** Its storage is used without it. */
    private static final class ControllersOnly extends WholePlugin {
        @Override
        public <C extends Capability> Optional<C> capability(Class<C> type) {
            return ON_NODES.contains(type) ? Optional.empty() : super.capability(type);
        }
    }

    @BeforeEach
    void machine() {
        host = LinuxHost.ofThisMachine(LinuxHostLayout.below(directory));
        assumeTrue(host.isPresent(), "needs Linux on x86_64 or aarch64");
    }

    private void serve(StoragePlugin plugin, PluginServer.Settings settings) throws IOException {
        new CsiPluginServer()
                .serve(plugin, host.orElseThrow(), InstantSource.system(), settings)
                .close();
    }

    private void isRefused(StoragePlugin plugin, PluginServer.Settings settings, String said) {
        assertThatThrownBy(() -> serve(plugin, settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
        assertThat(directory.resolve("csi.sock")).doesNotExist();
    }

    /** Its storage is where it was made. */
    private static final class OfOneNode extends WholePlugin {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(super.describe().name(), List.of(WholePlugin.TYPE), Place.NODE);
        }
    }

    /** Where a node's id is no label's value, the kubelet could not register the driver. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.example.com | with space | node id 'with space'",
                "a.example.com | -a | node id '-a'",
                "a.example.com | a. | node id 'a.'",
                "a.example.com | a/b | node id 'a/b'",
                "a.example.com | n123456789012345678901234567890123456789012345678901234567890123 | at most 63 letters",
                "a23456789012345678901234567890123456789012345.example.com | node-a | at most 54 characters",
            })
    void whatIsNoTopologyIsNamed(String name, String node, String said) throws IOException {
        var settings = new PluginServer.Settings(
                name, "0.1", "unix://" + directory.resolve("csi.sock"), node, true, true, directory);
        isRefused(new OfOneNode(), settings, said);
        serve(new WholePlugin(), settings);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Upper.example.com | node-a | true | driver name 'Upper.example.com'",
                "a..b | node-a | true | driver name 'a..b'",
                "-a.b | node-a | true | driver name '-a.b'",
                "a.b- | node-a | true | driver name 'a.b-'",
                "a_b.example.com | node-a | true | driver name 'a_b.example.com'",
                "0123456789012345678901234567890123456789012345678901234567890.com | node-a | true | driver name",
                "a.example.com | '' | true | node id ''",
                "a.example.com | node-a | false | has to be a controller or a node",
            })
    void aWrongSettingIsNamed(String name, String node, boolean controller, String said) {
        var settings = new PluginServer.Settings(
                name, "0.1", "unix://" + directory.resolve("csi.sock"), node, controller, false, directory);
        isRefused(new WholePlugin(), settings, said);
    }

    @Test
    void aPluginThatDoesNothingOnNodesIsNoNode() {
        assertThatThrownBy(() ->
                        serve(new ControllersOnly(), ServedDriver.settings(directory, "csi", false, true, "records")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("example.com/whole shows no volume on a node");
    }

    @Test
    void itsNodeCallsAreNotImplemented() throws IOException {
        try (ServedDriver driver = new ServedDriver(new ControllersOnly(), host.orElseThrow(), directory)) {
            Volume volume = Volume.newBuilder().setVolumeId("fake-vol-id").build();
            assertThat(driver.code(
                            NodeGrpc.getNodePublishVolumeMethod(),
                            CsiRequests.publish(volume, directory.resolve("target"), writer())))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(driver.code(
                            NodeGrpc.getNodeUnpublishVolumeMethod(),
                            CsiRequests.unpublish("fake-vol-id", "/nowhere/t")))
                    .isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(driver.call(NodeGrpc.getNodeGetInfoMethod(), NodeGetInfoRequest.getDefaultInstance())
                            .getNodeId())
                    .isEqualTo(ServedDriver.NODE_ID);
        }
    }
}

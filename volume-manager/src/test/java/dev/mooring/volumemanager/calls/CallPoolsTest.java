// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallPoolsTest {
    private static final PluginName NAME = new PluginName("example.com/servers");
    private static final PluginRegistry PLUGINS = new PluginRegistry(List.of(new OnePoolPerServer()));

    @Test
    void thePluginSaysWhichCallsWaitForEachOther() {
        assertThat(CallPools.of(unpublish(NAME, "a/one"), PLUGINS))
                .isEqualTo(CallPools.of(unpublish(NAME, "a/two"), PLUGINS));
        assertThat(CallPools.of(unpublish(NAME, "a/one"), PLUGINS))
                .isNotEqualTo(CallPools.of(unpublish(NAME, "b/one"), PLUGINS));
    }

    @Test
    void aPluginThatIsNotInstalledLeavesEachVolumeToItself() {
        PluginName gone = new PluginName("example.com/gone");
        assertThat(CallPools.of(unpublish(gone, "a/one"), PLUGINS))
                .isNotEqualTo(CallPools.of(unpublish(gone, "a/two"), PLUGINS));
    }

    private static UnpublishCall unpublish(PluginName plugin, String backend) {
        return new UnpublishCall(
                new NodeRef("n1", "uid"),
                RecordEntryPublishBuilder.builder()
                        .pod(new PodRef("ns", "pod", "pod-uid"))
                        .podVolume("v")
                        .volume("pv")
                        .volumeId(new VolumeId(plugin, backend))
                        .state(PluginState.NONE)
                        .target(Path.of("/t"))
                        .phase(RecordPhase.DONE)
                        .bootId("boot")
                        .build());
    }

    private static final class OnePoolPerServer implements StoragePlugin {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of("servers"), Place.CONTROLLER);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, source.type());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public String bulkhead(VolumeId volume) {
            return NAME + "/" + volume.backend().substring(0, volume.backend().indexOf('/'));
        }
    }
}

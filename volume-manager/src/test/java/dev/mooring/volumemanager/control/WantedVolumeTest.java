// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeDevice;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.volumemanager.wanted.WantedVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WantedVolumeTest {
    private static PodVolume of(String name, String type, Map<String, Object> attributes) {
        return new PodVolume(name, Optional.of(new VolumeSource(type, Document.of(attributes))));
    }

    @Test
    void takesWhatAContainerUses() {
        VolumeMount mount = new VolumeMount("used", "/mnt", false, "", "", Optional.empty());
        Pod pod = SmallCluster.pod("web", SmallCluster.claimed("used", "a"), SmallCluster.claimed("unused", "b"));
        Pod withContainer = pod.withSpec(
                pod.spec().withContainers(List.of(new Container("main", "image", List.of(mount), List.of()))));

        assertThat(WantedVolume.of(withContainer))
                .extracting(WantedVolume::name)
                .containsExactly("used");
        assertThat(WantedVolume.of(pod)).hasSize(2);
    }

    @Test
    void leavesToTheHostWhatTheHostProvides() {
        Pod pod =
                SmallCluster.pod("web", of("tmp", "emptyDir", Map.of()), of("conf", "configMap", Map.of("name", "c")));

        assertThat(WantedVolume.of(pod)).isEmpty();
    }

    @Test
    void anEphemeralVolumeIsAClaimNamedAfterThePod() {
        Pod pod = SmallCluster.pod("web", of("scratch", "ephemeral", Map.of()));

        assertThat(WantedVolume.of(pod)).singleElement().satisfies(volume -> {
            assertThat(volume.claim()).contains(ObjectKey.of("ns", "web-scratch"));
            assertThat(volume.ephemeral()).isTrue();
        });
    }

    @Test
    void oneReadOnlyNameMakesASharedClaimReadOnly() {
        Pod pod = SmallCluster.pod(
                "web",
                SmallCluster.claimed("v", "a"),
                of("w", "persistentVolumeClaim", Map.of("claimName", "a", "readOnly", true)));

        assertThat(WantedVolume.of(pod)).singleElement().satisfies(volume -> {
            assertThat(volume.name()).isEqualTo("v");
            assertThat(volume.readOnly()).isTrue();
        });
    }

    @Test
    void aVolumeUsedAsADeviceHasToBeOne() {
        Pod pod = SmallCluster.pod("web", SmallCluster.claimed("v", "a"));
        Pod withDevice = pod.withSpec(pod.spec()
                .withContainers(List.of(
                        new Container("main", "image", List.of(), List.of(new VolumeDevice("v", "/dev/xvda"))))));

        assertThat(WantedVolume.of(withDevice))
                .singleElement()
                .satisfies(volume -> assertThat(volume.use().modes()).containsExactly(VolumeMode.BLOCK));

        NodeWorld world = NodeWorld.withNode();
        world.store.put(Kinds.PERSISTENT_VOLUME, SmallCluster.volume("pv1", "a"));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("a", "pv1"));
        world.store.put(Kinds.POD, withDevice);
        world.run();
        assertThat(world.calls).isEmpty();
        assertThat(world.eventReasons())
                .containsExactly(
                        "FailedMapVolume: volume v has volumeMode Filesystem, but is specified in volumeDevices");
    }
}

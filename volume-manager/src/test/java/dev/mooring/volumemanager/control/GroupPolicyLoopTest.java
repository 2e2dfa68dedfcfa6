// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.calls.PublishCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a pod's group gets the volume of a driver is said by the driver's CSIDriver object. */
class GroupPolicyLoopTest {
    private static final String DRIVER = "disks.example.com";
    private static final int GROUP = 4711;

    private final NodeWorld world = new NodeWorld(new Driver());
    private final List<OptionalInt> groups = new ArrayList<>();

    /** Serves CSI sources that name it as driver. */
    private static final class Driver extends FakePlugin {
        private static final PluginName NAMED = new PluginName(DRIVER);

        @Override
        public PluginDescriptor describe() {
            PluginDescriptor fake = super.describe();
            return PluginDescriptor.of(NAMED, List.of(), fake.reclaimPlace()).withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(
                    NAMED, CsiSource.of(source).map(CsiSource::volumeHandle).orElseThrow());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }
    }

    private static VolumeSource source(String fsType) {
        return new CsiSource(DRIVER, "handle", fsType, false, Map.of()).toSource();
    }

    private void driver(String policy) {
        CSIDriverSpec spec = CSIDriverSpec.EMPTY.withFsGroupPolicy(Optional.of(policy));
        world.store.put(Kinds.CSI_DRIVER, new CSIDriver(ObjectMeta.named(DRIVER), spec));
    }

    private void volume(String fsType, AccessMode... modes) {
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(
                        volume.spec().withAccessModes(Arrays.asList(modes)).withSource(Optional.of(source(fsType)))));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
    }

    private void pod(PodVolume volume) {
        Pod pod = SmallCluster.pod("web", volume);
        PodSecurityContext security = PodSecurityContext.EMPTY.withFsGroup(Optional.of((long) GROUP));
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.store.put(Kinds.POD, pod.withSpec(pod.spec().withSecurityContext(Optional.of(security))));
    }

    private void noteGroups() {
        world.faults = call -> {
            if (call instanceof PublishCall publish) {
                groups.add(publish.setup().group());
            }
            return Optional.empty();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "None, ext4, READ_WRITE_ONCE, false",
        "File, '', READ_WRITE_MANY, true",
        "File, ext4, READ_WRITE_ONCE, true",
        "ReadWriteOnceWithFSType, ext4, READ_WRITE_ONCE, true",
        "ReadWriteOnceWithFSType, ext4, READ_WRITE_ONCE_POD, true",
        "ReadWriteOnceWithFSType, ext4, READ_WRITE_MANY, false",
        "ReadWriteOnceWithFSType, '', READ_WRITE_ONCE, false",
        // no object of the driver
        "'', ext4, READ_WRITE_ONCE, true",
        "'', ext4, READ_WRITE_MANY, false",
        "'', '', READ_WRITE_ONCE, false",
    })
    void thePolicyOfTheDriverDecides(String policy, String fsType, AccessMode mode, boolean given) {
        if (!policy.isEmpty()) {
            driver(policy);
        }
        volume(fsType, mode);
        pod(SmallCluster.claimed("v", "data"));
        noteGroups();
        world.run();
        assertThat(groups).containsExactly(given ? OptionalInt.of(GROUP) : OptionalInt.empty());
    }

    @ParameterizedTest
    @CsvSource({"ext4, true", "'', false"})
    void aSourceWrittenInAPodIsThatPods(String fsType, boolean given) {
        CSIDriverSpec makes = CSIDriverSpec.EMPTY.withVolumeLifecycleModes(List.of("Ephemeral"));
        world.store.put(Kinds.CSI_DRIVER, new CSIDriver(ObjectMeta.named(DRIVER), makes));
        pod(new PodVolume("v", Optional.of(source(fsType))));
        noteGroups();
        world.run();
        assertThat(groups).containsExactly(given ? OptionalInt.of(GROUP) : OptionalInt.empty());
    }

    /** Upstream demands it too: by default a driver makes volumes for claims only (semantics/plugins §1). */
    @Test
    void aDriverMakesVolumesForPodsOnlyIfItSaysSo() {
        pod(new PodVolume("v", Optional.of(source("ext4"))));
        noteGroups();
        world.run();
        assertThat(groups).isEmpty();
        assertThat(world.eventReasons())
                .containsExactly("FailedMount: volume mode \"Ephemeral\" not supported by driver " + DRIVER
                        + " (no CSIDriver object)");
        CSIDriverSpec persistent = CSIDriverSpec.EMPTY.withVolumeLifecycleModes(List.of("Persistent"));
        world.store.put(Kinds.CSI_DRIVER, new CSIDriver(ObjectMeta.named(DRIVER), persistent));
        world.run();
        assertThat(groups).isEmpty();
        world.store.put(
                Kinds.CSI_DRIVER,
                new CSIDriver(
                        ObjectMeta.named(DRIVER),
                        persistent.withVolumeLifecycleModes(List.of("Persistent", "Ephemeral"))));
        world.run();
        assertThat(groups).hasSize(1);
    }

    @Test
    void aChangedPolicyIsTriedAtOnce() {
        driver("File");
        volume("ext4", AccessMode.READ_WRITE_ONCE);
        pod(SmallCluster.claimed("v", "data"));
        world.faults = call -> {
            if (!(call instanceof PublishCall publish)) {
                return Optional.empty();
            }
            groups.add(publish.setup().group());
            return publish.setup().group().isPresent()
                    ? Optional.of(Outcome.refused(Refusal.DENIED, "read-only file system"))
                    : Optional.empty();
        };
        world.run(0);
        assertThat(groups).containsExactly(OptionalInt.of(GROUP));
        driver("None");
        world.run(0);
        assertThat(groups).containsExactly(OptionalInt.of(GROUP), OptionalInt.empty());
    }
}

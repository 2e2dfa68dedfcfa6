// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CSIDriver;
import dev.mooring.storage.model.CSIDriverSpec;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSecurityContext;
import dev.mooring.storage.model.SELinuxOptions;
import dev.mooring.storage.model.SecurityContext;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.volumemanager.calls.CompleteCall;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.StageCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes that are mounted with the SELinux label of their only pod. */
class LabelledVolumesLoopTest extends StagedVolumeStory {
    private static Pod labelledPod(String name, String level) {
        Pod pod = SmallCluster.pod(name, SmallCluster.claimed("v", "data"));
        VolumeMount mount = new VolumeMount("v", "/v", false, "", "", Optional.empty());
        PodSecurityContext context =
                PodSecurityContext.EMPTY.withSeLinuxOptions(Optional.of(SELinuxOptions.EMPTY.withLevel(level)));
        return pod.withSpec(pod.spec()
                .withContainers(List.of(new Container("main", "image", List.of(mount), List.of())))
                .withSecurityContext(level.isEmpty() ? Optional.empty() : Optional.of(context)));
    }

    private static NodeWorld labellingWorld(StoragePlugin plugin, boolean seLinux, AccessMode mode) {
        NodeWorld world = new NodeWorld(plugin, SmallCluster.CONFIG.withSELinux(seLinux));
        world.store.put(Kinds.NODE, SmallCluster.node());
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(Kinds.PERSISTENT_VOLUME, volume.withSpec(volume.spec().withAccessModes(List.of(mode))));
        world.store.put(Kinds.PERSISTENT_VOLUME_CLAIM, SmallCluster.claim("data", "pv1"));
        world.attach(BACKEND);
        return world;
    }

    private static List<List<String>> optionsOfStages(NodeWorld world) {
        List<List<String>> seen = new ArrayList<>();
        world.faults = call -> {
            if (call instanceof StageCall stage) {
                seen.add(stage.spec().mountOptions());
            }
            return Optional.empty();
        };
        return seen;
    }

    @Test
    void aVolumeOfOnePodIsMountedWithThePodsLabelAndAnewForAnother() {
        NodeWorld labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        List<List<String>> options = optionsOfStages(labelling);
        labelling.store.put(Kinds.POD, labelledPod("a", "s0:c1,c2"));
        labelling.run();
        assertThat(options).containsExactly(List.of("context=\"system_u:object_r:container_file_t:s0:c1,c2\""));
        assertThat(labelling.standing())
                .filteredOn(RecordEntry.Stage.class::isInstance)
                .singleElement()
                .satisfies(entry -> assertThat(((RecordEntry.Stage) entry).seLinuxLabel())
                        .contains("system_u:object_r:container_file_t:s0:c1,c2"));
        labelling.store.put(Kinds.POD, labelledPod("b", "s0:c3"));
        Pod first = labelling.store.get(Kinds.POD, ObjectKey.of("ns", "a")).orElseThrow();
        labelling.store.put(
                Kinds.POD, first.withMetadata(first.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH))));
        labelling.run();
        assertThat(options)
                .hasSize(2)
                .last()
                .isEqualTo(List.of("context=\"system_u:object_r:container_file_t:s0:c3\""));
        assertThat(labelling.mounts).hasSize(1);
        assertThat(labelling.violations).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, READ_WRITE_ONCE, s0:c1",
        "true, true, READ_WRITE_MANY, s0:c1",
        "true, false, READ_WRITE_ONCE_POD, s0:c1",
        "false, true, READ_WRITE_ONCE_POD, s0:c1",
        "true, true, READ_WRITE_ONCE_POD, ''",
    })
    void otherwiseAVolumeHasNoLabel(boolean taken, boolean seLinux, AccessMode mode, String level) {
        NodeWorld other = labellingWorld(taken ? new FakePlugin.Labelled() : new FakePlugin.Staged(), seLinux, mode);
        List<List<String>> options = optionsOfStages(other);
        other.store.put(Kinds.POD, labelledPod("a", level));
        other.run();
        assertThat(options).containsExactly(List.of());
        assertThat(other.mounts).hasSize(1);
    }

    /** Serves CSI sources that name it as driver. */
    private static final class Driver extends FakePlugin.Labelled {
        private static final PluginName NAMED = new PluginName("disks.example.com");

        @Override
        public PluginDescriptor describe() {
            PluginDescriptor fake = super.describe();
            return PluginDescriptor.of(NAMED, List.of(), fake.reclaimPlace())
                    .withSupportsMountOptions(true)
                    .withManagesOwnership(true);
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

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aDriverIsToldTheLabelInBothCallsIfItsObjectSaysSo(boolean says) {
        NodeWorld labelling = labellingWorld(new Driver(), true, AccessMode.READ_WRITE_ONCE_POD);
        labelling.store.put(
                Kinds.CSI_DRIVER,
                new CSIDriver(
                        ObjectMeta.named(Driver.NAMED.value()),
                        CSIDriverSpec.EMPTY
                                .withAttachRequired(Optional.of(false))
                                .withSeLinuxMount(Optional.of(says))));
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        VolumeSource source = new CsiSource(Driver.NAMED.value(), "handle", "ext4", false, Map.of()).toSource();
        labelling.store.put(
                Kinds.PERSISTENT_VOLUME,
                volume.withSpec(volume.spec()
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE_POD))
                        .withSource(Optional.of(source))));
        List<List<String>> options = new ArrayList<>();
        labelling.faults = call -> {
            if (call instanceof StageCall stage) {
                options.add(stage.spec().mountOptions());
            } else if (call instanceof PublishCall publish) {
                options.add(publish.request().volume().mountOptions());
            }
            return Optional.empty();
        };
        labelling.store.put(Kinds.POD, labelledPod("a", "s0:c1"));
        labelling.run();

        List<String> label = says ? List.of("context=\"system_u:object_r:container_file_t:s0:c1\"") : List.of();
        assertThat(options).containsExactly(label, label);
    }

    @Test
    void containersThatWantOneVolumeWithTwoLabelsAreTold() {
        NodeWorld labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        Pod pod = labelledPod("a", "s0:c1");
        Container other = pod.spec()
                .containers()
                .get(0)
                .withName("other")
                .withSecurityContext(Optional.of(SecurityContext.EMPTY.withSeLinuxOptions(
                        Optional.of(SELinuxOptions.EMPTY.withLevel("s0:c2")))));
        labelling.store.put(
                Kinds.POD,
                pod.withSpec(pod.spec()
                        .withContainers(List.of(pod.spec().containers().get(0), other))));
        labelling.run();
        assertThat(labelling.mounts).isEmpty();
        assertThat(labelling.standing()).isEmpty();
        assertThat(labelling.eventReasons())
                .singleElement()
                .asString()
                .contains("FailedMount", "different SELinux labels", "s0:c1", "s0:c2");
    }

    @Test
    void whatIsMissingIsAddedWithTheLabelThatItWasStagedWith() {
        NodeWorld labelling = labellingWorld(new FakePlugin.Labelled(), true, AccessMode.READ_WRITE_ONCE_POD);
        List<List<String>> options = new ArrayList<>();
        labelling.faults = call -> {
            if (call instanceof StageCall stage) {
                labelling.stage(stage);
                return Optional.of(Outcome.done(new PluginState(1, "without 10.0.0.2:3260")));
            } else if (call instanceof CompleteCall complete) {
                options.add(complete.spec().mountOptions());
            }
            return Optional.empty();
        };
        labelling.store.put(Kinds.POD, labelledPod("a", "s0:c1"));
        labelling.run(120);
        assertThat(options).containsExactly(List.of("context=\"system_u:object_r:container_file_t:s0:c1\""));
    }
}

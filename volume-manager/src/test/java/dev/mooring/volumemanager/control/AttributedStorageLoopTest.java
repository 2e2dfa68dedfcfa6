// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.volumemanager.calls.ProvisionOnNodeCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage with attributes from the start, made on the node that holds it (semantics/binder §1.10 X5). */
class AttributedStorageLoopTest {
    private final List<Map<String, String>> asked = new ArrayList<>();

    private NodeWorld world(FakePlugin plugin, String shown, String named) {
        NodeWorld world = new NodeWorld(plugin);
        world.store.put(Kinds.NODE, SmallCluster.node());
        PersistentVolume volume = SmallCluster.volume("pv1", "data");
        world.store.put(
                Kinds.PERSISTENT_VOLUME,
                NodeIntent.labelled(volume.withSpec(volume.spec()
                                .withStorageClassName(Optional.of("gold"))
                                .withVolumeAttributesClassName(Optional.ofNullable(shown))
                                .withSource(Optional.of(SmallCluster.source("/made/pv1"))))
                        .withMetadata(volume.metadata()
                                .withAnnotation(NodeIntent.PROVISIONING, "data-uid")
                                .withAnnotation(NodeIntent.PROVISION_ON, "n1"))));
        PersistentVolumeClaim claim = SmallCluster.claim("data", "");
        world.store.put(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.ofNullable(named))));
        world.store.put(Kinds.STORAGE_CLASS, StorageClass.of("gold", FakePlugin.NAME.value()));
        attributes(world, "fast", FakePlugin.NAME.value());
        attributes(world, "theirs", "far.example.com");
        world.faults = call -> {
            asked.add(((ProvisionOnNodeCall) call).request().attributes());
            return Optional.empty();
        };
        return world;
    }

    private static void attributes(NodeWorld world, String name, String driver) {
        world.store.put(
                Kinds.VOLUME_ATTRIBUTES_CLASS,
                new VolumeAttributesClass(ObjectMeta.named(name), driver, Map.of("iops", "3000")));
    }

    private static String result(NodeWorld world) {
        return world.store
                .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("pv1"))
                .orElseThrow()
                .metadata()
                .annotation(NodeIntent.PROVISION_RESULT)
                .orElse("");
    }

    @Test
    void theStorageIsMadeWithItsAttributesOfAClassReadLive() {
        NodeWorld world = world(new FakePlugin.Attributed(), "fast", "fast");
        List<Object> read = new ArrayList<>();
        world.storeFaults = effect -> {
            if (effect instanceof Effect.Read<?> proof && proof.kind().equals(Kinds.VOLUME_ATTRIBUTES_CLASS)) {
                read.add(proof.object());
            }
            return Optional.empty();
        };
        world.run();
        assertThat(read).containsExactly(ObjectKey.cluster("fast"));
        assertThat(asked).containsExactly(Map.of("iops", "3000"));
        assertThat(result(world)).isEqualTo("done data-uid");
    }

    @ParameterizedTest
    @CsvSource({"true,,", "true,,''", "false,,", "false,,''"})
    void whoNamesNoClassGetsNoAttributes(boolean modifies, String shown, String named) {
        NodeWorld world = world(modifies ? new FakePlugin.Attributed() : new FakePlugin(), shown, named);
        world.run();
        assertThat(asked).containsExactly(Map.of());
        assertThat(result(world)).isEqualTo("done data-uid");
    }

    @ParameterizedTest
    @CsvSource({
        "false, fast, fast, 'refused UNSUPPORTED plugin example.com/fake gives storage no attributes, and the claim names"
                + " VAC fast'",
        "true, gone, gone, refused NOT_FOUND VAC gone does not exist",
        "true, theirs, theirs, 'refused INVALID VAC theirs is for the driver far.example.com, not for example.com/fake'",
        "true,, fast, 'refused INCOMPATIBLE the volume shows the VAC \"\", and its claim names \"fast\"'",
        "true, fast,, 'refused INCOMPATIBLE the volume shows the VAC \"fast\", and its claim names \"\"'"
    })
    void whatCannotBeGivenIsRefused(boolean modifies, String shown, String named, String answer) {
        NodeWorld world = world(modifies ? new FakePlugin.Attributed() : new FakePlugin(), shown, named);
        world.run();
        assertThat(world.calls).isEmpty();
        assertThat(result(world)).isEqualTo(answer);
    }
}

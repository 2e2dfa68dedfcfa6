// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.volumemanager.calls.DiscoverCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What plugins find becomes volumes, once. */
class VolumeDiscoveryLoopTest {
    private final NodeWorld world = new NodeWorld(new Finding());
    private final List<FoundVolume> disks = new ArrayList<>();

    private static final class Finding extends FakePlugin {
        @Override
        public boolean discovers() {
            return true;
        }
    }

    @BeforeEach
    void setUp() {
        world.store.put(Kinds.NODE, SmallCluster.node());
        world.faults = this::answer;
    }

    private Optional<Outcome<?>> answer(Call call) {
        return call instanceof DiscoverCall ? Optional.of(Outcome.done(List.copyOf(disks))) : Optional.empty();
    }

    private static FoundVolume disk(String name, String className) {
        return new FoundVolume(
                name,
                className,
                VolumeMode.BLOCK,
                new VolumeTemplate(
                        SmallCluster.source("/disks/" + name),
                        Quantity.parse("10Gi"),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Optional.of(VolumeNodeAffinity.onlyWhere("kubernetes.io/hostname", "n1")),
                        Map.of("mooring.dev/clean", "new")));
    }

    private void addClass(String name) {
        world.store.put(
                Kinds.STORAGE_CLASS,
                StorageClass.of(name, "kubernetes.io/no-provisioner")
                        .withReclaimPolicy(Optional.of(ReclaimPolicy.RETAIN))
                        .withMountOptions(List.of("noatime")));
    }

    private Optional<PersistentVolume> volume(String name) {
        return world.store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name));
    }

    private long looks() {
        return world.calls.stream().filter(call -> call.startsWith("discover")).count();
    }

    @Test
    void createsWhatIsMissingWithTheRulesOfTheClass() {
        addClass("fast");
        disks.add(disk("local-1", "fast"));

        world.run();

        PersistentVolume made = volume("local-1").orElseThrow();
        assertThat(made.spec().storageClassName()).contains("fast");
        assertThat(made.spec().persistentVolumeReclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
        assertThat(made.spec().mountOptions()).containsExactly("noatime");
        assertThat(made.spec().volumeMode()).contains(VolumeMode.BLOCK);
        assertThat(made.spec().source()).contains(SmallCluster.source("/disks/local-1"));
        assertThat(made.spec().nodeAffinity()).isPresent();
        assertThat(made.metadata().annotations())
                .containsEntry("mooring.dev/clean", "new")
                .containsEntry(Annotations.PROVISIONED_BY, FakePlugin.NAME.value());
    }

    @Test
    void restsWhenNothingChanges() {
        addClass("fast");
        disks.add(disk("local-1", "fast"));
        world.run();
        long before = looks();
        int effects = world.effects;

        world.run(3600);

        assertThat(looks()).isEqualTo(before);
        assertThat(world.effects).isEqualTo(effects);
    }

    @Test
    void waitsForTheClass() {
        disks.add(disk("local-1", "fast"));
        world.run();
        assertThat(volume("local-1")).isEmpty();

        addClass("fast");
        world.run();
        assertThat(volume("local-1")).isPresent();
    }

    @Test
    void aVolumeThatIsThereIsLeftAsItIs() {
        addClass("fast");
        disks.add(disk("local-1", "fast"));
        world.run();
        PersistentVolume edited = volume("local-1")
                .orElseThrow()
                .withMetadata(volume("local-1").orElseThrow().metadata().withAnnotation("x", "y"));
        world.store.put(Kinds.PERSISTENT_VOLUME, edited);
        addClass("another");

        world.run();

        assertThat(volume("local-1").orElseThrow().metadata().annotation("x")).contains("y");
    }

    @Test
    void looksAgainWhenAVolumeHasGoneOrTheNodeHasOtherLabels() {
        addClass("fast");
        disks.add(disk("local-1", "fast"));
        world.run();
        world.store.remove(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("local-1"));
        world.run();
        assertThat(volume("local-1")).isPresent();

        disks.add(disk("local-2", "fast"));
        Node node = world.node();
        world.store.put(Kinds.NODE, node.withMetadata(node.metadata().withLabels(Map.of("zone", "b"))));
        world.run();
        assertThat(volume("local-2")).isPresent();
    }

    @Test
    void aLookThatFailsIsRepeated() {
        addClass("fast");
        disks.add(disk("local-1", "fast"));
        int[] failures = {3};
        world.faults = call -> call instanceof DiscoverCall && failures[0]-- > 0
                ? Optional.of(Outcome.deferred("busy"))
                : answer(call);

        world.run();

        assertThat(volume("local-1")).isPresent();
        assertThat(looks()).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAtEveryEffectEndsWithOneVolume(boolean after) {
        for (int dieAt = 0; dieAt < 8; dieAt++) {
            NodeWorld crashing = new NodeWorld(new Finding());
            crashing.store.put(Kinds.NODE, SmallCluster.node());
            crashing.store.put(Kinds.STORAGE_CLASS, StorageClass.of("fast", "kubernetes.io/no-provisioner"));
            crashing.faults = call -> call instanceof DiscoverCall
                    ? Optional.of(Outcome.done(List.of(disk("local-1", "fast"))))
                    : Optional.empty();
            crashing.dieAt = dieAt;
            crashing.dieAfter = after;

            crashing.run();

            assertThat(crashing.store.all(Kinds.PERSISTENT_VOLUME)).hasSize(1);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the real binder at work on the same store. */
class VolumeRepairingTest {
    private static final ObjectKey CLAIM = ObjectKey.of("default", "data");
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_ONCE);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private final ControllerRuntime runtime = new ControllerRuntime(
            store, new Binder(BinderOptions.DEFAULT, PluginRegistry.EMPTY).controllers(), RuntimeOptions.defaults());
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void aVolumeWhoseClaimHasGone() {
        runtime.start();
        store.create(Kinds.PERSISTENT_VOLUME, volume()).orThrow();
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data")).orThrow();
        settle();
        store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
        settle();
        assertThat(disk().status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
    }

    @AfterEach
    void close() {
        runtime.close();
        store.close();
    }

    @Test
    void reboundItWaitsForTheSameNameOnly() {
        assertThat(run(VolumeRepairs::rebind)).isEmpty();
        settle();
        assertThat(disk().status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);

        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("other")).orThrow();
        settle();
        assertThat(bound("other")).isEmpty();

        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data")).orThrow();
        settle();
        assertThat(bound("data")).isEqualTo("disk");
    }

    @Test
    void discardedItGoesToAnyClaim() {
        assertThat(run(VolumeRepairs::discard)).isEmpty();
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("other")).orThrow();
        settle();

        assertThat(bound("other")).isEqualTo("disk");
        assertThat(said).anyMatch(line -> line.contains("nothing is erased"));
    }

    @Test
    void adoptedItGoesToTheClaimThatIsThere() {
        store.create(Kinds.PERSISTENT_VOLUME_CLAIM, claim("data")).orThrow();
        settle();
        assertThat(bound("data")).isEmpty();

        assertThat(run(repairs -> repairs.adopt(Optional.empty()))).isEmpty();
        settle();

        assertThat(bound("data")).isEqualTo("disk");
    }

    @Test
    void aDryRunWritesNothing() {
        PersistentVolume before = disk();

        assertThat(new VolumeRepairing(store, InstantSource.system())
                        .run("disk", Optional.empty(), VolumeRepairs::discard, true, said::add))
                .isEmpty();

        assertThat(disk()).isEqualTo(before);
        assertThat(said).isNotEmpty().allMatch(line -> line.startsWith("dry run: "));
    }

    @Test
    void aVolumeThatChangedMeanwhileIsLeftAlone() {
        Function<VolumeRepairs, Repair> late = repairs -> {
            Repair judged = repairs.discard();
            PersistentVolume now = disk();
            store.update(
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(now, now.withMetadata(now.metadata().withAnnotation("a", "b"))))
                    .orThrow();
            return judged;
        };

        assertThat(run(late)).singleElement().asString().contains("has changed", "nothing was done");
        assertThat(disk().spec().claimRef().map(ObjectReference::name)).contains("data");
        assertThat(said).isEmpty();
    }

    @Test
    void anUnknownVolumeIsNamed() {
        assertThat(new VolumeRepairing(store, InstantSource.system())
                        .run("dsik", Optional.empty(), VolumeRepairs::discard, false, said::add))
                .containsExactly("there is no volume dsik; did you mean disk? There are: disk");
    }

    private List<String> run(Function<VolumeRepairs, Repair> act) {
        return new VolumeRepairing(store, InstantSource.system()).run("disk", Optional.empty(), act, false, said::add);
    }

    private void settle() {
        runtime.whenQuiescent().join();
    }

    private PersistentVolume disk() {
        return store.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("disk")).orThrow();
    }

    private String bound(String claim) {
        PersistentVolumeClaim found = store.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", claim))
                .orThrow();
        return found.spec().volumeName();
    }

    private static PersistentVolume volume() {
        return PersistentVolume.of(
                "disk",
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse("1Gi"))
                        .withAccessModes(MODES)
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withSource(Optional.of(new HostPathSource("/data", "").toSource())));
    }

    private static PersistentVolumeClaim claim(String name) {
        return PersistentVolumeClaim.of(
                "default",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse("1Gi"))
                        .withStorageClassName(Optional.of(""))
                        .withAccessModes(MODES));
    }
}

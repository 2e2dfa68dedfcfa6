// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.Change;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObjectNamesTest {
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));

    @BeforeEach
    void make() {
        volume("disk-b", PersistentVolumePhase.RELEASED);
        volume("disk-a", PersistentVolumePhase.BOUND);
        volume("other", PersistentVolumePhase.RELEASED);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void volume(String name, PersistentVolumePhase phase) {
        PersistentVolume made = store.create(
                        Kinds.PERSISTENT_VOLUME,
                        PersistentVolume.of(
                                name,
                                PersistentVolumeSpec.EMPTY
                                        .withStorage(Quantity.parse("1Gi"))
                                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                                        .withSource(Optional.of(new HostPathSource("/srv/" + name, "").toSource()))))
                .orThrow();
        store.updateStatus(
                        Kinds.PERSISTENT_VOLUME,
                        new Change<>(made, made.withStatus(made.status().withPhase(phase))))
                .orThrow();
    }

    @Test
    void explainIsAboutAllAndReleaseAboutVolumesWithoutAClaim() {
        ObjectNames names = new ObjectNames(store);
        assertThat(names.of("explain", "pv/disk", "default")).containsExactly("pv/disk-a", "pv/disk-b");
        assertThat(names.of("release", "pv/disk", "default")).containsExactly("pv/disk-b");
        assertThat(names.of("adopt", "", "default")).containsExactly("disk-b", "other");
        assertThat(names.of("explain", "pvc/", "default")).isEmpty();
        assertThat(names.of("explain", "secret/", "default")).isEmpty();
    }

    @Test
    void aClusterThatDoesNotAnswerHasNoNames() {
        store.close();
        assertThat(new ObjectNames(store).of("explain", "pv/", "default")).isEmpty();
    }
}

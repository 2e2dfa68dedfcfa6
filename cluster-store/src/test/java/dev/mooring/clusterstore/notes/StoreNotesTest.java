// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.notes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Notes on a volume's object: of two writers at most one replaces a value. */
class StoreNotesTest {
    private static final String KEY = "mooring.dev/filesystem";

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(3))));
    private final PersistentVolume volume = store.create(
                    Kinds.PERSISTENT_VOLUME,
                    PersistentVolume.of(
                            ObjectMeta.named("pv1"),
                            PersistentVolumeSpec.EMPTY
                                    .withCapacity(Map.of("storage", Quantity.parse("1Gi")))
                                    .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                                    .withSource(Optional.of(new HostPathSource("/data", "").toSource()))))
            .orThrow();

    private VolumeNotes notes(String uid) {
        return StoreNotes.of(
                store,
                new VolumeSpec(
                        "pv1",
                        uid,
                        new HostPathSource("/data", "").toSource(),
                        List.of(),
                        VolumeMode.FILESYSTEM,
                        Quantity.ZERO,
                        List.of(),
                        Map.of()));
    }

    private VolumeNotes notes() {
        return notes(volume.metadata().uid());
    }

    @Test
    void writesReplacesAndFinds() {
        assertThat(notes().find(KEY).result()).contains(Optional.empty());
        assertThat(notes().write(KEY, Optional.empty(), "pending:1").isDone()).isTrue();
        assertThat(notes().write(KEY, Optional.of("pending:1"), "ext4:1").isDone())
                .isTrue();
        assertThat(notes().find(KEY).result()).contains(Optional.of("ext4:1"));
    }

    @Test
    void whatIsThereAlreadyIsDoneWhateverWasExpected() {
        notes().write(KEY, Optional.empty(), "a");

        assertThat(notes().write(KEY, Optional.empty(), "a").isDone()).isTrue();
    }

    @Test
    void anotherValueIsNeverReplaced() {
        notes().write(KEY, Optional.empty(), "a");

        assertThat(notes().write(KEY, Optional.empty(), "b")).isInstanceOf(Outcome.Refused.class);
        assertThat(notes().write(KEY, Optional.of("other"), "b")).isInstanceOf(Outcome.Refused.class);
        assertThat(notes().find(KEY).result()).contains(Optional.of("a"));
    }

    @Test
    void keysOfOthersAndOtherVolumesAreRefused() {
        assertThat(notes().write("pv.kubernetes.io/bind-completed", Optional.empty(), "yes"))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(notes("of-an-earlier-volume").write(KEY, Optional.empty(), "a"))
                .isInstanceOf(Outcome.Refused.class);
        assertThat(notes("")).isSameAs(VolumeNotes.NONE);
    }
}

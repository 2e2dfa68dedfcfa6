// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader's write that waits, for its turn or for a read, is not sent if the leader's term ends meanwhile (S14). */
class TermOfWritesTest {
    private final FakeServer server = new FakeServer();
    private final KubernetesStore store = server.store(FakeServer.AMPLE);
    private final PersistentVolume volume = volume();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void isSentAsLongAsTheTermIsHeld() {
        store.during(new Looks(Integer.MAX_VALUE))
                .create(Kinds.PERSISTENT_VOLUME, volume)
                .orThrow();
        assertThat(server.texts()).hasSize(1);
    }

    @Test
    void noWriteIsSentInATermThatEndedWhileItWaited() {
        List<Function<ClusterStore, StoreResult<?>>> writes = List.of(
                each -> each.create(Kinds.PERSISTENT_VOLUME, volume),
                each -> each.update(Kinds.PERSISTENT_VOLUME, new Change<>(volume, annotated())),
                each -> each.delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("a"), DeleteOptions.DEFAULT));
        for (Function<ClusterStore, StoreResult<?>> write : writes) {
            assertThat(write.apply(store.during(new Looks(1))).failure()).contains(Failure.UNAVAILABLE);
        }
        assertThat(server.texts()).isEmpty();
    }

    @Test
    void readsAreNotTheLeadersAlone() {
        assertThat(store.during(new Looks(0))
                        .get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("a"))
                        .failure())
                .isEmpty();
    }

    @Test
    void closingTheLeadersViewClosesNothing() {
        store.during(new Looks(1)).close();
        store.create(Kinds.PERSISTENT_VOLUME, volume).orThrow();
        assertThat(server.texts()).hasSize(1);
    }

    private PersistentVolume annotated() {
        return volume.withMetadata(volume.metadata().withAnnotation("example.com/a", "b"));
    }

    private static PersistentVolume volume() {
        PersistentVolume volume = PersistentVolume.of("a", PersistentVolumeSpec.EMPTY);
        return volume.withMetadata(volume.metadata().withResourceVersion("1").withUid("u"));
    }

    /** A term that is held for so many looks at it. */
    private static final class Looks implements Tenure {
        private int left;

        Looks(int left) {
            this.left = left;
        }

        @Override
        public long number() {
            return 1;
        }

        @Override
        public boolean isHeld() {
            return left-- > 0;
        }
    }
}

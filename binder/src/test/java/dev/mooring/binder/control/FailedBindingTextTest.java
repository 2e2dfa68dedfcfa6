// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The message of the event that no volume was found (semantics/binder §1.3 U8, §6 point 1, §7 D13). */
class FailedBindingTextTest {
    private static final String UPSTREAM = "no persistent volumes available for this claim and no storage class is set";

    private static PersistentVolume free(String name, String size) {
        return BinderObjects.inPhase(BinderObjects.volume(name, size), PersistentVolumePhase.AVAILABLE);
    }

    private static PersistentVolume gold(String name, String size) {
        PersistentVolume volume = free(name, size);
        return volume.withSpec(volume.spec().withStorageClassName(Optional.of("gold")));
    }

    private static String toldTo(Cluster cluster) {
        cluster.load(BinderObjects.claim("data", "8Gi")).settle();
        assertThat(cluster.reasons()).containsExactly("FailedBinding");
        return cluster.news.get(0).message();
    }

    @Test
    void beginsWithUpstreamsWords() {
        assertThat(toldTo(new Cluster())).isEqualTo(UPSTREAM + ": there are no volumes");
    }

    @Test
    void countsGroupsAndNamesTheNearest() {
        Cluster cluster = new Cluster();
        PersistentVolume shared = free("shared", "9Gi");
        cluster.load(
                free("a", "1Gi"),
                free("b", "7Gi"),
                gold("c", "9Gi"),
                gold("d", "1Gi"),
                shared.withSpec(shared.spec().withAccessModes(List.of(AccessMode.READ_ONLY_MANY))),
                BinderObjects.claimedBy(free("e", "9Gi"), "other", ""));
        assertThat(toldTo(cluster))
                .isEqualTo(UPSTREAM
                        + ": 5 of 6 volumes free (1 without an access mode, 2 too small, 2 of another storage class)"
                        + "; nearest: shared (9Gi, without an access mode), b (7Gi, too small),"
                        + " c (9Gi, of another storage class)");
    }

    @Test
    void isBoundedWhateverThereIs() {
        Cluster cluster = new Cluster();
        String name = "v".repeat(250);
        for (int i = 0; i < 3; i++) {
            PersistentVolume volume = gold(i + name, "9Gi");
            cluster.load(volume.withSpec(volume.spec().withStorageClassName(Optional.of("class" + i))));
        }
        assertThat(toldTo(cluster).length()).isLessThanOrEqualTo(1024);
    }

    @Test
    void otherCountersAreNoNews() {
        Cluster cluster = new Cluster();
        toldTo(cluster);
        for (int i = 0; i < 10; i++) {
            cluster.load(free("small" + i, "1Gi")).settle();
            cluster.editClaim("data", c -> BinderObjects.annotated(c, "touched", "" + cluster.writes.size()));
            cluster.settle();
        }
        assertThat(cluster.told("FailedBinding")).isEqualTo(1);
    }
}

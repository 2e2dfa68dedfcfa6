// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.ControlPlane;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Small worlds in every order of effects, with a crash and a conflict or a lost answer at every place. {@code -Dmooring.scope=full}
 * follows all branches; otherwise their number is bounded.
 */
class SmallScopeTest {
    private static final int MOST = System.getProperty("mooring.scope", "").equals("full") ? Integer.MAX_VALUE : 300;

    private static ControlPlane plane(String... controllers) {
        return new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of(Texts.DRIVER)), Set.of(controllers));
    }

    private static void apply(SimulatedCluster cluster, Map<String, Object> object) {
        Document document = Document.of(object);
        cluster.users().apply(cluster.kindOf(document).orElseThrow(), SimulatedCluster.keyOf(document), document);
    }

    private static Consumer<SimulatedCluster> pair(int number) {
        return cluster -> {
            apply(cluster, Texts.volume("vol-" + number, "1Gi", "ReadWriteOnce", "Retain", false, Texts.map()));
            apply(
                    cluster,
                    Texts.claim("alpha", "data-" + number, "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "")));
        };
    }

    private static void print(String name, Explorer explorer) {
        System.out.printf(
                "%s: %d states, %d branches, %d ends%s%n",
                name,
                explorer.states(),
                explorer.runs(),
                explorer.ends().size(),
                explorer.complete() ? ", all of them" : ", not all of them");
    }

    /** I4, I10: from every crash point and every lost race the same end is reached. */
    @Test
    void twoClaimsAndTwoVolumes() {
        Explorer explorer = new Explorer(
                        plane("binder", "pvc-protection", "pv-protection"),
                        cluster -> {},
                        List.of(pair(1).andThen(pair(2))),
                        1,
                        1,
                        MOST)
                .explore();
        print("2 claims, 2 volumes, a crash, a conflict", explorer);
        assertThat(explorer.findings()).isEmpty();
        assertThat(explorer.ends()).containsExactly("data-1 BOUND data-2 BOUND vol-1 BOUND vol-2 BOUND ");
    }

    /** S1, S3, S6: a volume moves from one node to another. */
    @Test
    void oneVolumeAndTwoNodes() {
        Explorer explorer = new Explorer(
                        plane("binder", "attach-detach"),
                        cluster -> {
                            apply(cluster, Texts.node("n1"));
                            apply(cluster, Texts.node("n2"));
                            apply(cluster, Texts.driver(Texts.DRIVER));
                            pair(1).accept(cluster);
                        },
                        List.of(
                                cluster -> apply(cluster, Texts.pod("alpha", "a", "n1", List.of("data-1"))),
                                cluster -> {
                                    cluster.users().delete(Kinds.POD, ObjectKey.of("alpha", "a"), true);
                                    apply(cluster, Texts.pod("alpha", "b", "n2", List.of("data-1")));
                                }),
                        1,
                        1,
                        MOST)
                .explore();
        print("1 volume, 2 nodes, a crash, a lost answer", explorer);
        assertThat(explorer.findings())
                .filteredOn(each -> !each.startsWith("L3"))
                .isEmpty(); // no agents take part
        assertThat(explorer.ends()).containsExactly("data-1 BOUND vol-1 BOUND n2 true ");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Small worlds in every order of effects, with a crash and a conflict or a lost answer at every place. {@code -Dmooring.scope=full}
 * follows all branches; otherwise their number is bounded.
 */
@Tag("long")
class SmallScopeTest {
    private static final boolean FULL = System.getProperty("mooring.scope", "").equals("full");

    /** More than any of these worlds has; one that has more fails, since not all of it was seen. */
    private static final int ALL = 20_000;

    private static final int MOST = FULL ? ALL : 300;

    private static SimulatedControlPlane plane(String... controllers) {
        return new MooringControlPlane(SimulatedPlugins.registry(List.of(), Set.of(Texts.DRIVER)), Set.of(controllers));
    }

    private static void apply(SimulatedCluster cluster, Map<String, Object> object) {
        Document document = Document.of(object);
        cluster.users().apply(cluster.kindOf(document).orElseThrow(), SimulatedCluster.keyOf(document), document);
    }

    private static Consumer<SimulatedCluster> volume(int number, String size) {
        return cluster ->
                apply(cluster, Texts.volume("vol-" + number, size, "ReadWriteOnce", "Retain", false, Texts.map()));
    }

    private static Consumer<SimulatedCluster> claim(int number) {
        return cluster -> apply(
                cluster,
                Texts.claim("alpha", "data-" + number, "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "")));
    }

    private static Consumer<SimulatedCluster> pair(int number) {
        return volume(number, "1Gi").andThen(claim(number));
    }

    /** What users do at one time, in every order of what the binder and its companions do about it. */
    private static Explorer binding(Consumer<SimulatedCluster> users, int most) {
        return binding(plane("binder", "pvc-protection", "pv-protection"), users, most);
    }

    private static Explorer binding(SimulatedControlPlane plane, Consumer<SimulatedCluster> users, int most) {
        return new Explorer(plane, cluster -> {}, List.of(users), 1, 1, most).explore();
    }

    private static SimulatedControlPlane planted(String name) {
        return new MutantPlane(plane("binder", "pvc-protection", "pv-protection"), Mutants.named(name));
    }

    private static void isComplete(Explorer explorer) {
        if (FULL) {
            assertThat(explorer.complete())
                    .as("of this world no more than %d branches were followed", explorer.runs())
                    .isTrue();
        }
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
        Explorer explorer = binding(pair(1).andThen(pair(2)), MOST);
        print("2 claims, 2 volumes, a crash, a conflict", explorer);
        assertThat(explorer.findings()).isEmpty();
        assertThat(explorer.ends()).containsExactly("data-1 BOUND data-2 BOUND vol-1 BOUND vol-2 BOUND ");
        isComplete(explorer);
    }

    /** I1, I2, I4: of two claims the first gets the only volume, and the other waits. */
    @Test
    void twoClaimsAndOneVolume() {
        Explorer explorer = binding(volume(1, "1Gi").andThen(claim(1)).andThen(claim(2)), MOST);
        print("2 claims, 1 volume, a crash, a conflict", explorer);
        assertThat(explorer.findings()).isEmpty();
        assertThat(explorer.ends()).containsExactly("data-1 BOUND data-2 PENDING vol-1 BOUND ");
        isComplete(explorer);
    }

    /** I7: the smaller of two volumes is chosen, and no crash makes the claim take the other one as well. */
    @Test
    void oneClaimAndTwoVolumes() {
        Explorer explorer = binding(volume(1, "2Gi").andThen(volume(2, "1Gi")).andThen(claim(1)), MOST);
        print("1 claim, 2 volumes, a crash, a conflict", explorer);
        assertThat(explorer.findings()).isEmpty();
        assertThat(explorer.ends()).containsExactly("data-1 BOUND vol-1 AVAILABLE vol-2 BOUND ");
        isComplete(explorer);
    }

    @Test
    void aBinderThatTakesAnyVolumeIsFound() {
        Explorer explorer = binding(
                planted("binder: takes any free volume"),
                volume(1, "2Gi").andThen(volume(2, "1Gi")).andThen(claim(1)),
                50);
        assertThat(explorer.ends()).isNotEqualTo(Set.of("data-1 BOUND vol-1 AVAILABLE vol-2 BOUND "));
    }

    @Test
    void aBinderWithoutReservationsReachesAnotherEnd() {
        Explorer explorer = binding(
                planted("binder: ignores reservations"),
                volume(1, "1Gi").andThen(claim(1)).andThen(claim(2)),
                MOST);
        assertThat(explorer.ends()).contains("data-1 PENDING data-2 BOUND vol-1 BOUND ");
    }

    /** What says that all was seen says so only then. */
    @Test
    void aWorldOfWhichNotAllIsSeenIsNotComplete() {
        assertThat(binding(pair(1), 3).complete()).isFalse();
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
        isComplete(explorer);
    }
}

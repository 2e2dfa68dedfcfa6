// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.index.MatchOptions;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A volume is kept for the claim that is being bound to it, for no other and for no longer (D4). */
class ReservationTest {
    private static final ObjectKey FIRST = ObjectKey.of("default", "first");
    private static final ObjectKey SECOND = ObjectKey.of("default", "second");

    /** At most one bind at once: the one whose writes fail had the place for as long as they failed. */
    @ParameterizedTest
    @CsvSource({"large", "medium", "small"})
    void aBindThatBacksOffHoldsUpNoOther(String broken) {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT.withMaxBindsInFlight(1), PluginRegistry.EMPTY, 1);
        cluster.refused = request -> request.key().name().equals("pv-" + broken);
        cluster.refusal = Failure.UNAVAILABLE;
        cluster.load(
                        BinderObjects.claim("large", "3Gi"),
                        BinderObjects.claim("medium", "2Gi"),
                        BinderObjects.claim("small", "1Gi"),
                        BinderObjects.volume("pv-large", "3Gi"),
                        BinderObjects.volume("pv-medium", "2Gi"),
                        BinderObjects.volume("pv-small", "1Gi"))
                .settle();
        for (String name : List.of("large", "medium", "small")) {
            assertThat(cluster.claim(name).status().phase() == ClaimPhase.BOUND)
                    .as(name)
                    .isEqualTo(!name.equals(broken));
        }
        cluster.refused = request -> false;
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.claim(broken).status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    /** The alphabet decided before. */
    @Test
    void largerRequestsHaveTheFirstPlacesOfFew() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT.withMaxBindsInFlight(1), PluginRegistry.EMPTY, 1);
        cluster.load(
                        BinderObjects.claim("a", "1Gi"),
                        BinderObjects.claim("b", "2Gi"),
                        BinderObjects.claim("c", "3Gi"),
                        BinderObjects.claim("d", "4Gi"),
                        BinderObjects.volume("pv-1", "1Gi"),
                        BinderObjects.volume("pv-2", "2Gi"),
                        BinderObjects.volume("pv-3", "3Gi"),
                        BinderObjects.volume("pv-4", "4Gi"))
                .settle();
        assertThat(cluster.writes.stream()
                        .filter(write -> write.kind().equals("PersistentVolume")
                                && write.subresource().isEmpty())
                        .map(write -> write.name()))
                .containsExactly("pv-4", "pv-3", "pv-2", "pv-1");
    }

    @Test
    void onlyWhoHoldsAReservationEndsIt() {
        BinderIndexes indexes = new BinderIndexes(false, 10, PluginRegistry.EMPTY);
        indexes.volumes().put(BinderObjects.volume("pv", "1Gi"));
        indexes.reserve("pv", FIRST, BinderObjects.UID);
        indexes.reserve("pv", SECOND, BinderObjects.OTHER_UID);
        indexes.release("pv", FIRST);
        assertThat(indexes.reservedBy("pv")).contains(SECOND);
        assertThat(indexes.volumes().isFree("pv")).isFalse();
        assertThat(indexes.match(BinderObjects.claim("third", "1Gi"), MatchOptions.DEFAULT))
                .isEmpty();
        indexes.release("pv", SECOND);
        assertThat(indexes.reservedBy("pv")).isEmpty();
        assertThat(indexes.volumes().isFree("pv")).isTrue();
    }

    @Test
    void whatIsHeldForAClaimIsFreeForThatClaim() {
        BinderIndexes indexes = new BinderIndexes(false, 10, PluginRegistry.EMPTY);
        indexes.volumes().put(BinderObjects.volume("pv", "1Gi"));
        indexes.reserve("pv", ObjectKey.of("default", "data"), BinderObjects.UID);
        assertThat(indexes.match(BinderObjects.data(), MatchOptions.DEFAULT)).contains("pv");
        assertThat(indexes.match(BinderObjects.claim("third", "1Gi"), MatchOptions.DEFAULT))
                .isEmpty();
        assertThat(indexes.volumes().isFree("pv")).isFalse();
    }

    /** While one claim is being bound, another one asks for the same volume by its name; the bind does not succeed at once. */
    @ParameterizedTest(name = "the first claim {0}")
    @CsvSource({"goes, Bound", "stays, Pending"})
    void whoNamesTheVolumeIsWokenWhenItIsLetGo(String fate, String phase) {
        Cluster cluster = new Cluster().load(BinderObjects.volume("pv", "1Gi")).settle();
        cluster.load(BinderObjects.data()).countingFromOne();
        boolean[] once = new boolean[1];
        cluster.diesBefore = number -> {
            if (number == 1) {
                cluster.load(BinderObjects.naming(BinderObjects.claim("named", "1Gi"), "pv"));
                if (fate.equals("goes")) {
                    cluster.deleteClaim("data")
                            .editClaim("data", c -> c.withMetadata(c.metadata().withFinalizers(List.of())));
                }
            }
            return false;
        };
        cluster.fault = number -> {
            boolean now = number == 1 && !once[0];
            once[0] |= now;
            return now ? Interception.refuse(Failure.CONFLICT, "planted") : Interception.PROCEED;
        };
        cluster.settle();
        assertThat(once[0]).isTrue();
        assertThat(cluster.claim("named").status().phase().wireName()).isEqualTo(phase);
        assertThat(cluster.findClaim("data").isPresent()).isEqualTo(fate.equals("stays"));
        if (fate.equals("stays")) {
            BindingTest.assertBound(cluster, "pv", "data");
        } else {
            BindingTest.assertBound(cluster, "pv", "named");
        }
        long decisions = cluster.counters.decisions();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.counters.decisions() - decisions).isLessThan(10);
        BinderInvariants.check(cluster);
    }

    @Test
    void aClaimThatTurnsToAnotherVolumeLetsTheFirstOneGo() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.volume("pv", "1Gi"), BinderObjects.volume("pv-2", "2Gi"))
                .settle();
        cluster.countingFromOne();
        cluster.diesBefore = number -> {
            if (number == 1) {
                cluster.editVolume(
                        "pv", v -> v.withMetadata(v.metadata().withAnnotation("example.com/touched", "yes")));
                cluster.deleteVolume("pv");
            }
            return false;
        };
        cluster.store
                .create(Kinds.PERSISTENT_VOLUME_CLAIM, BinderObjects.claim("data", "1Gi"))
                .orThrow();
        cluster.load(BinderObjects.naming(BinderObjects.claim("named", "1Gi"), "pv"));
        cluster.advance(Duration.ofMinutes(1));
        BindingTest.assertBound(cluster, "pv-2", "data");
        assertThat(cluster.claim("named").status().phase()).isEqualTo(ClaimPhase.PENDING);
        BinderInvariants.check(cluster);
    }
}

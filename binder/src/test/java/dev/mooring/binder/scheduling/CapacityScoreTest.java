// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.Assumption.Pool;
import dev.mooring.binder.scheduling.Assumption.Provision;
import dev.mooring.binder.scheduling.Assumption.StaticBinding;
import dev.mooring.binder.scheduling.SchedulingOptions.ShapePoint;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstream's StorageCapacityScoring in its own arithmetic (semantics/binder §3.6, Score). */
class CapacityScoreTest {
    private static final ObjectKey CLAIM = ObjectKey.of("default", "c");
    private static final List<ShapePoint> CLOSEST_FIT = List.of(new ShapePoint(0, 0), new ShapePoint(100, 10));

    private static StaticBinding binding(String storageClass, String requested, String capacity) {
        return new StaticBinding(CLAIM, "u", storageClass, Quantity.parse(requested), "v", Quantity.parse(capacity));
    }

    private static Provision provision(String storageClass, String requested, String capacity) {
        Pool pool = new Pool(ObjectKey.of("default", "pool"), "1", Quantity.parse(capacity));
        return new Provision(CLAIM, "u", storageClass, Quantity.parse(requested), Optional.of(pool));
    }

    private static NodePlan plan(List<StaticBinding> bindings, List<Provision> provisions) {
        return new NodePlan(List.of(), List.of(), bindings, provisions);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10Gi, 100, 0",
        "1Gi, 10Gi, 90, 10",
        "3Gi, 9Gi, 67, 33",
        "10Gi, 10Gi, 0, 100",
        "11Gi, 10Gi, 0, 100",
        "1Gi, 0, 0, 100",
        "900E, 950E, 6, 94",
        "5E, 10E, 50, 50"
    })
    void oneVolume(String requested, String capacity, int mostFree, int closestFit) {
        NodePlan one = plan(List.of(binding("a", requested, capacity)), List.of());
        assertThat(CapacityScore.of(one, SchedulingOptions.DEFAULT.withScoring(true)))
                .isEqualTo(mostFree);
        assertThat(CapacityScore.of(
                        one, SchedulingOptions.DEFAULT.withScoring(true).withShape(CLOSEST_FIT)))
                .isEqualTo(closestFit);
        assertThat(CapacityScore.of(one, SchedulingOptions.DEFAULT)).isZero();
    }

    /** From 20 to 60 per cent the score rises from 2 to 8, then it falls to 4 at 80; it stays what it is beyond both ends. */
    @ParameterizedTest
    @CsvSource({"0, 20", "20, 20", "30, 35", "60, 80", "70, 60", "80, 40", "81, 40", "100, 40"})
    void theScoreIsLinearBetweenThePoints(int utilization, int score) {
        List<ShapePoint> shape = List.of(new ShapePoint(20, 2), new ShapePoint(60, 8), new ShapePoint(80, 4));
        NodePlan one = plan(List.of(binding("a", Integer.toString(utilization), "100")), List.of());
        assertThat(CapacityScore.of(
                        one, SchedulingOptions.DEFAULT.withScoring(true).withShape(shape)))
                .isEqualTo(score);
    }

    @Test
    void requestsAndVolumesOfAClassAreAddedUp() {
        NodePlan two = plan(List.of(binding("a", "1Gi", "10Gi"), binding("a", "9Gi", "10Gi")), List.of());
        assertThat(CapacityScore.of(two, SchedulingOptions.DEFAULT.withScoring(true)))
                .isEqualTo(50);
    }

    @Test
    void classesAreAveragedAndRounded() {
        NodePlan two = plan(List.of(binding("a", "1Gi", "100Gi"), binding("b", "2Gi", "100Gi")), List.of());
        assertThat(CapacityScore.of(two, SchedulingOptions.DEFAULT.withScoring(true)))
                .isEqualTo(99); // 98.5
    }

    @Test
    void aPoolIsNotAddedUp() {
        NodePlan two = plan(List.of(), List.of(provision("a", "10Gi", "100Gi"), provision("a", "20Gi", "100Gi")));
        assertThat(CapacityScore.of(two, SchedulingOptions.DEFAULT.withScoring(true)))
                .isEqualTo(70);
    }

    @Test
    void volumesThatExistOutweighThoseToBeMade() {
        NodePlan both = plan(List.of(binding("a", "1Gi", "10Gi")), List.of(provision("b", "10Gi", "10Gi")));
        assertThat(CapacityScore.of(both, SchedulingOptions.DEFAULT.withScoring(true)))
                .isEqualTo(90);
    }

    @Test
    void nothingKnownIsNothing() {
        assertThat(CapacityScore.of(NodePlan.NOTHING, SchedulingOptions.DEFAULT.withScoring(true)))
                .isZero();
    }
}

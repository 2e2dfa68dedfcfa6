// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.expansion.ExpansionGoal.Kind;
import dev.mooring.storage.model.Quantity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of semantics/binder §3.5: volume V, request Q, capacity C, allocated A, status S, whether the last call surely had no effect. */
class ExpansionGoalTest {
    private static ExpansionGoal goal(
            String v, String q, String c, String a, String status, boolean pending, boolean noEffect) {
        Optional<Quantity> allocated = a.equals("-") ? Optional.empty() : Optional.of(Quantity.parse(a));
        ExpansionGoal.Facts facts = new ExpansionGoal.Facts(
                Quantity.parse(v),
                Quantity.parse(q),
                Quantity.parse(c),
                allocated,
                ResizeStatus.parse(status.equals("-") ? "" : status),
                pending,
                true,
                true,
                false);
        return ExpansionGoal.of(facts, noEffect);
    }

    private static String shown(ExpansionGoal goal) {
        return goal.target().map(Quantity::toString).orElse(goal.kind().name());
    }

    @ParameterizedTest(name = "{7}")
    @CsvSource({
        "1Gi, 3Gi, 1Gi, 2Gi, NodeResizeInfeasible,       false, 2Gi,     V<Q NodeResizeInfeasible: A",
        "1Gi, 3Gi, 1Gi, -,   NodeResizeInfeasible,       false, 3Gi,     V<Q NodeResizeInfeasible and no A: Q",
        "1Gi, 3Gi, 1Gi, 2Gi, NodeResizePending,          false, 2Gi,     V<Q NodeResizePending: A",
        "2Gi, 3Gi, 1Gi, 2Gi, NodeResizePending,          false, NOTHING, V<Q NodeResizePending and V>=A: the node's turn",
        "1Gi, 3Gi, 1Gi, 2Gi, NodeResizeInProgress,       false, 2Gi,     V<Q NodeResizeInProgress: A",
        "2Gi, 3Gi, 1Gi, 2Gi, NodeResizeInProgress,       false, NOTHING, V<Q NodeResizeInProgress and V>=A: the node's turn",
        "1Gi, 3Gi, 1Gi, 9Gi, ControllerResizeInProgress, true,  3Gi,     V<Q ControllerResizeInProgress after a final error: Q",
        "1Gi, 3Gi, 1Gi, 9Gi, ControllerResizeInProgress, false, 9Gi,     V<Q ControllerResizeInProgress with unknown outcome: A",
        "1Gi, 3Gi, 1Gi, -,   ControllerResizeInProgress, false, 3Gi,     V<Q ControllerResizeInProgress and no A: Q",
        "1Gi, 3Gi, 1Gi, -,   -,                          false, 3Gi,     V<Q none: Q",
        "1Gi, 3Gi, 1Gi, 2Gi, -,                          false, 3Gi,     V<Q none after an earlier expansion: Q",
        "1Gi, 3Gi, 1Gi, 9Gi, ControllerResizeInfeasible, false, 3Gi,     V<Q ControllerResizeInfeasible: Q",
        "1Gi, 3Gi, 1Gi, 9Gi, SomethingNew,               false, 3Gi,     V<Q a word of a later version: Q",
        "3Gi, 3Gi, 1Gi, 3Gi, NodeResizeInProgress,       false, NOTHING, V>=Q NodeResizeInProgress: nothing",
        "3Gi, 3Gi, 1Gi, 3Gi, NodeResizePending,          false, NOTHING, V>=Q NodeResizePending: nothing",
        "5Gi, 3Gi, 1Gi, 5Gi, NodeResizeInfeasible,       false, 5Gi,     V>=Q NodeResizeInfeasible: A",
        "5Gi, 3Gi, 1Gi, -,   NodeResizeInfeasible,       false, 3Gi,     V>=Q NodeResizeInfeasible and no A: Q",
        "5Gi, 3Gi, 1Gi, 5Gi, ControllerResizeInProgress, false, 5Gi,     V>=Q ControllerResizeInProgress: A",
        "5Gi, 3Gi, 1Gi, 5Gi, ControllerResizeInProgress, true,  5Gi,     V>=Q ControllerResizeInProgress after a final error: A",
        "5Gi, 3Gi, 1Gi, 5Gi, ControllerResizeInfeasible, false, 5Gi,     V>=Q ControllerResizeInfeasible: A",
        "5Gi, 3Gi, 1Gi, 4Gi, -,                          false, 4Gi,     V>=Q none and A: A",
        "5Gi, 3Gi, 1Gi, -,   -,                          false, 3Gi,     V>=Q none and no A: Q",
        "5Gi, 3Gi, 2Gi, 2Gi, -,                          false, 3Gi,     V>=Q none and A of an earlier expansion: Q",
        "1Gi, 1Gi, 1Gi, -,   -,                          false, NOTHING, Q<=C: X3",
        "3Gi, 2Gi, 3Gi, 3Gi, -,                          false, NOTHING, Q<=C after an expansion: X3",
        "3Gi, 3Gi, 3Gi, 3Gi, NodeResizePending,          false, NOTHING, Q<=C and a node that clears its status later",
        "1Gi, 1Gi, 1Gi, 9Gi, ControllerResizeInfeasible, false, WITHDRAW,Q<=C ControllerResizeInfeasible: as if the request had never been",
        "5Gi, 1Gi, 1Gi, 9Gi, ControllerResizeInfeasible, false, 9Gi,     Q<=C ControllerResizeInfeasible but V has grown: A",
        "1Gi, 1Gi, 1Gi, 9Gi, ControllerResizeInProgress, true,  WITHDRAW,Q<=C ControllerResizeInProgress after a final error",
        "1Gi, 1Gi, 1Gi, 9Gi, ControllerResizeInProgress, false, 9Gi,     Q<=C ControllerResizeInProgress with unknown outcome: A",
    })
    void followsTheTable(
            String v, String q, String c, String a, String status, boolean noEffect, String expected, String rule) {
        assertThat(shown(goal(v, q, c, a, status, false, noEffect))).as(rule).isEqualTo(expected);
    }

    @Test
    void leavesWhatAnOlderResizerHasDoneToTheNode() {
        assertThat(goal("3Gi", "3Gi", "1Gi", "-", "-", true, false).kind()).isEqualTo(Kind.NOTHING);
        assertThat(shown(goal("3Gi", "3Gi", "1Gi", "3Gi", "-", true, false))).isEqualTo("3Gi");
    }

    @Test
    void neverGoesForLessThanMayHaveBeenMade() {
        List<String> sizes = List.of("1Gi", "2Gi", "3Gi");
        for (String v : sizes) {
            for (String q : sizes) {
                for (String c : sizes) {
                    for (String a : sizes) {
                        assertThat(shown(goal(v, q, c, a, "ControllerResizeInProgress", false, false)))
                                .as("V %s Q %s C %s A %s", v, q, c, a)
                                .isEqualTo(a);
                    }
                }
            }
        }
    }

    @Test
    void withoutABackEndTheNodeTriesWhatIsWantedNow() {
        ExpansionGoal.Facts facts = new ExpansionGoal.Facts(
                Quantity.parse("5Gi"),
                Quantity.parse("3Gi"),
                Quantity.parse("1Gi"),
                Optional.of(Quantity.parse("5Gi")),
                ResizeStatus.NODE_RESIZE_INFEASIBLE,
                false,
                false,
                true,
                true);
        assertThat(shown(ExpansionGoal.of(facts, false))).isEqualTo("3Gi");
    }

    @ParameterizedTest(name = "V {0} Q {1} C {2} A {3} S {4}, allowed {5}: {6}")
    @CsvSource({
        "3Gi, 5Gi, 3Gi, -,   -,                          true,  GROWN_BY_OTHERS",
        "3Gi, 5Gi, 3Gi, -,   -,                          false, NOT_ALLOWED",
        "5Gi, 5Gi, 3Gi, -,   -,                          true,  5Gi",
        "5Gi, 5Gi, 3Gi, -,   -,                          false, NOT_ALLOWED",
        "4Gi, 5Gi, 3Gi, -,   -,                          true,  4Gi",
        "3Gi, 5Gi, 3Gi, 5Gi, ControllerResizeInProgress, true,  WITHDRAW",
        "3Gi, 5Gi, 3Gi, 5Gi, NodeResizeInfeasible,       true,  GROWN_BY_OTHERS",
        "4Gi, 5Gi, 3Gi, 5Gi, NodeResizePending,          true,  4Gi",
        "3Gi, 3Gi, 3Gi, 5Gi, ControllerResizeInProgress, true,  WITHDRAW",
    })
    void withoutABackEndTheVolumeSaysHowLargeTheStorageIs(
            String v, String q, String c, String a, String status, boolean allowed, String expected) {
        ResizeStatus known = ResizeStatus.parse(status.equals("-") ? "" : status);
        ExpansionGoal.Facts facts = new ExpansionGoal.Facts(
                Quantity.parse(v),
                Quantity.parse(q),
                Quantity.parse(c),
                a.equals("-") ? Optional.empty() : Optional.of(Quantity.parse(a)),
                known,
                false,
                false,
                allowed,
                known != ResizeStatus.NONE);
        assertThat(shown(ExpansionGoal.of(facts, false))).isEqualTo(expected);
    }

    @Test
    void knowsTheWordsOfTheApi() {
        assertThat(ResizeStatus.parse("")).isEqualTo(ResizeStatus.NONE);
        assertThat(ResizeStatus.parse("NodeResizePending")).isEqualTo(ResizeStatus.NODE_RESIZE_PENDING);
        assertThat(ResizeStatus.parse("nodeResizePending")).isEqualTo(ResizeStatus.UNKNOWN);
    }
}

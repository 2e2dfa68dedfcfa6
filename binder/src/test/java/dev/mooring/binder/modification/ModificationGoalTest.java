// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.modification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ModifyVolumeStatus;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of semantics/binder §3.5, volume modification: wanted W, current K, target and status of M. */
class ModificationGoalTest {
    @ParameterizedTest(name = "{6}")
    @CsvSource({
        "-,    -,    -,    -,          false, NOTHING, M nil and W=K: none at all",
        "gold, gold, -,    -,          false, NOTHING, M nil and W=K",
        "-,    gold, -,    -,          false, CANCEL,  W empty and M nil",
        "-,    -,    gold, Pending,    false, CANCEL,  W empty and M Pending",
        "-,    -,    gold, Infeasible, false, CANCEL,  W empty and M Infeasible",
        "-,    -,    gold, InProgress, false, gold,    W empty and M InProgress: finish what was started",
        "-,    -,    gold, InProgress, true,  gold,    W empty and M InProgress after a final error",
        "iron, -,    gold, InProgress, false, gold,    M InProgress with unknown outcome: keep the target",
        "iron, -,    gold, InProgress, true,  iron,    M InProgress after a final error: the new target",
        "iron, -,    gold, Pending,    false, iron,    M Pending: W",
        "iron, -,    gold, Infeasible, false, iron,    M Infeasible: W",
        "gold, -,    -,    -,          false, gold,    M nil: W",
        "gold, iron, -,    -,          false, gold,    M nil and another class before: W",
        "gold, gold, iron, Infeasible, false, gold,    back to what the volume has: W",
    })
    void followsTheTable(
            String wanted,
            String current,
            String target,
            String status,
            boolean noEffect,
            String expected,
            String rule) {
        Optional<ModifyVolumeStatus> under =
                target.equals("-") ? Optional.empty() : Optional.of(new ModifyVolumeStatus(target, status));
        ModificationGoal goal =
                ModificationGoal.of(new ModificationGoal.Facts(text(wanted), text(current), under), noEffect);
        assertThat(goal.target().orElse(goal.kind().name())).as(rule).isEqualTo(expected);
    }

    private static String text(String cell) {
        return cell.equals("-") ? "" : cell;
    }
}

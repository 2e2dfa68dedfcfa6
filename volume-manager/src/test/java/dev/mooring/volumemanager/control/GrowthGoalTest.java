// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Quantity;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The node's half of an expansion as a table (semantics/attach-and-mount §3.16). */
class GrowthGoalTest {
    /**
     * Columns: status, allocated, claim's capacity, volume's capacity, condition FileSystemResizePending, several nodes, nodes have
     * nothing to do, what this node knows, what it does.
     */
    @ParameterizedTest(name = "{0} A={1} C={2} V={3} pending={4} many={5} not required={6} known={7}: {8}")
    @CsvSource(
            value = {
                "NodeResizePending,    2Gi, 1Gi, 2Gi, true,  false, false, 1Gi, RECOVERABLE 2Gi",
                "NodeResizeInProgress, 2Gi, 1Gi, 2Gi, true,  false, false, 1Gi, RECOVERABLE 2Gi",
                "NodeResizePending,    2Gi, 1Gi, 3Gi, true,  true,  false, 1Gi, RECOVERABLE 2Gi",
                "NodeResizePending,    -,   1Gi, 2Gi, true,  false, false, 1Gi, RECOVERABLE 2Gi",
                "NodeResizeInfeasible, 2Gi, 1Gi, 2Gi, true,  false, false, 1Gi, -",
                "ControllerResizeInProgress, 2Gi, 1Gi, 1Gi, false, false, false, 1Gi, -",
                "ControllerResizeInfeasible, 2Gi, 1Gi, 1Gi, false, true, false, 1Gi, -",
                "'',  -,   1Gi, 2Gi, true,  false, false, 1Gi, LEGACY 2Gi",
                "'',  -,   1Gi, 2Gi, false, false, false, 1Gi, -",
                "'',  2Gi, 1Gi, 2Gi, true,  false, false, 1Gi, -",
                "'',  2Gi, 2Gi, 2Gi, false, true,  false, 1Gi, OWN_COPY 2Gi",
                "'',  2Gi, 2Gi, 2Gi, false, true,  true,  1Gi, -",
                "'',  2Gi, 2Gi, 2Gi, false, false, false, 1Gi, -",
                "'',  2Gi, 2Gi, 2Gi, false, true,  false, 2Gi, -",
                "ofALaterVersion, 2Gi, 2Gi, 2Gi, false, true, false, 2Gi, -",
            })
    void decides(
            String status,
            String allocated,
            String capacity,
            String volume,
            boolean pending,
            boolean many,
            boolean notRequired,
            String known,
            String expected) {
        Optional<GrowthGoal> goal = GrowthGoal.of(new GrowthGoal.Facts(
                status,
                allocated.equals("-") ? Optional.empty() : Optional.of(Quantity.parse(allocated)),
                Quantity.parse(capacity),
                Quantity.parse(volume),
                pending,
                many,
                notRequired,
                Quantity.parse(known)));

        assertThat(goal.map(found -> found.kind() + " " + found.target()).orElse("-"))
                .isEqualTo(expected);
    }
}

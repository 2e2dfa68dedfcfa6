// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation;

import dev.mooring.simulation.PlayOptions.Format;
import dev.mooring.simulation.scenario.JsonReport;
import dev.mooring.simulation.scenario.MalformedScenario;
import dev.mooring.simulation.scenario.PlayReport;
import dev.mooring.simulation.scenario.ScenarioPlayer;
import dev.mooring.simulation.scenario.TextReport;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Plays scenario files. The controllers are those of production; only time, store, network and back-ends are simulated. No thread is
 * started and nothing is kept between two plays; any number may run at once.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Player {
    private Player() {}

    /**
     * Plays a file.
     *
     * @param file the scenario, never null
     * @param options how, never null
     * @return what became of it, never null; a file that cannot be read or played is a result, not an exception
     */
    public static PlayResult play(Path file, PlayOptions options) {
        try {
            PlayReport report = ScenarioPlayer.standard(options.plugins()).play(file, options.seed());
            String output = options.format() == Format.JSON ? JsonReport.write(report) : TextReport.write(report);
            return new PlayResult(
                    report.passed() ? PlayResult.PASSED : PlayResult.FAILED, output, "", report.warnings());
        } catch (MalformedScenario malformed) {
            return new PlayResult(PlayResult.MALFORMED, "", String.valueOf(malformed.getMessage()), List.of());
        }
    }
}

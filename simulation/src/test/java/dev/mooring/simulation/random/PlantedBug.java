// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.world.SimulatedControlPlane;
import java.util.List;

/** A planted bug by its name, for tests elsewhere. */
@SuppressWarnings("exports") // tests live outside the module's walls
public record PlantedBug(SimulatedControlPlane plane, String rule, List<Act> acts, String scenario) {
    /** Looks for a world that shows a bug, and makes it short. */
    public static PlantedBug found(String name, int most) {
        Mutant mutant = Mutants.named(name);
        SimulatedControlPlane plane = new MutantPlane(WorldOptions.DEFAULT.plane(), mutant);
        WorldReport report = MutantTable.firstFound(mutant, most);
        String rule = report.rules().stream().findFirst().orElseThrow();
        List<Act> acts = new Shrinker(
                        some -> RandomWorld.replay(report.seed(), plane, WorldOptions.DEFAULT, some)
                                .rules()
                                .contains(rule),
                        400)
                .shrink(report.acts());
        WorldReport shrunk = RandomWorld.replay(report.seed(), plane, WorldOptions.DEFAULT, acts);
        return new PlantedBug(plane, rule, acts, ScenarioText.write(shrunk, WorldOptions.DEFAULT));
    }
}

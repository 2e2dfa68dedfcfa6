// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.model.Kinds;
import java.nio.file.Path;
import java.util.List;

/** A scenario file that was read, for a {@link StoryPlayer}. Immutable. */
public final class Story {
    private final Scenario scenario;

    private Story(Scenario scenario) {
        this.scenario = scenario;
    }

    /**
     * Reads a file.
     *
     * @param file the scenario
     * @param kinds the kinds of objects that it may speak of
     * @throws MalformedScenario if it cannot be played; the message names file, step and key
     */
    public static Story read(Path file, Kinds kinds) {
        ScenarioParser parser = new ScenarioParser(new YamlFiles(), new ObjectParser(kinds));
        Scenario scenario = parser.parse(file, ScenarioPlace.of(file.toString()));
        Supported.check(scenario, name -> false);
        return new Story(scenario);
    }

    /** The control plane of its world, with stand-ins for all plugins and for the drivers that it names. */
    public MooringControlPlane plane() {
        return new MooringControlPlane(
                SimulatedPlugins.registry(List.of(), scenario.drivers()), scenario.controllers(), scenario.attached());
    }

    /** What decides every choice. */
    public long seed() {
        return scenario.seed();
    }

    Scenario scenario() {
        return scenario;
    }
}

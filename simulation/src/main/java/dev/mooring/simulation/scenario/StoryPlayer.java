// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays scenarios and single steps in a world that runs already, and that others change as well. Confined to the world's thread. */
public final class StoryPlayer {
    private final ScenarioRunner runner;
    private final StepParser parser;
    private int steps;

    /**
     * Makes a player.
     *
     * @param cluster the world; the caller starts it
     * @param kinds the kinds of objects that steps may speak of
     */
    public StoryPlayer(SimulatedCluster cluster, Kinds kinds) {
        runner = new ScenarioRunner(cluster, true, false, Optional.empty());
        parser = new StepParser(new ObjectParser(kinds));
    }

    /**
     * Plays a whole scenario, until the first step whose expectations do not hold.
     *
     * @return what does not hold, with the step's name; empty if all is as expected
     * @throws MalformedScenario if it asks for what cannot be
     */
    public List<String> play(Story story) {
        List<String> failures = new ArrayList<>();
        runner.playOn(story.scenario())
                .steps()
                .forEach(step ->
                        step.failures().forEach(failure -> failures.add("step " + step.name() + ": " + failure)));
        return failures;
    }

    /**
     * Plays a step.
     *
     * @param step as in a scenario file; needs no name
     * @return what does not hold; empty if all is as expected
     * @throws MalformedScenario if it is no step, or asks for what cannot be
     */
    public List<String> play(Document step) {
        int number = steps++;
        Document named = step.at("name").isPresent() ? step : step.with("play", "name");
        return runner.play(parser.parse(new ScenarioValue(ScenarioPlace.of("step"), named.asMap()), number))
                .failures();
    }
}

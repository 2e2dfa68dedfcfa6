// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.Optional;

/**
 * A world that is told its story step by step, each step in the words of a scenario file, by a caller that decides it on the way. What a file
 * of the same steps would do, this does; acts that cannot be done are passed over. Confined to one thread.
 */
public final class ScriptedWorld {
    private final SimulatedCluster cluster;
    private final Guard guard;
    private final ScenarioRunner runner;
    private final StepParser parser;
    private int steps;

    /**
     * Makes a world and starts its controllers.
     *
     * @param seed decides every choice
     * @param plane what is simulated
     * @param invariants new ones, for this world
     */
    public ScriptedWorld(long seed, SimulatedControlPlane plane, List<? extends Invariant> invariants) {
        this(seed, plane, invariants, Kinds.standard());
    }

    /**
     * The same with other kinds of objects than the usual ones.
     *
     * @param kinds the kinds that the store holds and steps may speak of
     */
    public ScriptedWorld(long seed, SimulatedControlPlane plane, List<? extends Invariant> invariants, Kinds kinds) {
        parser = new StepParser(new ObjectParser(kinds));
        cluster = new SimulatedCluster(kinds, plane, seed);
        guard = new Guard(cluster, invariants);
        runner = new ScenarioRunner(cluster, true, true, Optional.of(guard));
        cluster.start();
    }

    /**
     * Plays a step.
     *
     * @param step as in a scenario file
     * @return whether it may go on: false once a world did not come to rest
     * @throws MalformedScenario if the step is none
     */
    public boolean play(Document step) {
        ScenarioStep parsed = parser.parse(new ScenarioValue(ScenarioPlace.of("step"), step.asMap()), steps++);
        guard.happened(() -> "step: " + parsed.name());
        runner.playUnseen(parsed).forEach(failure -> guard.report(ruleOf(failure), failure));
        return !cluster.restless();
    }

    private static String ruleOf(String failure) {
        return failure.startsWith("livelock") ? "L5-livelock" : "defect";
    }

    /** What is wrong so far. */
    public List<Guard.Finding> findings() {
        return guard.findings();
    }

    /** What happened before something was wrong for the first time, or last if nothing is; a line each, the latest last. */
    public List<String> lastEvents() {
        return guard.lastEvents();
    }

    /** The world as it is. */
    public WorldView view() {
        return guard;
    }

    /** The simulated cluster. */
    public SimulatedCluster cluster() {
        return cluster;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Plays random worlds one after the other and adds up how they went. Thread-safe: several threads may play worlds of one simulation,
 * each its own seeds. No thread is started and no clock is read here.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Simulation {
    private static final int SHRINKING_TRIES = 2_000;

    private final WorldOptions options;
    private final Map<FaultClass, Long> faults = new EnumMap<>(FaultClass.class);
    private long worlds;
    private long events;
    private long hash;

    /**
     * Makes a simulation that has not played anything yet.
     *
     * @param options what the worlds are made of; never null
     */
    public Simulation(WorldOptions options) {
        this.options = options;
    }

    /**
     * Plays one world.
     *
     * @param seed decides everything
     * @return how it went; never null
     */
    public WorldReport play(long seed) {
        WorldReport report = RandomWorld.play(seed, options);
        synchronized (this) {
            worlds++;
            events += report.events();
            hash ^= report.hash() * (2 * seed + 1); // in whatever order the worlds end
            report.faults().forEach((fault, count) -> faults.merge(fault, (long) count, Long::sum));
        }
        return report;
    }

    /**
     * Makes the acts of a failing world fewer as long as it fails by the same rule.
     *
     * @param failing a world that is not good; never null
     * @return a world with fewer acts that breaks the rule which the given one broke first; the given one if it is good; never null
     */
    public WorldReport shrink(WorldReport failing) {
        Optional<String> rule = failing.rules().stream().findFirst();
        if (rule.isEmpty()) {
            return failing;
        }
        // Without a program that the world began with, it would break the same rule for a reason of its own.
        List<Act> programs = failing.acts().stream().filter(Act::startsProgram).toList();
        Shrinker shrinker = new Shrinker(
                acts -> acts.containsAll(programs)
                        && replay(failing.seed(), acts).rules().contains(rule.get()),
                SHRINKING_TRIES);
        return replay(failing.seed(), shrinker.shrink(failing.acts()));
    }

    /**
     * Plays acts that were chosen before.
     *
     * @param seed decides the order of what may happen in any order
     * @param acts the acts, from the world's beginning on; never null
     */
    public WorldReport replay(long seed, List<Act> acts) {
        return RandomWorld.replay(seed, options.plane(), options, acts);
    }

    /** A world as a scenario file, which fails in the same way by Mooring's own invariants; YAML, never null. */
    public String scenario(WorldReport report) {
        return ScenarioText.write(report, options);
    }

    /** How many worlds were played. */
    public synchronized long worlds() {
        return worlds;
    }

    /** How much happened in all of them. */
    public synchronized long events() {
        return events;
    }

    /** Of everything that was written and called in all of them, in whatever order they were played. */
    public synchronized long hash() {
        return hash;
    }

    /** How often faults of each class struck; a copy. */
    public synchronized Map<FaultClass, Long> faults() {
        return new EnumMap<>(faults);
    }
}

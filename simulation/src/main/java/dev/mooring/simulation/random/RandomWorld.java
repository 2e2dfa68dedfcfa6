// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.scenario.ScriptedWorld;
import dev.mooring.simulation.virtual.Durations;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One random world from its beginning to its end: nodes, users, faults; then the faults end, and what is wanted has to be there and to
 * stay; then all pods go, and nothing may be left. Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RandomWorld {
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofMinutes(7));

    private final WorldOptions options;
    private final Chance chance;
    private final ScriptedWorld world;
    private final List<String> nodes = new ArrayList<>();
    private final List<Act> acts = new ArrayList<>();
    private final long seed;
    private final Ingredients ingredients;
    private long hash = 1;
    private boolean goesOn = true;

    private final Milestones milestones = new Milestones();

    private RandomWorld(long seed, SimulatedControlPlane plane, WorldOptions options, boolean timed) {
        this.seed = seed;
        this.options = options;
        this.ingredients = Ingredients.of(seed);
        this.chance = new Chance(seed);
        List<Invariant> invariants = options.newInvariants();
        if (timed) {
            invariants.add(milestones);
        }
        this.world = new ScriptedWorld(seed, plane, invariants);
    }

    /**
     * Plays a world with Mooring's control plane.
     *
     * @param seed decides everything
     * @param options what the world is made of; never null
     * @return how it went; never null
     */
    public static WorldReport play(long seed, WorldOptions options) {
        return play(seed, options.plane(), options);
    }

    /** Plays a world with another control plane. */
    static WorldReport play(long seed, SimulatedControlPlane plane, WorldOptions options) {
        RandomWorld played = new RandomWorld(seed, plane, options, false);
        played.begin();
        played.middle();
        played.end();
        WorldReport report = played.report();
        Optional<List<Act>> twin = report.good() ? Twin.of(seed) : Optional.empty();
        return twin.map(acts -> report.with(replay(seed, plane, options, acts))).orElse(report);
    }

    /** Plays acts that were chosen before. */
    static WorldReport replay(long seed, SimulatedControlPlane plane, WorldOptions options, List<Act> acts) {
        RandomWorld played = new RandomWorld(seed, plane, options, Twin.isOne(acts));
        acts.forEach(played::play);
        WorldReport report = played.report();
        if (!Twin.isOne(acts) || !report.good()) {
            return report;
        }
        RandomWorld unharmed = new RandomWorld(seed, plane, options, true);
        Twin.unharmed(acts).forEach(unharmed::play);
        return report.with(unharmed.report()).violating(Twin.compare(acts, played.compared(), unharmed.compared()));
    }

    private Twin.Played compared() {
        return new Twin.Played(Ending.of(world.cluster().objects()), milestones.reached());
    }

    private void begin() {
        int count = chance.pick(1, 2, 2, 3, 3, 3, 4, 5);
        for (int i = 1; i <= count; i++) {
            nodes.add("n" + i);
            play(Act.apply(Texts.node("n" + i)).thenWork(0));
        }
        play(Act.apply(Texts.driver(Texts.DRIVER)).thenWork(0));
        for (String sidecar : ingredients.sidecars()) {
            play(Act.of("the " + sidecar + " starts", Texts.map("restart", sidecar))
                    .thenWork(0));
        }
        if (ingredients.far()) {
            play(Act.apply(Texts.driver(Texts.FAR)).thenWork(0));
        }
        if (ingredients.farStorage()) {
            play(Act.apply(Texts.storageClass("far", Texts.FAR, "Immediate", false))
                    .thenWork(0));
            play(Act.apply(Texts.storageClass("far-later", Texts.FAR, "WaitForFirstConsumer", false))
                    .thenWork(0));
        }
        if (ingredients.growth()) {
            play(Act.apply(GrowthActs.storageClass()).thenWork(0));
        }
        play(Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", chance.oneIn(2)))
                .thenWork(0));
        play(Act.apply(Texts.storageClass("sim-later", Texts.SIM, "WaitForFirstConsumer", false)));
    }

    private void middle() {
        ActSource users = new UserActs(nodes, ingredients);
        ActSource faults = new FaultActs(nodes, ingredients);
        RaceActs races = new RaceActs(nodes, ingredients);
        List<ActSource> special = ingredients.acts(nodes);
        List<ActSource> others = new ArrayList<>();
        options.sources().forEach(source -> others.add(source.get()));
        for (int i = 0; i < options.acts() && goesOn; i++) {
            ActSource source = !others.isEmpty() && chance.oneIn(4)
                    ? chance.pick(others)
                    : races.isUnderWay() && !chance.oneIn(6)
                            ? races
                            : !special.isEmpty() && chance.oneIn(5)
                                    ? chance.pick(special)
                                    : one(chance, users, faults, races);
            source.next(chance, world.view()).ifPresent(act -> play(paused(act)));
        }
    }

    private static ActSource one(Chance chance, ActSource users, ActSource faults, ActSource races) {
        int die = chance.below(100);
        return die < 56 ? users : die < 90 ? faults : races;
    }

    private Act paused(Act act) {
        if (act.step().asMap().containsKey("advance") || act.step().asMap().containsKey("work")) {
            return act;
        }
        int die = chance.below(10);
        if (die < 4) {
            return act.thenWork(chance.below(7));
        }
        return die < 6 ? act : act.thenAdvance(chance.pick(PAUSES));
    }

    private void end() {
        if (ingredients.deadMachine()) {
            endButFor(chance.pick(nodes));
        }
        List<Object> healed = new ArrayList<>();
        nodes.forEach(node -> healed.add(FaultActs.taints(node, List.of())));
        String calm = Durations.format(options.calm());
        Map<String, Object> end = Texts.map("patch", healed, "calm", calm);
        List<Object> missing = missing();
        if (!missing.isEmpty()) {
            end.put("apply", missing);
        }
        play(Act.of("faults end", end));
        List<Object> pods = new ArrayList<>();
        world.view()
                .pods()
                .forEach(pod -> pods.add(Texts.map(
                        "kind",
                        "Pod",
                        "namespace",
                        pod.metadata().namespace(),
                        "name",
                        pod.metadata().name())));
        play(Act.of("all pods go", Texts.map("delete", pods, "calm", calm)));
    }

    /** Faults end, but one machine stays down and has the taint that says so: pods that do not need it have to run (§7.8 L4). */
    private void endButFor(String dead) {
        List<Object> patches = new ArrayList<>();
        nodes.forEach(node -> patches.add(node.equals(dead) ? FaultActs.off(node) : FaultActs.taints(node, List.of())));
        List<Object> lost = new ArrayList<>();
        world.view().pods().stream()
                .filter(pod -> pod.spec().nodeName().equals(dead))
                .forEach(pod -> lost.add(Texts.map(
                        "kind",
                        "Pod",
                        "namespace",
                        pod.metadata().namespace(),
                        "name",
                        pod.metadata().name(),
                        "force",
                        true)));
        Map<String, Object> step = Texts.map("patch", patches, "delete", lost, "stop", "node/" + dead);
        List<Object> missing = missing();
        if (!missing.isEmpty()) {
            step.put("apply", missing);
        }
        step.put("calm", Durations.format(options.calm()));
        play(Act.fault(FaultClass.MACHINES, "faults end, but " + dead + " is off", step));
    }

    private List<Object> missing() {
        List<Object> missing = new ArrayList<>();
        for (String node : nodes) {
            if (world.view().find(Kinds.NODE, ObjectKey.cluster(node)).isEmpty()) {
                missing.add(Texts.node(node));
            }
        }
        return missing;
    }

    private void play(Act act) {
        if (!goesOn) {
            return;
        }
        acts.add(act);
        goesOn = world.play(act.named());
        hash = 31 * hash + world.cluster().trace().writes().hashCode();
        hash = 31 * hash + world.cluster().trace().calls().hashCode();
    }

    private WorldReport report() {
        Map<FaultClass, Integer> faults = new EnumMap<>(FaultClass.class);
        for (FaultClass each : FaultClass.values()) {
            faults.put(each, world.cluster().strikes().of(each.strike()));
        }
        return new WorldReport(
                seed,
                acts,
                world.findings().stream().map(Guard.Finding::toString).toList(),
                world.findings().isEmpty() ? List.of() : world.lastEvents(),
                faults,
                world.cluster().events(),
                hash);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.Invariants;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * What random worlds are made of. Immutable; each {@code with…} and {@code and…} answers with a changed copy. Suppliers are asked once
 * for every world, by whichever thread plays it.
 *
 * @param acts how many acts there are before faults end; at least 1
 * @param calm how long the world is left alone after faults have ended until everything has to be as wanted; positive
 * @param controllers the names of the controllers that take part; never null
 * @param invariants invariants besides Mooring's own; never null
 * @param sources sources of acts besides those of users and faults, each asked once in a while; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorldOptions(
        int acts,
        Duration calm,
        Set<String> controllers,
        List<Supplier<? extends Invariant>> invariants,
        List<Supplier<? extends ActSource>> sources) {
    /** Forty acts, half an hour of calm, all controllers, Mooring's invariants and acts only. */
    public static final WorldOptions DEFAULT = new WorldOptions(
            40, Duration.ofMinutes(30), Set.copyOf(MooringControlPlane.CONTROLLERS), List.of(), List.of());

    /** Copies lists and sets. */
    public WorldOptions {
        if (acts < 1 || calm.isNegative() || calm.isZero()) {
            throw new IllegalArgumentException("at least one act and some calm");
        }
        controllers = Collections.unmodifiableSet(new TreeSet<>(controllers));
        invariants = List.copyOf(invariants);
        sources = List.copyOf(sources);
    }

    /** The same with so many acts. */
    public WorldOptions withActs(int newActs) {
        return new WorldOptions(newActs, calm, controllers, invariants, sources);
    }

    /** The same with other controllers. */
    public WorldOptions withControllers(Set<String> newControllers) {
        return new WorldOptions(acts, calm, newControllers, invariants, sources);
    }

    /** The same with one more invariant. */
    public WorldOptions and(Supplier<? extends Invariant> invariant) {
        List<Supplier<? extends Invariant>> more = new ArrayList<>(invariants);
        more.add(invariant);
        return new WorldOptions(acts, calm, controllers, more, sources);
    }

    /** The same with one more source of acts. */
    public WorldOptions andActs(Supplier<? extends ActSource> source) {
        List<Supplier<? extends ActSource>> more = new ArrayList<>(sources);
        more.add(source);
        return new WorldOptions(acts, calm, controllers, invariants, more);
    }

    List<Invariant> newInvariants() {
        List<Invariant> all = new ArrayList<>(Invariants.standard());
        invariants.forEach(supplier -> all.add(supplier.get()));
        return all;
    }

    /** Mooring's own control plane. */
    SimulatedControlPlane plane() {
        PluginRegistry plugins = SimulatedPlugins.registry(List.of(), Set.of(Texts.DRIVER));
        return new MooringControlPlane(plugins, controllers, Set.of(Texts.FAR));
    }
}

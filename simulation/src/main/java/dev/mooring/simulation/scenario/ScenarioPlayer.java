// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.invariant.Invariants;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** Reads scenarios and plays each in a world of its own. Immutable. */
public final class ScenarioPlayer {
    private final Kinds kinds;
    private final Planes planes;
    private final Predicate<String> provisions;

    /**
     * Makes a player.
     *
     * @param kinds the kinds of objects
     * @param planes makes the control plane of each world
     * @param provisions whether a plugin of a name is there that provisions
     */
    ScenarioPlayer(Kinds kinds, Planes planes, Predicate<String> provisions) {
        this.kinds = kinds;
        this.planes = planes;
        this.provisions = provisions;
    }

    /** What is simulated. */
    @FunctionalInterface
    interface Planes {
        /**
         * A control plane.
         *
         * @param controllers the controllers, in the words of the format
         * @param drivers the CSI drivers that volumes name and that plugins serve
         * @param attached the CSI drivers that programs of others serve
         */
        SimulatedControlPlane with(Set<String> controllers, Set<String> drivers, Set<String> attached);
    }

    /**
     * A player of Mooring's own control plane.
     *
     * @param plugins plugins to be used where a stand-in would be
     */
    public static ScenarioPlayer standard(Collection<? extends StoragePlugin> plugins) {
        PluginRegistry registry = SimulatedPlugins.registry(plugins);
        return new ScenarioPlayer(
                Kinds.standard(),
                (controllers, drivers, attached) ->
                        new MooringControlPlane(SimulatedPlugins.registry(plugins, drivers), controllers, attached),
                name -> registry.named(name)
                        .flatMap(plugin -> plugin.capability(Provisioning.class))
                        .isPresent());
    }

    /**
     * Plays a file.
     *
     * @param file the scenario
     * @param seed decides the choices instead of the file's seed
     * @throws MalformedScenario if it cannot be played
     */
    public PlayReport play(Path file, OptionalLong seed) {
        ScenarioParser parser = new ScenarioParser(new YamlFiles(), new ObjectParser(kinds));
        Scenario scenario = parser.parse(file, ScenarioPlace.of(file.toString()));
        Supported.check(scenario, provisions);
        SimulatedCluster cluster = new SimulatedCluster(
                kinds,
                planes.with(scenario.controllers(), scenario.drivers(), scenario.attached()),
                seed.orElse(scenario.seed()));
        if (!scenario.lenient()) {
            cluster.destroyOwnOnly(); // a lenient one was written by a simulation, whose back-ends destroy whatever
            // they are told to
        }
        Optional<Guard> guard =
                scenario.invariants() ? Optional.of(new Guard(cluster, Invariants.standard())) : Optional.empty();
        return new ScenarioRunner(cluster, Supported.nodes(scenario), scenario.lenient(), guard)
                .play(scenario)
                .withWarnings(scenario.unknownFields());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.MooringControlPlane;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What this build can simulate, in one place. Whatever a scenario asks for beyond it is refused by name, never ignored.
 *
 * <p>A file is refused for what only a missing plugin could serve, not for what merely could concern it.
 */
final class Supported {
    /** Provisioners that belong to a plugin of ours; they work where that plugin is there. */
    private static final Set<String> OWN_PROVISIONERS = Set.of("kubernetes.io/nfs", "kubernetes.io/host-path");

    private Supported() {}

    /** Reads {@code spec.controllers}; absent means all. */
    static Set<String> controllers(Optional<ScenarioValue> list) {
        Set<String> wanted = new LinkedHashSet<>();
        for (ScenarioValue node : list.map(ScenarioValue::list).orElse(List.of())) {
            String name = node.text();
            if (name.equals("all")) {
                wanted.addAll(MooringControlPlane.CONTROLLERS);
            } else {
                wanted.add(node.oneOf(MooringControlPlane.CONTROLLERS));
            }
        }
        return list.isEmpty() ? new LinkedHashSet<>(MooringControlPlane.CONTROLLERS) : wanted;
    }

    /** Whether the agents of nodes take part. */
    static boolean nodes(Scenario scenario) {
        return scenario.controllers().contains("node");
    }

    /**
     * Refuses a scenario that asks for what is not there.
     *
     * @param provisions whether a plugin of a name is there that provisions
     */
    static void check(Scenario scenario, Predicate<String> provisions) {
        scenario.included().forEach(manifest -> check(manifest, provisions));
        for (ScenarioStep step : scenario.steps()) {
            step.load().forEach(manifest -> check(manifest, provisions));
            step.apply().forEach(manifest -> check(manifest, provisions));
        }
    }

    private static void check(Manifest manifest, Predicate<String> provisions) {
        String provisioner = Documents.text(manifest.document(), "provisioner");
        if (OWN_PROVISIONERS.contains(provisioner) && !provisions.test(provisioner)) {
            throw MalformedScenario.notSupported(
                    manifest.place().at("provisioner"), "provisioning by '" + provisioner + "'");
        }
    }
}

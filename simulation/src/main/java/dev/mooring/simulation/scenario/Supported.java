// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.world.CallFault;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What this build can simulate, in one place. Whatever a scenario asks for beyond it is refused by name, never ignored.
 *
 * <p>A file is refused for what only a missing controller could serve: an object that only it reads, an operation that only it asks
 * for. It is not refused for what merely could concern such a controller, such as a class that allows expansion while nobody asks for
 * more.
 */
final class Supported {
    /** Everything that the format knows. */
    private static final List<String> CONTROLLERS = List.of(
            "binder",
            "pvc-protection",
            "pv-protection",
            "vac-protection",
            "expansion",
            "volume-modification",
            "ephemeral",
            "attach-detach",
            "scheduler",
            "node");

    private static final List<String> ABSENT_CONTROLLERS = List.of("attach-detach");

    /** Operations that only a missing controller asks for, and which. */
    private static final Map<String, String> ABSENT_OPERATIONS = new TreeMap<>(Map.of(
            "attach", "attach-detach",
            "detach", "attach-detach",
            "stage", "attach-detach",
            "unstage", "attach-detach"));

    /** Kinds that only a missing controller reads, and which. */
    private static final Map<String, String> ABSENT_KINDS = new TreeMap<>(Map.of("VolumeAttachment", "attach-detach"));

    /** Provisioners that belong to a plugin of ours; they work where that plugin is there. */
    private static final Set<String> OWN_PROVISIONERS = Set.of("kubernetes.io/nfs", "kubernetes.io/host-path");

    private Supported() {}

    /** Reads {@code spec.controllers}; absent means all. */
    static Set<String> controllers(Optional<Node> list) {
        Set<String> wanted = new LinkedHashSet<>();
        for (Node node : list.map(Node::list).orElse(List.of())) {
            String name = node.text();
            if (name.equals("all")) {
                wanted.addAll(present());
            } else if (ABSENT_CONTROLLERS.contains(name)) {
                throw MalformedScenario.notSupported(node.place(), "the controller '" + name + "'");
            } else {
                wanted.add(node.oneOf(CONTROLLERS));
            }
        }
        return list.isEmpty() ? present() : wanted;
    }

    private static Set<String> present() {
        Set<String> present = new LinkedHashSet<>(CONTROLLERS);
        ABSENT_CONTROLLERS.forEach(present::remove);
        return present;
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
        for (Step step : scenario.steps()) {
            step.load().forEach(manifest -> check(manifest, provisions));
            step.apply().forEach(manifest -> check(manifest, provisions));
            step.patches().forEach(patch -> checkKind(patch.place(), patch.ref()));
            step.removals().forEach(removal -> checkKind(removal.place(), removal.ref()));
            for (Fault fault : step.faults()) {
                fault.match(
                        call -> checkOperation(step.place().at("fault"), call.fault()),
                        write -> checkFaultKind(
                                step.place().at("fault"), write.fault().kind()));
            }
            step.expectations().forEach(Supported::check);
        }
    }

    private static void check(Manifest manifest, Predicate<String> provisions) {
        checkKind(manifest.place(), manifest.ref());
        String provisioner = Documents.text(manifest.document(), "provisioner");
        if (OWN_PROVISIONERS.contains(provisioner) && !provisions.test(provisioner)) {
            throw MalformedScenario.notSupported(
                    manifest.place().at("provisioner"), "provisioning by '" + provisioner + "'");
        }
    }

    private static void checkKind(Place place, ObjectRef ref) {
        checkFaultKind(place, ref.kind().name());
    }

    private static boolean checkFaultKind(Place place, String kind) {
        String controller = ABSENT_KINDS.get(kind);
        if (controller != null) {
            throw MalformedScenario.notSupported(place, kind + " (controller '" + controller + "')");
        }
        return true;
    }

    private static boolean checkOperation(Place place, CallFault fault) {
        checkOperation(place, fault.operation());
        return true;
    }

    private static void checkOperation(Place place, String operation) {
        String controller = ABSENT_OPERATIONS.get(operation);
        if (controller != null) {
            throw MalformedScenario.notSupported(
                    place, "the operation '" + operation + "' (controller '" + controller + "')");
        }
    }

    private static void check(Expectation expectation) {
        if (expectation instanceof CallExpected call) {
            checkOperation(call.place(), call.operation());
        } else if (expectation instanceof ObjectExpected object) {
            checkKind(object.place(), object.ref());
        } else if (expectation instanceof ObjectAbsent object) {
            checkKind(object.place(), object.ref());
        } else if (expectation instanceof EventExpected event) {
            checkKind(event.place(), event.ref());
        }
    }
}

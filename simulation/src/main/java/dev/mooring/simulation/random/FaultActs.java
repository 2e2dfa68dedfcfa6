// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.WriteFault;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What goes wrong. */
final class FaultActs implements ActSource {
    private static final List<String> OPERATIONS = List.of(
            "attach", "attach", "detach", "detach", "stage", "unstage", "publish", "unpublish", "provision", "delete");

    /** What goes wrong with an operation that no answer tells: the caller would never know. */
    static final List<String> GOES_WRONG = List.of(
            "refused",
            "uncertain",
            "uncertain-applied",
            "deferred",
            "hang",
            "hang-applied",
            "in-use-elsewhere",
            "twice",
            "crash-before",
            "crash-after");

    private static final List<String> KINDS = List.of(
            "PersistentVolume",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "PersistentVolumeClaim",
            "VolumeAttachment",
            "VolumeAttachment",
            "Node",
            "Pod");

    /** The operations about which a back-end may lie. Not detach: no controller can notice that a detach did not happen. */
    private static final Set<String> LIES = Set.of("publish", "stage");

    private static final Set<WriteFault.Outcome> CRASHES =
            EnumSet.of(WriteFault.Outcome.CRASH_BEFORE, WriteFault.Outcome.CRASH_AFTER);

    private final List<String> nodes;
    private final Set<String> down = new TreeSet<>();
    private final Ingredients ingredients;
    private boolean controllersRun = true;

    FaultActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        int die = chance.below(100);
        if (die < 28) {
            return Optional.of(callFault(chance));
        } else if (die < 52) {
            return Optional.of(writeFault(chance));
        } else if (die < 62) {
            return Optional.of(restart(chance));
        } else if (die < 74) {
            return Optional.of(stale(chance));
        } else if (die < 80) {
            return Optional.of(lost(chance));
        } else if (die < 84) {
            return Optional.of(Act.fault(
                    FaultClass.MACHINES,
                    "the clock jumps",
                    Texts.map("clock", chance.pick("+1h", "-1h", "+5m", "-30s", "+400h"))));
        }
        return Optional.of(machine(chance));
    }

    private Act callFault(Chance chance) {
        String operation = chance.pick(OPERATIONS);
        CallFault.Outcome outcome = chance.pick(Arrays.asList(CallFault.Outcome.values()));
        if (outcome == CallFault.Outcome.LIE && !LIES.contains(operation)) {
            outcome = CallFault.Outcome.UNCERTAIN;
        }
        String plugin =
                operation.equals("provision") || (operation.equals("delete") && !chance.oneIn(3)) || chance.oneIn(4)
                        ? Texts.SIM
                        : (operation.equals("delete") ? chance.oneIn(3) : chance.oneIn(6))
                                ? "kubernetes.io/nfs"
                                : ingredients.driver(chance);
        Map<String, Object> fault = Texts.map(
                "plugin", plugin, "operation", operation, "outcome", outcome.word(), "times", 1 + chance.below(3));
        boolean crash = outcome == CallFault.Outcome.CRASH_BEFORE || outcome == CallFault.Outcome.CRASH_AFTER;
        return Act.fault(
                crash ? FaultClass.INTERMEDIATE_STATES : FaultClass.BACKENDS,
                plugin + " " + operation + ": " + outcome.word(),
                Texts.map("fault", List.of(fault)));
    }

    private static Act writeFault(Chance chance) {
        WriteFault.Outcome outcome = chance.pick(Arrays.asList(WriteFault.Outcome.values()));
        WriteFault.Verb verb =
                chance.oneIn(2) ? WriteFault.Verb.UPDATE : chance.pick(Arrays.asList(WriteFault.Verb.values()));
        String kind = chance.pick(KINDS);
        if (outcome == WriteFault.Outcome.LATE && kind.equals("PersistentVolumeClaim")) {
            outcome = WriteFault.Outcome.UNAVAILABLE_APPLIED; // not played: docs/inside/testing.md
        }
        Map<String, Object> fault = Texts.map("store", verb.word(), "kind", kind);
        if (verb == WriteFault.Verb.UPDATE && chance.oneIn(2)) {
            fault.put("subresource", "status");
        }
        fault.put("outcome", outcome.word());
        fault.put("nth", 1 + chance.below(3));
        return Act.fault(
                CRASHES.contains(outcome) ? FaultClass.INTERMEDIATE_STATES : FaultClass.STORE,
                verb.word() + " of " + kind + ": " + outcome.word(),
                Texts.map("fault", List.of(fault)));
    }

    private Act restart(Chance chance) {
        if (!ingredients.sidecars().isEmpty() && chance.oneIn(4)) {
            return sidecar(chance);
        }
        int die = chance.below(8);
        if (!controllersRun || die < 3) {
            controllersRun = true;
            return Act.fault(
                    FaultClass.INTERMEDIATE_STATES, "the controllers restart", Texts.map("restart", "controllers"));
        } else if (die < 5) {
            return Act.fault(FaultClass.INTERMEDIATE_STATES, "another leader takes over", Texts.map("handover", true));
        } else if (die == 5) {
            controllersRun = false;
            return Act.fault(FaultClass.INTERMEDIATE_STATES, "the controllers stop", Texts.map("stop", "controllers"));
        }
        String node = chance.pick(nodes);
        if (down.contains(node)) {
            return start(node);
        }
        return Act.fault(
                FaultClass.INTERMEDIATE_STATES,
                "the agent of " + node + " restarts",
                Texts.map("restart", "node/" + node));
    }

    private Act sidecar(Chance chance) {
        String sidecar = chance.pick(ingredients.sidecars());
        return chance.oneIn(4)
                ? Act.fault(FaultClass.INTERMEDIATE_STATES, "the " + sidecar + " stops", Texts.map("stop", sidecar))
                : Act.fault(
                        FaultClass.INTERMEDIATE_STATES, "the " + sidecar + " restarts", Texts.map("restart", sidecar));
    }

    private String process(Chance chance) {
        if (!ingredients.sidecars().isEmpty() && chance.oneIn(5)) {
            return chance.pick(ingredients.sidecars());
        }
        return chance.oneIn(2) ? "controllers" : "node/" + chance.pick(nodes);
    }

    private Act stale(Chance chance) {
        String process = process(chance);
        // A list is never older than what was seen before: no store does that
        // (ClusterStore.list).
        String outcome = chance.pick("hold", "hold", "release", "release", "repeat");
        Map<String, Object> watch = Texts.map("process", process);
        if (!outcome.equals("release") && chance.oneIn(2)) {
            watch.put("kind", chance.pick(KINDS));
        }
        watch.put("outcome", outcome);
        return Act.fault(
                FaultClass.STALE_STATES, "watches of " + process + ": " + outcome, Texts.map("watch", List.of(watch)));
    }

    private Act lost(Chance chance) {
        String process = process(chance);
        Map<String, Object> watch = Texts.map("process", process);
        if (chance.oneIn(2)) {
            watch.put("kind", chance.pick(KINDS));
        }
        watch.put("outcome", "lose");
        return Act.fault(
                FaultClass.UNOBSERVED_STATES,
                "watches of " + process + " lose changes",
                Texts.map("watch", List.of(watch)));
    }

    private Act machine(Chance chance) {
        String node = chance.pick(nodes);
        if (down.contains(node)) {
            return chance.oneIn(2) ? start(node) : taint(node);
        }
        if (chance.oneIn(4)) {
            return taint(node);
        }
        down.add(node);
        return Act.fault(FaultClass.MACHINES, node + " goes down", Texts.map("stop", "node/" + node));
    }

    private Act start(String node) {
        down.remove(node);
        return Act.fault(
                FaultClass.MACHINES,
                node + " starts",
                Texts.map("patch", List.of(taints(node, List.of())), "restart", "node/" + node));
    }

    /** A person asserts that a node is off. Now and then the node is not off; no controller may believe it while it is Ready. */
    private static Act taint(String node) {
        return Act.fault(
                FaultClass.MACHINES, "a person says that " + node + " is off", Texts.map("patch", List.of(off(node))));
    }

    static Map<String, Object> off(String node) {
        Map<String, Object> taint =
                Texts.map("key", "node.kubernetes.io/out-of-service", "value", "nodeshutdown", "effect", "NoExecute");
        return taints(node, List.of(taint));
    }

    static Map<String, Object> taints(String node, List<?> taints) {
        return Texts.map("kind", "Node", "name", node, "merge", Texts.map("spec", Texts.map("taints", taints)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Races about pods, attachments, and mounts. */
final class UsingRaces {
    private final List<String> nodes;
    private final Ingredients ingredients;

    UsingRaces(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    /** A pod of which the controllers have not heard uses a claim that is deleted. */
    List<ActSource> podUnheardOf() {
        return List.of(
                (chance, world) -> Optional.of(Scenes.pair(Scenes.SHARED, "ReadWriteMany", true, Texts.map())),
                (chance, world) -> Scenes.hold(chance, "controllers", "Pod"),
                (chance, world) -> Optional.of(
                        Scenes.pod(chance, nodes, "alpha-data-" + Scenes.SHARED).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) ->
                        Optional.of(Act.delete(Scenes.CLAIM, Scenes.NAMESPACE, "alpha-data-" + Scenes.SHARED, false)
                                .thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Scenes.release(chance, "controllers"));
    }

    /** Two disks that an external attacher attaches to one node at one time, and an attacher that dies meanwhile. */
    List<ActSource> twoFromAfar() {
        String other = "alpha-data-" + Scenes.FAR;
        String lone = "alpha-data-" + Scenes.LONE;
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.FAR, "ReadWriteOnce", false, ingredients.source(Scenes.FAR))),
                (chance, world) -> Optional.of(Scenes.paused(
                        chance,
                        Act.apply(Texts.pod(
                                Scenes.NAMESPACE,
                                "alpha-pod-" + chance.below(3),
                                chance.pick(nodes),
                                List.of(lone, other))),
                        Duration.ofSeconds(10))),
                (chance, world) -> chance.oneIn(3)
                        ? Optional.of(Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the attacher restarts",
                                Texts.map("restart", "attacher")))
                        : Optional.empty(),
                (chance, world) -> anyPlaced(chance, world)
                        .map(pod -> Scenes.paused(
                                chance,
                                Act.delete(
                                        "Pod",
                                        pod.metadata().namespace(),
                                        pod.metadata().name(),
                                        chance.oneIn(4)),
                                Duration.ofMinutes(1))));
    }

    /** A pod goes at once, and the controller that takes its volumes from the node starts again, or another leader takes over. */
    List<ActSource> unmountedInHaste() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) -> Optional.of(Scenes.paused(
                        chance, Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE), Duration.ofSeconds(10))),
                (chance, world) -> chance.oneIn(2)
                        ? Optional.of(Act.fault(
                                FaultClass.BACKENDS,
                                "unmounting takes long",
                                Texts.map(
                                        "fault",
                                        List.of(unmountFault(chance, "unpublish"), unmountFault(chance, "unstage")))))
                        : Optional.empty(),
                (chance, world) -> anyPlaced(chance, world).map(pod -> gone(chance, pod)),
                (chance, world) -> Optional.of(Scenes.paused(
                        chance, Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE), Duration.ofMinutes(1))));
    }

    /** Writes about a volume's way from node to node reach the store late, when no process expects them. */
    List<ActSource> lateWrites() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) -> Optional.of(late(chance).thenWork(0)),
                (chance, world) -> Optional.of(Scenes.paused(
                        chance, Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE), Duration.ofSeconds(1))),
                (chance, world) -> Optional.of(late(chance).thenWork(0)),
                (chance, world) -> Scenes.any(chance, world.pods())
                        .map(pod -> Scenes.paused(
                                chance,
                                Act.delete(
                                        "Pod",
                                        pod.metadata().namespace(),
                                        pod.metadata().name(),
                                        chance.oneIn(2)),
                                Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(Scenes.paused(
                        chance, Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE), Duration.ofMinutes(1))));
    }

    private static Act late(Chance chance) {
        String kind = chance.pick("Node", "Node", "VolumeAttachment", "VolumeAttachment", Scenes.VOLUME);
        String verb = kind.equals("VolumeAttachment") ? chance.pick("create", "update", "delete") : "update";
        Map<String, Object> fault = Texts.map("store", verb, "kind", kind);
        if (verb.equals("update") && (kind.equals("Node") || chance.oneIn(2))) {
            fault.put("subresource", "status");
        }
        fault.put("outcome", "late");
        fault.put("nth", 1 + chance.below(3));
        return Act.fault(FaultClass.STORE, verb + " of " + kind + ": late", Texts.map("fault", List.of(fault)));
    }

    /** Controllers begin again and hear of the nodes as they were before a volume was used; then its pod goes. */
    List<ActSource> oldListOfNodes() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) -> Optional.of(
                        Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(Act.fault(
                                FaultClass.BACKENDS,
                                "unmounting takes long",
                                Texts.map(
                                        "fault",
                                        List.of(unmountFault(chance, "unpublish"), unmountFault(chance, "unstage"))))
                        .thenWork(0)),
                (chance, world) -> anyPlaced(chance, world).map(pod -> {
                    Map<String, Object> step = Texts.map("delete", List.of(removal(chance, pod)));
                    step.put("watch", List.of(old("controllers", "Node", 1 + chance.below(6))));
                    Act act = Act.fault(
                            FaultClass.STALE_STATES,
                            "the controllers begin with an old list of nodes as pod "
                                    + pod.metadata().name() + " goes",
                            step);
                    return Scenes.paused(chance, act, Duration.ofSeconds(10));
                }),
                (chance, world) -> Scenes.release(chance, "controllers"));
    }

    /** An agent begins again and does not hear of a pod that it has served. */
    List<ActSource> oldListOfPods() {
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) -> Optional.of(
                        Scenes.pod(chance, nodes, "alpha-data-" + Scenes.LONE).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> anyPlaced(chance, world)
                        .map(pod -> beginsWithOld(chance, pod.spec().nodeName(), "Pod")));
    }

    /** An agent begins again and hears of its Node as it was when a volume was attached that has been detached since. */
    List<ActSource> oldNews() {
        String[] where = new String[1];
        return List.of(
                (chance, world) ->
                        Optional.of(Scenes.pair(Scenes.LONE, "ReadWriteOnce", false, ingredients.source(Scenes.LONE))),
                (chance, world) -> {
                    where[0] = chance.pick(nodes);
                    return Optional.of(
                            Scenes.pod(0, where[0], "alpha-data-" + Scenes.LONE).thenAdvance(Duration.ofSeconds(10)));
                },
                (chance, world) -> Optional.of(Act.delete("Pod", Scenes.NAMESPACE, "alpha-pod-0", chance.oneIn(2))
                        .thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(beginsWithOld(chance, where[0], "Node")),
                (chance, world) -> Optional.of(
                        Scenes.pod(1, where[0], "alpha-data-" + Scenes.LONE).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Scenes.release(chance, "node/" + where[0]));
    }

    private static Act beginsWithOld(Chance chance, String node, String kind) {
        return Scenes.paused(
                chance,
                Act.fault(
                        FaultClass.STALE_STATES,
                        "the agent of " + node + " begins with an old list of " + kind + "s",
                        Texts.map("watch", List.of(old("node/" + node, kind, 1 + chance.below(4))))),
                Duration.ofSeconds(1));
    }

    private static Map<String, Object> old(String process, String kind, int changes) {
        return Texts.map("process", process, "kind", kind, "outcome", "stale", "changes", changes);
    }

    private static Optional<Pod> anyPlaced(Chance chance, WorldView world) {
        return Scenes.any(
                chance,
                world.pods().stream()
                        .filter(pod -> !pod.spec().nodeName().isEmpty())
                        .toList());
    }

    private static Map<String, Object> removal(Chance chance, Pod pod) {
        return Texts.map(
                "kind",
                "Pod",
                "namespace",
                pod.metadata().namespace(),
                "name",
                pod.metadata().name(),
                "force",
                !chance.oneIn(3));
    }

    private Map<String, Object> unmountFault(Chance chance, String operation) {
        String outcome = chance.pick("uncertain", "uncertain-applied", "refused", "hang", "deferred");
        return Texts.map(
                "plugin",
                ingredients.driver(Scenes.LONE),
                "operation",
                operation,
                "outcome",
                outcome,
                "times",
                1 + chance.below(4));
    }

    private static Act gone(Chance chance, Pod pod) {
        Map<String, Object> step = Texts.map("delete", List.of(removal(chance, pod)));
        if (chance.oneIn(2)) {
            step.put("restart", "node/" + pod.spec().nodeName());
        } else {
            step.put("handover", true);
        }
        return Scenes.paused(
                chance,
                Act.fault(
                        FaultClass.INTERMEDIATE_STATES,
                        "pod " + pod.metadata().name() + " goes just as a process restarts",
                        step),
                Duration.ofSeconds(10));
    }
}

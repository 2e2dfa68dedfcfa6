// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.document.JsonNull;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What users do just when something goes wrong: few acts in a row that chance alone would seldom bring together, each a window that a
 * controller has to close by a precondition, a live read, a record, or by taking no answer for no answer.
 */
final class RaceActs implements ActSource {
    private static final String NAMESPACE = "alpha";
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String VOLUME = "PersistentVolume";
    private static final int SHARED = 4;
    private static final int LONE = 5;

    private final List<String> nodes;
    private final Deque<ActSource> scenes = new ArrayDeque<>();

    RaceActs(List<String> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /** Whether a race is under way. */
    boolean isUnderWay() {
        return !scenes.isEmpty();
    }

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        if (scenes.isEmpty()) {
            scenes.addAll(race(chance));
        }
        return scenes.remove().next(chance, world);
    }

    private List<ActSource> race(Chance chance) {
        return switch (chance.below(14)) {
            case 0 -> takenUnderItsNose();
            case 1, 2 -> storageInDoubt();
            case 3, 4 -> destructionInDoubt();
            case 5 -> claimUnheardOf();
            case 6 -> podUnheardOf();
            case 7 -> unmountedInHaste();
            case 8, 9 -> lateWrites();
            case 10 -> oldListOfNodes();
            case 11 -> oldListOfPods();
            case 12 -> oldNews();
            default -> bared();
        };
    }

    // ---- binding ----

    /** Somebody ties a free volume to a claim while the binder gives it to another one. */
    private static List<ActSource> takenUnderItsNose() {
        return List.of(
                (chance, world) -> hold(chance, "controllers", chance.pick(VOLUME, CLAIM)),
                (chance, world) -> Optional.of(claim(chance, "", Texts.map()).thenWork(chance.below(4))),
                (chance, world) -> any(
                                chance,
                                world.volumes().stream()
                                        .filter(volume ->
                                                volume.spec().claimRef().isEmpty())
                                        .toList())
                        .map(volume ->
                                tie(volume, NAMESPACE, "alpha-data-9", "").thenWork(chance.below(6))),
                (chance, world) -> release(chance, "controllers"));
    }

    /** A claim, and a volume tied to it by name and uid, of which the cache knows only the volume. */
    private static List<ActSource> claimUnheardOf() {
        return List.of(
                (chance, world) -> Optional.of(Act.apply(Texts.volume(
                        "vol-" + SHARED,
                        "3Gi",
                        "ReadWriteMany",
                        chance.pick("Delete", "Recycle", "Recycle"),
                        true,
                        Texts.map()))),
                (chance, world) -> hold(chance, "controllers", CLAIM),
                (chance, world) -> Optional.of(Act.apply(Texts.claim(
                                NAMESPACE,
                                "alpha-data-8",
                                "1Gi",
                                "ReadWriteMany",
                                Texts.map("storageClassName", "", "volumeName", "vol-" + SHARED)))
                        .thenWork(0)),
                (chance, world) -> world.find(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(NAMESPACE, "alpha-data-8"))
                        .flatMap(claim -> world.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("vol-" + SHARED))
                                .filter(volume -> volume.spec().claimRef().isEmpty())
                                .map(volume -> tie(
                                        volume,
                                        NAMESPACE,
                                        "alpha-data-8",
                                        claim.metadata().uid()))),
                (chance, world) -> chance.oneIn(2)
                        ? Optional.of(
                                Act.delete(VOLUME, "", "vol-" + SHARED, false).thenAdvance(Duration.ofSeconds(10)))
                        : Optional.empty(),
                (chance, world) -> release(chance, "controllers"));
    }

    /** The storage of a claim may have been made or not, and the claim goes, or its maker starts anew. */
    private static List<ActSource> storageInDoubt() {
        return List.of(
                (chance, world) -> Optional.of(fault(
                        chance,
                        "provision",
                        "uncertain",
                        "uncertain-applied",
                        "uncertain-applied",
                        "hang",
                        "hang-applied",
                        "refused",
                        "crash-after")),
                (chance, world) ->
                        Optional.of(paused(chance, claim(chance, "sim", Texts.map()), Duration.ofSeconds(1))),
                (chance, world) -> newest(world)
                        .map(claim ->
                                paused(chance, Act.delete(CLAIM, NAMESPACE, claim, false), Duration.ofMinutes(1))),
                (chance, world) -> chance.oneIn(3)
                        ? Optional.of(Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the controllers restart",
                                Texts.map("restart", "controllers")))
                        : Optional.empty());
    }

    /** The storage of a volume may have been destroyed or not. */
    private static List<ActSource> destructionInDoubt() {
        return List.of(
                (chance, world) -> Optional.of(claim(chance, "sim", Texts.map()).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(fault(
                        chance,
                        "delete",
                        "uncertain",
                        "uncertain-applied",
                        "refused",
                        "hang",
                        "hang-applied",
                        "in-use-elsewhere",
                        "deferred",
                        "crash-after")),
                (chance, world) -> newest(world)
                        .map(claim ->
                                paused(chance, Act.delete(CLAIM, NAMESPACE, claim, false), Duration.ofSeconds(10))),
                (chance, world) -> any(
                                chance,
                                world.volumes().stream()
                                        .filter(RaceActs::isProvisioned)
                                        .toList())
                        .filter(volume -> chance.oneIn(3))
                        .map(volume -> Act.patch(
                                VOLUME,
                                "",
                                volume.metadata().name(),
                                false,
                                Texts.map(
                                        "spec",
                                        Texts.map("persistentVolumeReclaimPolicy", chance.pick("Retain", "Delete"))))));
    }

    /** Somebody takes finalizers away by hand from what is not being deleted. */
    private static List<ActSource> bared() {
        return List.of(
                (chance, world) -> Optional.of(claim(chance, "sim", Texts.map()).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> any(
                                chance,
                                world.volumes().stream()
                                        .filter(RaceActs::isProvisioned)
                                        .toList())
                        .map(volume -> Act.patch(
                                        VOLUME,
                                        "",
                                        volume.metadata().name(),
                                        false,
                                        Texts.map("metadata", Texts.map("finalizers", JsonNull.NULL)))
                                .thenAdvance(Duration.ofSeconds(1))));
    }

    private static boolean isProvisioned(PersistentVolume volume) {
        return volume.metadata().name().startsWith("pvc-") && !volume.metadata().isDeleting();
    }

    // ---- using ----

    /** A pod of which the controllers have not heard uses a claim that is deleted. */
    private List<ActSource> podUnheardOf() {
        return List.of(
                (chance, world) -> Optional.of(pair(SHARED, "ReadWriteMany", true)),
                (chance, world) -> hold(chance, "controllers", "Pod"),
                (chance, world) ->
                        Optional.of(pod(chance, "alpha-data-" + SHARED).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(Act.delete(CLAIM, NAMESPACE, "alpha-data-" + SHARED, false)
                        .thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> release(chance, "controllers"));
    }

    /** A pod goes at once, and whoever has to take its volumes from the node starts anew, or another leader takes over. */
    private List<ActSource> unmountedInHaste() {
        return List.of(
                (chance, world) -> Optional.of(pair(LONE, "ReadWriteOnce", false)),
                (chance, world) ->
                        Optional.of(paused(chance, pod(chance, "alpha-data-" + LONE), Duration.ofSeconds(10))),
                (chance, world) -> chance.oneIn(2)
                        ? Optional.of(Act.fault(
                                FaultClass.BACKENDS,
                                "unmounting takes long",
                                Texts.map(
                                        "fault",
                                        List.of(unmountFault(chance, "unpublish"), unmountFault(chance, "unstage")))))
                        : Optional.empty(),
                (chance, world) -> anyPlaced(chance, world).map(pod -> gone(chance, pod)),
                (chance, world) ->
                        Optional.of(paused(chance, pod(chance, "alpha-data-" + LONE), Duration.ofMinutes(1))));
    }

    /** What is written of a volume's way from node to node reaches the store when nobody expects it any more. */
    private List<ActSource> lateWrites() {
        return List.of(
                (chance, world) -> Optional.of(pair(LONE, "ReadWriteOnce", false)),
                (chance, world) -> Optional.of(late(chance).thenWork(0)),
                (chance, world) ->
                        Optional.of(paused(chance, pod(chance, "alpha-data-" + LONE), Duration.ofSeconds(1))),
                (chance, world) -> Optional.of(late(chance).thenWork(0)),
                (chance, world) -> any(chance, world.pods())
                        .map(pod -> paused(
                                chance,
                                Act.delete(
                                        "Pod",
                                        pod.metadata().namespace(),
                                        pod.metadata().name(),
                                        chance.oneIn(2)),
                                Duration.ofSeconds(10))),
                (chance, world) ->
                        Optional.of(paused(chance, pod(chance, "alpha-data-" + LONE), Duration.ofMinutes(1))));
    }

    private static Act late(Chance chance) {
        String kind = chance.pick("Node", "Node", "VolumeAttachment", "VolumeAttachment", VOLUME);
        String verb = kind.equals("VolumeAttachment") ? chance.pick("create", "update", "delete") : "update";
        Map<String, Object> fault = Texts.map("store", verb, "kind", kind);
        if (verb.equals("update") && (kind.equals("Node") || chance.oneIn(2))) {
            fault.put("subresource", "status");
        }
        fault.put("outcome", "late");
        fault.put("nth", 1 + chance.below(3));
        return Act.fault(FaultClass.STORE, verb + " of " + kind + ": late", Texts.map("fault", List.of(fault)));
    }

    /** Controllers begin anew and hear of the nodes as they were before a volume was used; then its pod goes. */
    private List<ActSource> oldListOfNodes() {
        return List.of(
                (chance, world) -> Optional.of(pair(LONE, "ReadWriteOnce", false)),
                (chance, world) -> Optional.of(pod(chance, "alpha-data-" + LONE).thenAdvance(Duration.ofSeconds(10))),
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
                    return paused(chance, act, Duration.ofSeconds(10));
                }),
                (chance, world) -> release(chance, "controllers"));
    }

    /** An agent begins anew and does not hear of a pod that it has served. */
    private List<ActSource> oldListOfPods() {
        return List.of(
                (chance, world) -> Optional.of(pair(LONE, "ReadWriteOnce", false)),
                (chance, world) -> Optional.of(pod(chance, "alpha-data-" + LONE).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> anyPlaced(chance, world)
                        .map(pod -> beginsWithOld(chance, pod.spec().nodeName(), "Pod")));
    }

    /** An agent begins anew and hears of its Node as it was when a volume was attached that has been detached since. */
    private List<ActSource> oldNews() {
        String[] where = new String[1];
        return List.of(
                (chance, world) -> Optional.of(pair(LONE, "ReadWriteOnce", false)),
                (chance, world) -> {
                    where[0] = chance.pick(nodes);
                    return Optional.of(pod(0, where[0], "alpha-data-" + LONE).thenAdvance(Duration.ofSeconds(10)));
                },
                (chance, world) -> Optional.of(Act.delete("Pod", NAMESPACE, "alpha-pod-0", chance.oneIn(2))
                        .thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> Optional.of(beginsWithOld(chance, where[0], "Node")),
                (chance, world) ->
                        Optional.of(pod(1, where[0], "alpha-data-" + LONE).thenAdvance(Duration.ofSeconds(10))),
                (chance, world) -> release(chance, "node/" + where[0]));
    }

    private static Act beginsWithOld(Chance chance, String node, String kind) {
        return paused(
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
        return any(
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

    private static Map<String, Object> unmountFault(Chance chance, String operation) {
        String outcome = chance.pick("uncertain", "uncertain-applied", "refused", "hang", "deferred");
        return Texts.map(
                "plugin", Texts.DRIVER, "operation", operation, "outcome", outcome, "times", 1 + chance.below(4));
    }

    private static Act gone(Chance chance, Pod pod) {
        Map<String, Object> step = Texts.map("delete", List.of(removal(chance, pod)));
        if (chance.oneIn(2)) {
            step.put("restart", "node/" + pod.spec().nodeName());
        } else {
            step.put("handover", true);
        }
        return paused(
                chance,
                Act.fault(
                        FaultClass.INTERMEDIATE_STATES,
                        "pod " + pod.metadata().name() + " goes just as a process begins anew",
                        step),
                Duration.ofSeconds(10));
    }

    // ---- words ----

    private static Act paused(Chance chance, Act act, Duration longer) {
        return chance.oneIn(2) ? act.thenWork(chance.below(9)) : act.thenAdvance(longer);
    }

    private static Optional<Act> hold(Chance chance, String process, String kind) {
        return Optional.of(Act.fault(
                        FaultClass.STALE_STATES,
                        "watches of " + process + " for " + kind + ": hold",
                        Texts.map("watch", List.of(Texts.map("process", process, "kind", kind, "outcome", "hold"))))
                .thenWork(chance.below(3)));
    }

    private static Optional<Act> release(Chance chance, String process) {
        return chance.oneIn(3)
                ? Optional.empty()
                : Optional.of(Act.fault(
                        FaultClass.STALE_STATES,
                        "watches of " + process + ": release",
                        Texts.map("watch", List.of(Texts.map("process", process, "outcome", "release")))));
    }

    private static Act fault(Chance chance, String operation, String... outcomes) {
        String outcome = chance.pick(outcomes);
        boolean crash = outcome.startsWith("crash");
        return Act.fault(
                        crash ? FaultClass.INTERMEDIATE_STATES : FaultClass.BACKENDS,
                        Texts.SIM + " " + operation + ": " + outcome,
                        Texts.map(
                                "fault",
                                List.of(Texts.map(
                                        "plugin",
                                        Texts.SIM,
                                        "operation",
                                        operation,
                                        "outcome",
                                        outcome,
                                        "times",
                                        crash ? 1 : 1 + chance.below(5)))))
                .thenWork(0);
    }

    private static Act claim(Chance chance, String className, Map<String, Object> more) {
        Map<String, Object> wish = Texts.map("storageClassName", className);
        wish.putAll(more);
        return Act.apply(Texts.claim(NAMESPACE, "alpha-data-" + (5 + chance.below(3)), "1Gi", "ReadWriteOnce", wish));
    }

    private static Act pair(int number, String mode, boolean nfs) {
        String name = "alpha-data-" + number;
        return Act.of(
                        "a pair: vol-" + number + " and " + NAMESPACE + "/" + name,
                        Texts.map(
                                "apply",
                                List.of(
                                        Texts.volume("vol-" + number, "3Gi", mode, "Retain", nfs, Texts.map()),
                                        Texts.claim(
                                                NAMESPACE,
                                                name,
                                                "1Gi",
                                                mode,
                                                Texts.map("storageClassName", "", "volumeName", "vol-" + number)))))
                .thenAdvance(Duration.ofSeconds(1));
    }

    private Act pod(Chance chance, String claim) {
        return pod(chance.below(3), chance.pick(nodes), claim);
    }

    private static Act pod(int number, String node, String claim) {
        return Act.apply(Texts.pod(NAMESPACE, "alpha-pod-" + number, node, List.of(claim)));
    }

    private static Act tie(PersistentVolume volume, String namespace, String claim, String uid) {
        Map<String, Object> ref = Texts.map("namespace", namespace, "name", claim);
        if (!uid.isEmpty()) {
            ref.put("uid", uid);
        }
        return Act.patch(VOLUME, "", volume.metadata().name(), false, Texts.map("spec", Texts.map("claimRef", ref)));
    }

    /** The name of a claim for which storage was or is made. */
    private static Optional<String> newest(WorldView world) {
        String newest = null;
        for (PersistentVolumeClaim claim : world.claims()) {
            if (claim.spec().storageClassName().equals(Optional.of("sim"))
                    && claim.metadata().namespace().equals(NAMESPACE)) {
                newest = claim.metadata().name();
            }
        }
        return Optional.ofNullable(newest);
    }

    private static <T> Optional<T> any(Chance chance, Collection<T> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(chance.pick(new ArrayList<>(all)));
    }
}

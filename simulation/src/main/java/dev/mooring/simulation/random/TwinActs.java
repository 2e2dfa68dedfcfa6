// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The acts of a small world whose end is determined: every claim has one volume that it gets in whatever order things happen, and every
 * pod its node. In it one thing goes wrong ({@link #oneFault}), or something goes wrong all the time with what is called {@code hit-…},
 * and with nothing that is called {@code free-…} ({@link #errors}).
 */
final class TwinActs {
    /** What the last act of a world is called whose end has to be that of the same world without faults. */
    static final String SAME_END = "faults end, and the end is the same as without";

    /** What the last act of a world is called in which errors of some have to delay no others. */
    static final String NO_DELAY = "faults end, and others were not delayed";

    /** What the names of that begin with which no fault is about. */
    static final String FREE = "free-";

    private static final String HIT = "hit-";
    private static final String TROUBLED = "n1";
    private static final String CALM = "30m";
    private static final String LONG = "15m";

    /** How one write or call goes wrong without an effect on the end. */
    private static final List<String> WRITES =
            List.of("crash-before", "crash-after", "crash-before", "crash-after", "conflict", "unavailable-applied");

    private static final List<String> CALLS =
            List.of("crash-before", "crash-after", "uncertain", "uncertain-applied", "hang", "hang-applied", "twice");

    private final Chance chance;
    private final List<Act> acts = new ArrayList<>();

    private TwinActs(Chance chance) {
        this.chance = chance;
    }

    /** A world in which one thing goes wrong while claims are bound, and one while they go. */
    static List<Act> oneFault(Chance chance) {
        return new TwinActs(chance).withOneFault();
    }

    /** A world in which something goes wrong for some from the beginning to the end. */
    static List<Act> errors(Chance chance) {
        return new TwinActs(chance).withErrors();
    }

    // ---- one fault ----

    private List<Act> withOneFault() {
        List<String> nodes = begin();
        int pairs = 2 + chance.below(3);
        boolean bySize = chance.oneIn(3);
        List<Act> users = new ArrayList<>();
        List<String> claims = new ArrayList<>();
        List<Map<String, Object>> pods = new ArrayList<>();
        for (int i = 1; i <= pairs; i++) {
            String claim = "data-" + i;
            claims.add(claim);
            if (bySize) {
                // The smallest that is large enough is another one for each, if all are known before.
                acts.add(Act.apply(volume("vol-" + i, i + "Gi", Texts.map())).thenWork(0));
                users.add(Act.apply(claim(claim, i + "Gi", Texts.map())));
            } else {
                users.addAll(pair(i, claim));
            }
        }
        if (chance.oneIn(2)) {
            claims.add("made");
            users.add(Act.apply(Texts.claim(
                    Scenes.NAMESPACE, "made", "1Gi", "ReadWriteOnce", Texts.map("storageClassName", "sim"))));
        }
        for (String claim : claims) {
            if (!chance.oneIn(3)) {
                Map<String, Object> pod =
                        Texts.pod(Scenes.NAMESPACE, "pod-" + claim, chance.pick(nodes), List.of(claim));
                pods.add(pod);
                users.add(Act.apply(pod));
            }
        }
        acts.add(Act.of("all volumes are known", Texts.map("advance", "1s")));
        inAnyOrder(users);
        List<Act> removals = new ArrayList<>();
        pods.stream()
                .filter(pod -> chance.oneIn(2))
                .forEach(pod -> removals.add(Act.delete("Pod", Scenes.NAMESPACE, nameOf(pod), false)));
        claims.stream()
                .filter(claim -> chance.oneIn(3))
                .forEach(claim -> removals.add(Act.delete(Scenes.CLAIM, Scenes.NAMESPACE, claim, false)));
        inAnyOrder(removals);
        acts.add(Act.of(SAME_END, Texts.map("calm", CALM)));
        return acts;
    }

    private List<String> begin() {
        List<String> nodes = List.of("n1", "n2");
        nodes.forEach(node -> acts.add(Act.apply(Texts.node(node)).thenWork(0)));
        acts.add(Act.apply(Texts.driver(Texts.DRIVER)).thenWork(0));
        acts.add(Act.apply(Texts.storageClass("sim", Texts.SIM, "Immediate", false)));
        return nodes;
    }

    /** One that belong together by a label, by the claim's word or by the volume's. */
    private List<Act> pair(int number, String claim) {
        String volume = "vol-" + number;
        return switch (chance.below(3)) {
            case 0 ->
                List.of(
                        Act.apply(labelled(volume(volume, "2Gi", Texts.map()))),
                        Act.apply(claim(
                                claim,
                                "1Gi",
                                Texts.map("selector", Texts.map("matchLabels", Texts.map("disk", volume))))));
            case 1 ->
                List.of(
                        Act.apply(volume(volume, "2Gi", Texts.map())),
                        Act.apply(claim(claim, "1Gi", Texts.map("volumeName", volume))));
            default ->
                List.of(
                        Act.apply(volume(
                                volume,
                                "1Gi",
                                Texts.map("claimRef", Texts.map("namespace", Scenes.NAMESPACE, "name", claim)))),
                        Act.apply(claim(claim, "1Gi", Texts.map("volumeName", volume))));
        };
    }

    private Map<String, Object> volume(String name, String size, Map<String, Object> more) {
        boolean nfs = chance.oneIn(4);
        String policy = nfs ? chance.pick("Retain", "Recycle", "Delete") : "Retain";
        return Texts.volume(name, size, "ReadWriteOnce", policy, nfs, more);
    }

    private static String nameOf(Map<String, Object> document) {
        Object metadata = document.get("metadata");
        return metadata instanceof Map<?, ?> fields ? String.valueOf(fields.get("name")) : "";
    }

    private static Map<String, Object> labelled(Map<String, Object> volume) {
        String name = nameOf(volume);
        volume.put("metadata", Texts.map("name", name, "labels", Texts.map("disk", name)));
        return volume;
    }

    private static Map<String, Object> claim(String name, String size, Map<String, Object> more) {
        Map<String, Object> wish = Texts.map("storageClassName", "");
        wish.putAll(more);
        return Texts.claim(Scenes.NAMESPACE, name, size, "ReadWriteOnce", wish);
    }

    /** Acts one right after the other, with one thing that goes wrong in the middle of what they lead to, and a long pause. */
    private void inAnyOrder(List<Act> all) {
        Optional<Act> before = chance.oneIn(3) ? Optional.empty() : Optional.of(fault());
        before.ifPresent(acts::add);
        shuffled(all).forEach(act -> acts.add(act.thenWork(chance.oneIn(3) ? chance.below(12) : 0)));
        if (before.isEmpty()) {
            acts.add(Act.of("work", Texts.map("work", chance.below(40))));
            acts.add(interruption());
        }
        acts.add(Act.of("time passes", Texts.map("advance", LONG)));
    }

    private List<Act> shuffled(List<Act> all) {
        List<Act> rest = new ArrayList<>(all);
        List<Act> shuffled = new ArrayList<>();
        while (!rest.isEmpty()) {
            shuffled.add(rest.remove(chance.below(rest.size())));
        }
        return shuffled;
    }

    private Act fault() {
        if (chance.oneIn(3)) {
            String operation = chance.pick("attach", "detach", "stage", "publish", "unstage", "unpublish", "provision");
            String outcome = chance.pick(CALLS);
            return Act.fault(
                            outcome.startsWith("crash") ? FaultClass.INTERMEDIATE_STATES : FaultClass.BACKENDS,
                            operation + ": " + outcome,
                            Texts.map(
                                    "fault",
                                    List.of(Texts.map(
                                            "plugin",
                                            operation.equals("provision") ? Texts.SIM : Texts.DRIVER,
                                            "operation",
                                            operation,
                                            "outcome",
                                            outcome,
                                            "times",
                                            1))))
                    .thenWork(0);
        }
        String kind = chance.pick(Scenes.VOLUME, Scenes.VOLUME, Scenes.CLAIM, Scenes.CLAIM, "VolumeAttachment", "Node");
        String verb = kind.equals("Node") || !chance.oneIn(4) ? "update" : chance.pick("create", "delete");
        String outcome = chance.pick(WRITES);
        Map<String, Object> fault = Texts.map("store", verb, "kind", kind);
        if (verb.equals("update") && (kind.equals("Node") || chance.oneIn(2))) {
            fault.put("subresource", "status");
        }
        fault.put("outcome", outcome);
        fault.put("nth", 1 + chance.below(4));
        return Act.fault(
                        outcome.startsWith("crash") ? FaultClass.INTERMEDIATE_STATES : FaultClass.STORE,
                        verb + " of " + kind + ": " + outcome,
                        Texts.map("fault", List.of(fault)))
                .thenWork(0);
    }

    private Act interruption() {
        return switch (chance.below(6)) {
            case 0 ->
                Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the agent of n1 restarts",
                                Texts.map("restart", "node/" + TROUBLED))
                        .thenWork(0);
            case 1 ->
                Act.fault(FaultClass.INTERMEDIATE_STATES, "another leader takes over", Texts.map("handover", true))
                        .thenWork(0);
            case 2 ->
                Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the leader's process stands still",
                                Texts.map("pause", "20s"))
                        .thenWork(0);
            default ->
                Act.fault(
                                FaultClass.INTERMEDIATE_STATES,
                                "the controllers restart",
                                Texts.map("restart", "controllers"))
                        .thenWork(0);
        };
    }

    // ---- errors ----

    private List<Act> withErrors() {
        begin();
        acts.add(trouble().thenWork(0));
        List<Act> users = new ArrayList<>();
        List<String> pods = new ArrayList<>();
        int hit = 1 + chance.below(4);
        int free = 1 + chance.below(3);
        for (int i = 0; i < hit + free; i++) {
            String name = (i < hit ? HIT : FREE) + i;
            boolean made = i < hit && chance.oneIn(2);
            Map<String, Object> wish = Texts.map("storageClassName", made ? "sim" : "");
            if (!made) {
                wish.put("volumeName", name);
                users.add(
                        Act.apply(Texts.volume(name, "1Gi", "ReadWriteOnce", "Retain", chance.oneIn(5), Texts.map())));
            }
            users.add(Act.apply(Texts.claim(Scenes.NAMESPACE, name, "1Gi", "ReadWriteOnce", wish)));
            users.add(Act.apply(Texts.pod(Scenes.NAMESPACE, name, i < hit ? TROUBLED : "n2", List.of(name))));
            pods.add(name);
        }
        shuffled(users).forEach(act -> acts.add(act.thenWork(chance.oneIn(3) ? chance.below(6) : 0)));
        acts.add(Act.of("time passes", Texts.map("advance", chance.pick("1s", "10s", "3m", "10m"))));
        for (String pod : pods) {
            if (chance.oneIn(2)) {
                acts.add(Act.delete("Pod", Scenes.NAMESPACE, pod, false).thenWork(chance.below(6)));
            }
        }
        acts.add(Act.of("time passes", Texts.map("advance", LONG)));
        acts.add(Act.of(NO_DELAY, Texts.map("calm", CALM)));
        return acts;
    }

    private Act trouble() {
        if (chance.oneIn(6)) {
            return Act.fault(FaultClass.MACHINES, TROUBLED + " goes down", Texts.map("stop", "node/" + TROUBLED));
        }
        List<Object> faults = new ArrayList<>();
        String outcome = chance.pick(
                "refused", "uncertain", "uncertain-applied", "hang", "hang-applied", "deferred", "in-use-elsewhere");
        for (String operation : chance.oneIn(2)
                ? List.of(chance.pick("attach", "detach", "stage", "publish", "unpublish", "unstage"))
                : List.of("attach", "detach", "unpublish")) {
            for (String plugin : List.of(Texts.DRIVER, Texts.SIM, "kubernetes.io/nfs")) {
                faults.add(Texts.map(
                        "plugin",
                        plugin,
                        "operation",
                        operation,
                        "node",
                        TROUBLED,
                        "outcome",
                        outcome,
                        "times",
                        "always"));
            }
        }
        if (chance.oneIn(3)) {
            faults.add(Texts.map("plugin", Texts.SIM, "operation", "provision", "outcome", outcome, "times", "always"));
        }
        return Act.fault(
                FaultClass.BACKENDS, outcome + " whatever is asked for " + TROUBLED, Texts.map("fault", faults));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The acts that races are made of. */
final class Scenes {
    static final String NAMESPACE = "alpha";
    static final String CLAIM = "PersistentVolumeClaim";
    static final String VOLUME = "PersistentVolume";

    /** The volume that many nodes may have, and that need not be attached. */
    static final int SHARED = 4;

    /** A volume that one node may have. */
    static final int LONE = 5;

    /** Another one; both are far where there is an external attacher. */
    static final int FAR = 1;

    /** The first of three claims for storage that is made. No other scene uses them. */
    static final int FIRST_CLAIM = 5;

    private Scenes() {}

    static Act paused(Chance chance, Act act, Duration longer) {
        return chance.oneIn(2) ? act.thenWork(chance.below(9)) : act.thenAdvance(longer);
    }

    static Optional<Act> hold(Chance chance, String process, String kind) {
        return Optional.of(Act.fault(
                        FaultClass.STALE_STATES,
                        "watches of " + process + " for " + kind + ": hold",
                        Texts.map("watch", List.of(Texts.map("process", process, "kind", kind, "outcome", "hold"))))
                .thenWork(chance.below(3)));
    }

    static Optional<Act> release(Chance chance, String process) {
        return chance.oneIn(3)
                ? Optional.empty()
                : Optional.of(Act.fault(
                        FaultClass.STALE_STATES,
                        "watches of " + process + ": release",
                        Texts.map("watch", List.of(Texts.map("process", process, "outcome", "release")))));
    }

    static Act fault(Chance chance, String operation, String... outcomes) {
        return fault(chance, Texts.SIM, operation, chance.pick(outcomes), 5).thenWork(0);
    }

    /** A plugin's calls go wrong, as often as that many times; a process crashes only once. */
    static Act fault(Chance chance, String plugin, String operation, String outcome, int most) {
        boolean crash = outcome.startsWith("crash");
        int times = crash ? 1 : 1 + chance.below(most);
        return Act.fault(
                crash ? FaultClass.INTERMEDIATE_STATES : FaultClass.BACKENDS,
                plugin + " " + operation + ": " + outcome,
                Texts.map(
                        "fault",
                        List.of(Texts.map(
                                "plugin", plugin, "operation", operation, "outcome", outcome, "times", times))));
    }

    /** What a user does, and what goes wrong with the first calls that it leads to. */
    static Act troubled(Act act, Act fault) {
        Map<String, Object> step = new LinkedHashMap<>(act.step().asMap());
        step.putAll(fault.step().asMap());
        return Act.fault(fault.fault().orElseThrow(), act.what() + ", with " + fault.what(), step);
    }

    static Act claim(Chance chance, String className, Map<String, Object> more) {
        return claim(FIRST_CLAIM + chance.below(3), className, more);
    }

    static Act claim(int number, String className, Map<String, Object> more) {
        Map<String, Object> wish = Texts.map("storageClassName", className);
        wish.putAll(more);
        return Act.apply(Texts.claim(NAMESPACE, "alpha-data-" + number, "1Gi", "ReadWriteOnce", wish));
    }

    static Act pair(int number, String mode, boolean nfs, Map<String, Object> source) {
        String name = "alpha-data-" + number;
        return Act.of(
                        "a pair: vol-" + number + " and " + NAMESPACE + "/" + name,
                        Texts.map(
                                "apply",
                                List.of(
                                        Texts.volume("vol-" + number, "3Gi", mode, "Retain", nfs, source),
                                        Texts.claim(
                                                NAMESPACE,
                                                name,
                                                "1Gi",
                                                mode,
                                                Texts.map("storageClassName", "", "volumeName", "vol-" + number)))))
                .thenAdvance(Duration.ofSeconds(1));
    }

    static Act pod(Chance chance, List<String> nodes, String claim) {
        return pod(chance.below(3), chance.pick(nodes), claim);
    }

    static Act pod(int number, String node, String claim) {
        return Act.apply(Texts.pod(NAMESPACE, "alpha-pod-" + number, node, List.of(claim)));
    }

    static Act tie(PersistentVolume volume, String namespace, String claim, String uid) {
        Map<String, Object> ref = Texts.map("namespace", namespace, "name", claim);
        if (!uid.isEmpty()) {
            ref.put("uid", uid);
        }
        return Act.patch(VOLUME, "", volume.metadata().name(), false, Texts.map("spec", Texts.map("claimRef", ref)));
    }

    /** The name of a claim for which storage was or is made. */
    static Optional<String> newest(WorldView world) {
        String newest = null;
        for (PersistentVolumeClaim claim : world.claims()) {
            if (claim.spec().storageClassName().equals(Optional.of("sim"))
                    && claim.metadata().namespace().equals(NAMESPACE)) {
                newest = claim.metadata().name();
            }
        }
        return Optional.ofNullable(newest);
    }

    static <T> Optional<T> any(Chance chance, Collection<T> all) {
        return all.isEmpty() ? Optional.empty() : Optional.of(chance.pick(new ArrayList<>(all)));
    }
}

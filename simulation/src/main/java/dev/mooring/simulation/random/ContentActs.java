// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What goes wrong between the attachment of a device and its mount, just before pods want one; and a volume that comes to another claim
 * after it was recycled.
 */
final class ContentActs extends ScenesInARow {
    private static final List<String> LOOKS =
            List.of("uncertain", "uncertain", "deferred", "refused", "hang", "lie", "crash-before");
    private static final List<String> MAKINGS = List.of(
            "uncertain", "uncertain", "uncertain-applied", "refused", "crash-before", "crash-after", "crash-after");
    private static final List<String> MOUNTS =
            List.of("uncertain", "uncertain-applied", "refused", "crash-before", "crash-after");
    private static final String NFS = "kubernetes.io/nfs";
    private static final String SHARED = "vol-" + Scenes.SHARED;

    private final List<String> nodes;
    private final Ingredients ingredients;

    ContentActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        return chance.oneIn(3) ? recycled() : List.of(this::fault, this::use);
    }

    private Optional<Act> fault(Chance chance, WorldView world) {
        String driver = chance.oneIn(3) ? Texts.SIM : ingredients.driver(chance);
        int die = chance.below(10);
        return Optional.of(
                die < 5
                        ? Scenes.fault(chance, driver, "probe", chance.pick(LOOKS), 3)
                        : die < 8
                                ? Scenes.fault(chance, driver, "mkfs", chance.pick(MAKINGS), 2)
                                : Scenes.fault(chance, driver, "mount", chance.pick(MOUNTS), 2));
    }

    private Optional<Act> use(Chance chance, WorldView world) {
        int disk = chance.pick(0, Scenes.FAR, 2, Scenes.LONE);
        return switch (chance.below(4)) {
            case 0 -> Optional.of(Scenes.pair(disk, "ReadWriteOnce", false, ingredients.source(disk)));
            case 1 -> Optional.of(Scenes.claim(chance, "sim", Texts.map()));
            default ->
                Scenes.any(chance, world.claims())
                        .map(claim -> Act.apply(Texts.pod(
                                claim.metadata().namespace(),
                                claim.metadata().namespace() + "-pod-" + chance.below(10),
                                chance.pick(nodes),
                                List.of(claim.metadata().name()))));
        };
    }

    /** One claim after the other has the same share. */
    private List<ActSource> recycled() {
        return List.of(
                (chance, world) -> Optional.of(Act.of(
                                "a share for one claim",
                                Texts.map(
                                        "apply",
                                        List.of(
                                                Texts.volume(
                                                        SHARED, "3Gi", "ReadWriteMany", "Recycle", true, Texts.map()),
                                                share("first"),
                                                pod("first", chance.pick(nodes)))))
                        .thenAdvance(Duration.ofMinutes(1))),
                (chance, world) -> Optional.of(end(chance)),
                (chance, world) -> Optional.of(Act.of(
                        "the share for another claim",
                        Texts.map("apply", List.of(share("second"), pod("second", chance.pick(nodes)))))));
    }

    private static Act end(Chance chance) {
        Map<String, Object> pod = Texts.map("kind", "Pod", "namespace", Scenes.NAMESPACE, "name", "alpha-first");
        Map<String, Object> claim =
                Texts.map("kind", Scenes.CLAIM, "namespace", Scenes.NAMESPACE, "name", "alpha-first");
        String outcome = chance.pick("refused", "refused", "uncertain", "hang", "hang-applied", "crash-after");
        Map<String, Object> fault = Texts.map("plugin", NFS, "operation", "recycle", "outcome", outcome, "times", 1);
        Act end = Act.fault(
                outcome.startsWith("crash") ? FaultClass.INTERMEDIATE_STATES : FaultClass.BACKENDS,
                "who has the share goes, and it is recycled: " + outcome,
                Texts.map("fault", List.of(fault), "delete", List.of(pod, claim)));
        return chance.oneIn(2) ? end.thenAdvance(Duration.ofMinutes(1)) : end.thenWork(chance.below(20));
    }

    private static Map<String, Object> share(String name) {
        Map<String, Object> wish = Texts.map("storageClassName", "", "volumeName", SHARED);
        return Texts.claim(Scenes.NAMESPACE, "alpha-" + name, "1Gi", "ReadWriteMany", wish);
    }

    private static Map<String, Object> pod(String name, String node) {
        return Texts.pod(Scenes.NAMESPACE, "alpha-" + name, node, List.of("alpha-" + name));
    }
}

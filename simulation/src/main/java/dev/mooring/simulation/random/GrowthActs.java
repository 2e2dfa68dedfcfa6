// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Storage that is made larger by our own controllers and, of one class, by nodes in the end, while pods come and go, and what goes wrong
 * there: an expansion is begun, answered, shown and taken back in some other order than usual.
 */
final class GrowthActs extends ScenesInARow {
    /** The class whose volumes nodes have to make larger, too. */
    static final String CLASS = "disk";

    /** Who makes them. */
    static final String PLUGIN = "mooring.dev/sim-disk";

    private static final List<String> CLASSES = List.of(CLASS, CLASS, "sim");
    private static final int CLAIMS = 2;

    private final List<String> nodes;

    GrowthActs(List<String> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        return switch (chance.below(6)) {
            case 0 -> List.of(GrowthActs::claim, this::pod);
            case 1 -> List.of(GrowthActs::troubled, this::pod);
            case 2 -> List.of(GrowthActs::troubled, GrowthActs::size);
            case 3 -> List.of(GrowthActs::size, this::restart);
            case 4 -> List.of((next, world) -> fault(next), GrowthActs::size, GrowthActs::end, this::pod);
            default -> List.of(GrowthActs::claim, this::pod, GrowthActs::troubled);
        };
    }

    private static Optional<Act> claim(Chance chance, WorldView world) {
        return Optional.of(Scenes.paused(
                chance,
                Act.apply(Texts.claim(
                        Scenes.NAMESPACE,
                        "alpha-grows-" + chance.below(CLAIMS),
                        "1Gi",
                        chance.pick("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"),
                        Texts.map("storageClassName", chance.pick(CLASSES)))),
                Duration.ofSeconds(10)));
    }

    private Optional<Act> pod(Chance chance, WorldView world) {
        return Scenes.any(chance, growing(world))
                .map(claim -> Scenes.paused(
                        chance,
                        Scenes.pod(chance, nodes, claim.metadata().name()),
                        Duration.ofSeconds(chance.pick(1, 10, 60))));
    }

    /** Often more, now and then less than was asked for before. */
    private static Optional<Act> size(Chance chance, WorldView world) {
        return Scenes.any(chance, bound(world))
                .map(claim -> Scenes.paused(
                        chance,
                        asksFor(claim, chance.pick("2Gi", "3Gi", "4Gi", "5Gi", "6Gi")),
                        Duration.ofSeconds(chance.pick(1, 10, 60))));
    }

    /** More than before, and one of the calls that this leads to goes wrong. */
    private static Optional<Act> troubled(Chance chance, WorldView world) {
        return Scenes.any(chance, bound(world)).map(claim -> {
            Quantity more = claim.spec().requestedStorage().plus(Quantity.parse(chance.pick("1Gi", "2Gi")));
            boolean disk = claim.spec().storageClassName().equals(Optional.of(CLASS));
            Act fault = Scenes.fault(
                    chance,
                    disk ? PLUGIN : Texts.SIM,
                    disk && !chance.oneIn(3) ? "expand-on-node" : "expand",
                    chance.pick(FaultActs.GOES_WRONG),
                    2);
            return Scenes.troubled(asksFor(claim, more.toString()), fault)
                    .thenAdvance(Duration.ofSeconds(chance.pick(1, 10, 60)));
        });
    }

    private static Act asksFor(PersistentVolumeClaim claim, String size) {
        Map<String, Object> requests = Texts.map("requests", Texts.map("storage", size));
        return Act.patch(
                Scenes.CLAIM,
                claim.metadata().namespace(),
                claim.metadata().name(),
                false,
                Texts.map("spec", Texts.map("resources", requests)));
    }

    private static Optional<Act> end(Chance chance, WorldView world) {
        return Scenes.any(
                        chance,
                        world.pods().stream()
                                .filter(pod -> pod.metadata().namespace().equals(Scenes.NAMESPACE))
                                .toList())
                .map(pod -> Scenes.paused(
                        chance,
                        Act.delete("Pod", Scenes.NAMESPACE, pod.metadata().name(), chance.oneIn(4)),
                        Duration.ofSeconds(10)));
    }

    private Optional<Act> restart(Chance chance, WorldView world) {
        String process = chance.oneIn(2) ? "controllers" : "node/" + chance.pick(nodes);
        return Optional.of(
                Act.fault(FaultClass.INTERMEDIATE_STATES, process + " restarts", Texts.map("restart", process)));
    }

    private static Optional<Act> fault(Chance chance) {
        boolean onNode = chance.oneIn(2);
        String plugin = onNode || chance.oneIn(2) ? PLUGIN : Texts.SIM;
        return Optional.of(
                Scenes.fault(chance, plugin, onNode ? "expand-on-node" : "expand", chance.pick(FaultActs.GOES_WRONG), 3)
                        .thenWork(0));
    }

    private static List<PersistentVolumeClaim> bound(WorldView world) {
        return growing(world).stream()
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .toList();
    }

    private static List<PersistentVolumeClaim> growing(WorldView world) {
        return world.claims().stream()
                .filter(claim -> claim.metadata().namespace().equals(Scenes.NAMESPACE))
                .filter(claim -> claim.spec()
                        .storageClassName()
                        .filter(CLASSES::contains)
                        .isPresent())
                .toList();
    }

    /** What users write. */
    static Map<String, Object> storageClass() {
        return Texts.storageClass(CLASS, PLUGIN, "Immediate", false);
    }
}

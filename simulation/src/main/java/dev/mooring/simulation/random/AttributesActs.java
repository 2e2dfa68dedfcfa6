// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Classes of attributes that come, are named by claims and go again, often while they are used, and what goes wrong when storage is given
 * other attributes. Claims name one when they have storage, or from the start.
 */
final class AttributesActs extends ScenesInARow {
    private static final String KIND = "VolumeAttributesClass";
    private static final String ATTRIBUTES = "volumeAttributesClassName";

    /** One for a driver that has nothing to do with the storage. */
    private static final String FOREIGN = "foreign";

    private static final List<String> CLASSES = List.of("gold", "gold", "silver", "silver", "bronze", FOREIGN);

    /** What new claims name from the start: which of them does is no matter of chance, so that worlds of before are what they were. */
    private static final List<Map<String, Object>> FROM_THE_START =
            List.of(Texts.map(), Texts.map(ATTRIBUTES, "gold"), Texts.map(ATTRIBUTES, "silver"));

    private final List<String> nodes;

    AttributesActs(List<String> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        return switch (chance.below(7)) {
            case 0 -> List.of(AttributesActs::storage, AttributesActs::made, AttributesActs::named);
            case 1 -> List.of(AttributesActs::made, AttributesActs::named, AttributesActs::goes);
            case 2 -> List.of(AttributesActs::troubled, AttributesActs::named);
            case 3 -> List.of(AttributesActs::troubled, AttributesActs::restart);
            case 4 -> List.of(AttributesActs::goes, AttributesActs::named, AttributesActs::made);
            case 5 -> List.of(AttributesActs::troubled, AttributesActs::goes, AttributesActs::made);
            default -> List.of(AttributesActs::named, this::used);
        };
    }

    private static Optional<Act> storage(Chance chance, WorldView world) {
        int which = chance.below(FROM_THE_START.size());
        return Optional.of(Scenes.claim(Scenes.FIRST_CLAIM + which, "sim", FROM_THE_START.get(which))
                .thenAdvance(Duration.ofSeconds(10)));
    }

    /** What a class is called stands among its parameters, too. */
    static Map<String, Object> attributes(String name, String iops) {
        Map<String, Object> made = Texts.map("apiVersion", "storage.k8s.io/v1", "kind", KIND);
        made.put("metadata", Texts.map("name", name));
        made.put("driverName", name.equals(FOREIGN) ? Texts.DRIVER : Texts.SIM);
        made.put("parameters", Texts.map("tier", name, "iops", iops));
        return made;
    }

    private static Optional<Act> made(Chance chance, WorldView world) {
        return Optional.of(Scenes.paused(
                chance,
                Act.apply(attributes(chance.pick(CLASSES), chance.pick("100", "3000"))),
                Duration.ofSeconds(1)));
    }

    private static Optional<Act> goes(Chance chance, WorldView world) {
        return Optional.of(Scenes.paused(
                chance, Act.delete(KIND, "", chance.pick(CLASSES), false), Duration.ofSeconds(chance.pick(1, 60))));
    }

    private static Optional<Act> named(Chance chance, WorldView world) {
        return Scenes.any(chance, having(world))
                .map(claim -> Scenes.paused(
                        chance, names(claim, chance.pick(CLASSES)), Duration.ofSeconds(chance.pick(1, 10, 60))));
    }

    /** Another class that there is, and one of the calls that this leads to goes wrong. */
    private static Optional<Act> troubled(Chance chance, WorldView world) {
        return Scenes.any(chance, having(world)).map(claim -> {
            Optional<String> current = claim.status().currentVolumeAttributesClassName();
            String other = current.equals(Optional.of("gold")) ? "silver" : "gold";
            Act fault = Scenes.fault(chance, Texts.SIM, "modify", chance.pick(FaultActs.GOES_WRONG), 2);
            return Scenes.troubled(names(claim, other), fault).thenAdvance(Duration.ofSeconds(chance.pick(1, 10, 60)));
        });
    }

    private static Act names(PersistentVolumeClaim claim, String attributes) {
        return Act.patch(
                Scenes.CLAIM,
                claim.metadata().namespace(),
                claim.metadata().name(),
                false,
                Texts.map("spec", Texts.map(ATTRIBUTES, attributes)));
    }

    private Optional<Act> used(Chance chance, WorldView world) {
        return Scenes.any(chance, having(world))
                .map(claim -> Act.apply(Texts.pod(
                        claim.metadata().namespace(),
                        claim.metadata().namespace() + "-pod-" + chance.below(10),
                        chance.pick(nodes),
                        List.of(claim.metadata().name()))));
    }

    private static Optional<Act> restart(Chance chance, WorldView world) {
        return Optional.of(Act.fault(
                FaultClass.INTERMEDIATE_STATES, "the controllers restart", Texts.map("restart", "controllers")));
    }

    private static List<PersistentVolumeClaim> having(WorldView world) {
        return world.claims().stream()
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND
                        && claim.spec().storageClassName().equals(Optional.of("sim")))
                .toList();
    }
}

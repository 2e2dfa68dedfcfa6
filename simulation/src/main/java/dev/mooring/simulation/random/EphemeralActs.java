// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods whose claims are made for them: few names, which others take too. */
final class EphemeralActs implements ActSource {
    private static final int PODS = 3;

    private final List<String> nodes;
    private final List<String> classes;

    EphemeralActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.classes =
                ingredients.farStorage() ? List.of("sim", "far", "sim-later", "") : List.of("sim", "sim-later", "");
    }

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        int die = chance.below(10);
        if (die < 5) {
            return Optional.of(Act.apply(pod(chance)));
        } else if (die < 8) {
            return Scenes.any(
                            chance,
                            world.pods().stream()
                                    .map(ObjectKey::of)
                                    .filter(key -> key.name().startsWith("own-"))
                                    .toList())
                    .map(key -> Act.delete("Pod", key.namespace(), key.name(), chance.oneIn(3)));
        } else if (die == 8) {
            return Scenes.any(chance, made(world))
                    .map(claim -> Act.delete(
                            Scenes.CLAIM,
                            claim.metadata().namespace(),
                            claim.metadata().name(),
                            false));
        }
        return Optional.of(Act.apply(Texts.claim(
                Scenes.NAMESPACE,
                "own-" + chance.below(PODS) + "-scratch",
                "1Gi",
                "ReadWriteOnce",
                Texts.map("storageClassName", chance.pick(classes)))));
    }

    private Map<String, Object> pod(Chance chance) {
        return Texts.podWith(
                Scenes.NAMESPACE,
                "own-" + chance.below(PODS),
                chance.oneIn(3) ? "" : chance.pick(nodes),
                List.of(Texts.ephemeral(
                        "scratch",
                        chance.pick("1Gi", "2Gi"),
                        chance.pick("ReadWriteOnce", "ReadWriteOncePod"),
                        chance.pick(classes))));
    }

    private static List<PersistentVolumeClaim> made(WorldView world) {
        return world.claims().stream()
                .filter(claim -> !claim.metadata().ownerReferences().isEmpty())
                .toList();
    }
}

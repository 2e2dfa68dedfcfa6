// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What users want of storage that an external provisioner makes and an external resizer makes larger, and what goes wrong there. */
final class FarStorageActs implements ActSource {
    private static final List<String> CLASSES = List.of("far", "far", "far-later");

    @Override
    public Optional<Act> next(Chance chance, WorldView world) {
        int die = chance.below(10);
        if (die < 4) {
            return Optional.of(Act.apply(claim(chance)));
        } else if (die < 6) {
            return Scenes.any(chance, bound(world)).map(claim -> more(chance, claim));
        } else if (die == 6) {
            return Scenes.any(chance, far(world))
                    .map(claim -> Act.delete(
                            Scenes.CLAIM,
                            claim.metadata().namespace(),
                            claim.metadata().name(),
                            false));
        }
        return Optional.of(fault(chance));
    }

    private static Map<String, Object> claim(Chance chance) {
        String namespace = chance.pick("alpha", "beta");
        return Texts.claim(
                namespace,
                namespace + "-data-" + chance.below(8),
                chance.pick("1Gi", "2Gi"),
                chance.pick("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"),
                Texts.map("storageClassName", chance.pick(CLASSES)));
    }

    private static Act more(Chance chance, PersistentVolumeClaim claim) {
        return Act.patch(
                Scenes.CLAIM,
                claim.metadata().namespace(),
                claim.metadata().name(),
                false,
                Texts.map(
                        "spec",
                        Texts.map(
                                "resources",
                                Texts.map("requests", Texts.map("storage", chance.pick("2Gi", "3Gi", "4Gi", "5Gi"))))));
    }

    private static List<PersistentVolumeClaim> far(WorldView world) {
        return world.claims().stream()
                .filter(claim -> claim.spec()
                        .storageClassName()
                        .filter(CLASSES::contains)
                        .isPresent())
                .toList();
    }

    private static List<PersistentVolumeClaim> bound(WorldView world) {
        return far(world).stream()
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .toList();
    }

    private static Act fault(Chance chance) {
        String operation = chance.pick("provision", "provision", "delete", "expand");
        String outcome = chance.pick(
                "refused",
                "uncertain",
                "uncertain-applied",
                "deferred",
                "hang",
                "hang-applied",
                "twice",
                "crash-before",
                "crash-after");
        return Scenes.fault(chance, Texts.FAR, operation, outcome, 3);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.invariant.WorldView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The process of the controllers is stopped in the middle of what it does, most often for longer than its lease runs, and goes on with
 * what it had decided before, while another leads.
 */
final class PauseActs extends ScenesInARow {
    /** Its lease is its own for ten seconds, and another's after fifteen. */
    private static final List<String> LENGTHS =
            List.of("3s", "9s", "12s", "14s", "16s", "20s", "20s", "45s", "2m", "8m");

    private final List<String> nodes;
    private final Ingredients ingredients;

    PauseActs(List<String> nodes, Ingredients ingredients) {
        this.nodes = List.copyOf(nodes);
        this.ingredients = ingredients;
    }

    @Override
    List<ActSource> scenes(Chance chance) {
        ActSource stop = (any, view) -> Optional.of(stop(any));
        return chance.oneIn(2) ? List.of(this::work, stop, this::work) : List.of(this::work, stop);
    }

    /** Something of which a part is still to be done. */
    private Optional<Act> work(Chance chance, WorldView world) {
        int disk = chance.pick(Scenes.LONE, Scenes.FAR);
        Optional<Act> act = switch (chance.below(5)) {
            case 0 -> Optional.of(Scenes.pair(disk, "ReadWriteOnce", false, ingredients.source(disk)));
            case 1 -> Optional.of(Scenes.pod(chance, nodes, "alpha-data-" + disk));
            case 2 -> Optional.of(Scenes.claim(chance, "sim", Texts.map()));
            case 3 -> Scenes.newest(world).map(claim -> Act.delete(Scenes.CLAIM, Scenes.NAMESPACE, claim, false));
            default ->
                Scenes.any(chance, world.pods())
                        .map(pod -> Act.delete(
                                "Pod",
                                pod.metadata().namespace(),
                                pod.metadata().name(),
                                chance.oneIn(2)));
        };
        return act.map(found -> found.thenWork(chance.below(14)));
    }

    private static Act stop(Chance chance) {
        String length = chance.pick(LENGTHS);
        return Act.fault(
                        FaultClass.INTERMEDIATE_STATES,
                        "the leader's process stands still for " + length,
                        Texts.map("pause", length))
                .thenAdvance(Duration.ofSeconds(chance.pick(1, 8, 15, 20, 60)));
    }
}

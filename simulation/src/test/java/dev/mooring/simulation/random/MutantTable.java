// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.simulation.world.SimulatedControlPlane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints which check finds each planted bug, and in which world: {@code MOST_SEEDS [PART_OF_A_NAME...]}. Survivors come last.
 */
final class MutantTable {
    private MutantTable() {}

    public static void main(String[] args) {
        int most = Integer.parseInt(args[0]);
        List<String> survivors = new ArrayList<>();
        List<Mutant> mutants = Mutants.all().stream()
                .filter(mutant -> args.length < 2 || Arrays.stream(args).skip(1).anyMatch(mutant.name::contains))
                .toList();
        System.out.println("| planted bug | found by | worlds |\n|---|---|---|");
        for (Mutant mutant : mutants) {
            WorldReport found = firstFound(mutant, most);
            if (found.good()) {
                survivors.add(mutant.name);
            } else {
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %s | %d |%n",
                        mutant.name,
                        String.join(", ", found.rules()),
                        found.seed() + 1);
            }
        }
        survivors.forEach(name -> System.out.println("| " + name + " | **not found** | " + most + " |"));
        System.out.printf(
                Locale.ROOT,
                "%n%d of %d found (%.0f %%)%n",
                mutants.size() - survivors.size(),
                mutants.size(),
                100.0 * (mutants.size() - survivors.size()) / mutants.size());
    }

    /** The first world that is not good; the last one if all are. */
    static WorldReport firstFound(Mutant mutant, int most) {
        SimulatedControlPlane plane = new MutantPlane(WorldOptions.DEFAULT.plane(), mutant);
        WorldReport report = RandomWorld.play(0, plane, WorldOptions.DEFAULT);
        for (long seed = 1; report.good() && seed < most; seed++) {
            report = RandomWorld.play(seed, plane, WorldOptions.DEFAULT);
        }
        return report;
    }
}

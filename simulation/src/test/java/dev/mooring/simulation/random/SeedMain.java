// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.nio.file.Files;
import java.nio.file.Path;

/** Plays seeds, and writes what fails, shrunk if asked for, as scenario files: {@code FOLDER FIRST COUNT [shrink]}. */
final class SeedMain {
    private SeedMain() {}

    public static void main(String[] args) throws Exception {
        Simulation simulation = new Simulation(WorldOptions.DEFAULT);
        java.util.Map<String, Integer> seen = new java.util.TreeMap<>();
        long begin = System.nanoTime();
        long first = Long.parseLong(args[1]);
        for (long seed = first; seed < first + Long.parseLong(args[2]); seed++) {
            WorldReport report = simulation.play(seed);
            String rule = report.rules().stream().findFirst().orElse("");
            if (report.good()) {
                continue;
            }
            int count = seen.merge(rule, 1, Integer::sum);
            System.out.println(seed + " " + report.violations().get(0));
            if (count <= 1 && args.length > 3) {
                WorldReport shrunk = simulation.shrink(report);
                Files.writeString(Path.of(args[0], rule + "-" + seed + ".yaml"), simulation.scenario(shrunk));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                "%d events, %.0f per second, %s %s%n",
                simulation.events(), simulation.events() / seconds, seen, simulation.faults());
    }
}

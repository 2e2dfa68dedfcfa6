// SPDX-License-Identifier: Apache-2.0
package com.example.worlds;

import dev.mooring.simulation.invariant.Findings;
import dev.mooring.simulation.invariant.Invariant;
import dev.mooring.simulation.invariant.WorldView;
import dev.mooring.simulation.random.Simulation;
import dev.mooring.simulation.random.WorldOptions;
import dev.mooring.simulation.random.WorldReport;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;

/** A rule of one's own, held against random worlds with all their faults: no claim gets more than a hundred times what it asked for. */
public final class Worlds {
    private Worlds() {}

    /** Looks at every pair of claim and volume whenever the world has come to rest. */
    private static final class NoWaste implements Invariant {
        private static final int TOO_MUCH = 100;

        @Override
        public void atRest(WorldView world, Findings findings) {
            for (PersistentVolumeClaim claim : world.claims()) {
                world.volumes().stream()
                        .filter(volume -> volume.metadata().name().equals(claim.spec().volumeName()))
                        .filter(volume -> isTooLarge(volume, claim.spec().requestedStorage()))
                        .forEach(volume -> findings.violated(
                                "no-waste", claim.metadata().name() + " got all of " + volume.metadata().name()));
            }
        }

        private static boolean isTooLarge(PersistentVolume volume, Quantity wish) {
            return volume.spec().storage().longValue() > TOO_MUCH * wish.longValue();
        }
    }

    public static void main(String[] arguments) {
        long worlds = arguments.length > 0 ? Long.parseLong(arguments[0]) : 200;
        Simulation simulation = new Simulation(WorldOptions.DEFAULT.and(NoWaste::new));
        for (long seed = 1; seed <= worlds; seed++) {
            WorldReport report = simulation.play(seed);
            if (!report.good()) {
                WorldReport small = simulation.shrink(report);
                System.out.println("seed " + seed + ", " + small.acts().size() + " acts are enough: " + small.describe());
                System.exit(1);
            }
        }
        System.out.println(simulation.worlds() + " worlds, " + simulation.events() + " events, no violation");
    }
}

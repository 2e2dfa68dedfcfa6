// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import java.nio.file.Path;
import java.util.List;

/** A process that is stopped: lives the first half of a life until the boundary that its arguments name. Arguments: storage, directory, boundary. */
public final class CrashMain {
    private CrashMain() {}

    /** Lives it. */
    public static void main(String[] arguments) {
        Path base = Path.of(arguments[1]);
        Boundaries boundaries = Boundaries.stoppingAt(Integer.parseInt(arguments[2]), base.resolve("passed"));
        try (GuestWorld world = new GuestWorld(base, boundaries, List.of())) {
            new Life(Backends.named(arguments[0]), base).liveOfWriter(world);
        }
        System.exit(0);
    }
}

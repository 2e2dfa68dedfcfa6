// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import java.time.Duration;
import java.util.List;

/** What the stand-ins have in common. */
public final class Sidecars {
    /** The process of the external attacher. */
    public static final String ATTACHER = "attacher";

    /** The names of all. */
    public static final List<String> NAMES = List.of(ATTACHER);

    /** How long they take for what they do: sometimes nothing happens meanwhile, sometimes much. */
    private static final List<Duration> PACES =
            List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(15));

    private Sidecars() {}

    /** How long it takes to do something at a place: what is begun there at one time is through at one time. */
    static Duration pace(String place) {
        return PACES.get(Math.floorMod(place.hashCode(), PACES.size()));
    }
}

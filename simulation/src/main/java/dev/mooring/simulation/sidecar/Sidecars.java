// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.runtime.control.Controller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What the stand-ins have in common. */
public final class Sidecars {
    /** The process of the external attacher. */
    public static final String ATTACHER = "attacher";

    /** The process of the external provisioner. */
    public static final String PROVISIONER = "provisioner";

    /** The process of the external resizer. */
    public static final String RESIZER = "resizer";

    /** The names of all. */
    public static final List<String> NAMES = List.of(ATTACHER, PROVISIONER, RESIZER);

    /** How long they take for what they do: sometimes nothing happens meanwhile, sometimes much. */
    private static final List<Duration> PACES =
            List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(15));

    private Sidecars() {}

    /**
     * The programs that serve drivers from outside.
     *
     * @param drivers the names of the drivers
     * @return what makes the controllers of each, by the name of its process; empty if there are no drivers
     */
    public static Map<String, Supplier<List<Controller>>> serving(Set<String> drivers) {
        Map<String, Supplier<List<Controller>>> programs = new TreeMap<>(); // whose order decides who acts first
        if (!drivers.isEmpty()) {
            programs.put(ATTACHER, () -> List.of(new ExternalAttacher(drivers)));
            programs.put(PROVISIONER, () -> List.of(new ExternalProvisioner(drivers)));
            programs.put(RESIZER, () -> List.of(new ExternalResizer(drivers)));
        }
        return programs;
    }

    /** How long it takes to do something at a place: what is begun there at one time is through at one time. */
    static Duration pace(String place) {
        return PACES.get(Math.floorMod(place.hashCode(), PACES.size()));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.Revision;
import java.util.List;
import java.util.function.UnaryOperator;

/** Caches as a controller sees them that takes some objects for other than they are. */
final class ShownCaches {
    private ShownCaches() {}

    /** Those that are real if nothing is seen otherwise. */
    static Caches of(Caches real, UnaryOperator<KubernetesObject> seen) {
        boolean asTheyAre = real.kinds().stream()
                .flatMap(kind -> real.of(kind).all().stream())
                .allMatch(object -> seen.apply(object).equals(object));
        if (asTheyAre) {
            return real;
        }
        Caches shown = new Caches(real.kinds(), change -> {});
        real.kinds().forEach(kind -> copy(kind, real, shown, seen));
        return shown;
    }

    @SuppressWarnings("unchecked") // who sees an object otherwise leaves it its type
    private static <T extends KubernetesObject> void copy(
            Kind<T> kind, Caches real, Caches shown, UnaryOperator<KubernetesObject> seen) {
        List<T> all = real.of(kind).all().stream()
                .map(object -> (T) seen.apply(object))
                .toList();
        shown.of(kind).replace(all, Revision.ZERO);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import java.util.List;
import java.util.stream.Stream;

/** Pods, nodes, attachments and classes that are stuck. */
final class StuckSituations {
    private StuckSituations() {}

    static List<StuckSituation> all() {
        return Stream.of(StuckPods.all(), StuckPlaces.all())
                .flatMap(List::stream)
                .toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.List;
import java.util.stream.Stream;

/** The planted bugs. */
final class Mutants {
    private static final String LEADER = "leader";

    private Mutants() {}

    static List<Mutant> all() {
        return Stream.of(
                        BindingMutants.binding(),
                        ReclaimingMutants.reclaiming(),
                        ReclaimingMutants.protecting(),
                        AttachingMutants.attaching(),
                        NodeMutants.mounting(),
                        NodeMutants.formatting(),
                        GrowthMutants.growing(),
                        AttributesMutants.modifying(),
                        leading(),
                        SilentMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    /** The planted bug of this name, as {@code simulation/mutants} prints it. */
    static Mutant named(String name) {
        return all().stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
    }

    private static List<Mutant> leading() {
        return List.of(
                new Mutant(LEADER, "calls plugins in another's term") {
                    @Override
                    boolean holdsCallsBack() {
                        return false;
                    }
                },
                new Mutant(LEADER, "writes in another's term") {
                    @Override
                    boolean holdsWritesBack() {
                        return false;
                    }
                });
    }
}

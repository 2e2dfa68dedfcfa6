// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Controller;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who takes part in a control plane. */
class MooringControlPlaneTest {
    @Test
    void everyNameIsThatOfAControllerOrOfTheAgents() {
        MooringControlPlane all = new MooringControlPlane(
                SimulatedPlugins.registry(List.of(), Set.of()), Set.copyOf(MooringControlPlane.CONTROLLERS));
        List<String> names =
                new ArrayList<>(all.controllers().stream().map(Controller::name).toList());
        names.add("node");
        assertThat(names).containsExactlyInAnyOrderElementsOf(MooringControlPlane.CONTROLLERS);
    }
}

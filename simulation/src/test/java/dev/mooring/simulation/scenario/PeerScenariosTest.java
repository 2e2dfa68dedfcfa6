// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.peer.PeerPlane;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.model.Kinds;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of holes (semantics/attach-and-mount §6.2) pass with our rules, elsewhere; with the peer's they must not. */
class PeerScenariosTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hole-h1-uncertain-attachment-occupies",
                "hole-h2-a-lost-status-frees-nothing",
                "hole-h3-the-rule-survives-a-restart",
                "hole-h4-time-alone-forces-nothing",
                "hole-h5-a-taint-on-a-living-node",
                "hole-h6-the-request-to-detach-is-durable",
                "hole-h7-a-device-path-per-node",
                "hole-h8-a-deleted-node-leaves-nothing",
                "hole-h9-alternating-operations-back-off",
                "hole-h14-another-node-of-the-name",
                "hole-h16-told-again-and-detach-told-at-all",
                "hole-h17-a-stale-error-fails-nothing"
            })
    void failsWithTheRulesOfThePeer(String name) {
        ScenarioPlayer peer = new ScenarioPlayer(Kinds.standard(), PeerScenariosTest::plane, provisioner -> false);
        PlayReport report = peer.play(ScenarioFolder.path().resolve(name + ".yaml"), OptionalLong.empty());
        assertThat(report.passed()).as(TextReport.write(report)).isFalse();
    }

    private static PeerPlane plane(Set<String> controllers, Set<String> drivers) {
        Set<String> rest = new TreeSet<>(controllers);
        rest.remove("attach-detach");
        return new PeerPlane(new MooringControlPlane(SimulatedPlugins.registry(List.of(), drivers), rest));
    }
}

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
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scenarios of upstream's issues and holes (semantics/attach-and-mount §6) pass with our rules, elsewhere. With the peer's, those whose
 * rule the model has must fail, and at the step that shows it.
 */
class PeerScenariosTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hole-h1-uncertain-attachment-occupies | the pod moves while the node says that it uses the volume | S1: disk is attached to n1 and n2
            hole-h2-a-lost-status-frees-nothing | its pod goes, the node does not let go, and the status is wiped again | attach on n2: expected none
            hole-h4-time-alone-forces-nothing | even a node that is not ready | detach: expected none
            hole-h5-a-taint-on-a-living-node | somebody deletes the pod by force, but the node runs on and has the volume mounted | detach: expected none
            hole-h9-alternating-operations-back-off | it comes | attach: expected none
            hole-h14-another-node-of-the-name | another one takes its name; the storage does not answer | status.volumesAttached: expected nothing
            hole-h16-told-again-and-detach-told-at-all | its user goes, but the storage does not let go | FailedDetachVolume with 'the array is busy', actual: no event
            hole-h17-a-stale-error-fails-nothing | the controllers begin anew, and the next try has no news for long | writes: expected 0
            hole-h3-the-rule-survives-a-restart | the pod goes, the node does not let go, and the controllers begin anew | "mooring.dev/attachment-sharing":"single-node"}, actual nothing
            hole-h6-the-request-to-detach-is-durable | the controllers begin anew | "mooring.dev/detach-requested-at":"2000-01-01T00:00:01Z"}, actual nothing
            hole-h7-a-device-path-per-node | the one that came first goes | status.attachmentMetadata: expected {"attachedTo":"n2"}, actual nothing
            issue-12338-no-second-writer-after-a-partition | the node is not heard of, and its pod is deleted by force | attach on n2: expected none
            issue-28141-nothing-waits-for-a-tick | a pod comes | attach on n1: expected 1 times, actual 0 times
            issue-65392-a-dead-node-with-evidence-lets-go | somebody says that it is off | detach on n1: expected 1 times, actual 0 times
            issue-92145-another-leader-finishes-the-detach | somebody else leads, and it still hangs | S1: disk is attached to n1 and n2
            """)
    void failsWithTheRulesOfThePeer(String name, String step, String message) {
        ScenarioPlayer peer = new ScenarioPlayer(Kinds.standard(), PeerScenariosTest::plane, provisioner -> false);
        PlayReport report = peer.play(ScenarioFolder.corpus().resolve(name + ".yaml"), OptionalLong.empty());
        assertThat(report.steps())
                .as(TextReport.write(report))
                .filteredOn(played -> played.name().equals(step))
                .flatExtracting(StepReport::failures)
                .anyMatch(failure -> failure.contains(message));
    }

    private static PeerPlane plane(Set<String> controllers, Set<String> drivers, Set<String> attached) {
        Set<String> rest = new TreeSet<>(controllers);
        rest.remove("attach-detach");
        return new PeerPlane(new MooringControlPlane(SimulatedPlugins.registry(List.of(), drivers), rest, attached));
    }
}

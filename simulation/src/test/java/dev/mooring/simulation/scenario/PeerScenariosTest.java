// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.peer.PeerPlane;
import dev.mooring.simulation.random.PeerRules;
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
 * The scenarios of upstream's issues and holes (semantics/attach-and-mount §6, semantics/binder §5) pass with our rules, elsewhere. With the peer's, those whose
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
        assertFails(name, PeerScenariosTest::plane, step, message);
    }

    /** Those of binding and scheduling (semantics/binder §5), with the one rule of the peer that is to blame. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            issue-4829-one-volume-has-one-claim | binder: names the volume before it is claimed | three claims and two volumes at once, while writes conflict and answers are lost | names a volume never claimed for it
            issue-23886-a-bound-volume-that-is-deleted | pv-protection: goes by the phase | its phase is overwritten as it is deleted, and another claim waits | disk: expected to exist
            issue-25930-a-claim-that-comes-before-its-volume | binder: does not notice new volumes | a volume comes | status.phase: expected 'Bound', actual 'Pending'
            issue-30522-what-is-for-the-claim-goes-first | STRICT_PEER_MATCHING | the claim | expected 'reserved', actual 'free'
            issue-44370-a-default-class-that-comes-later | binder: does not notice new classes | a default class comes | spec.storageClassName: expected 'gold', actual nothing
            issue-48081-a-claim-that-is-not-in-the-cache | binder: confirm-claim trusts the cache | controllers that start from a list in which the claim is not yet | delete: expected none
            issue-58655-two-volumes-for-one-claim | binder: lets go at the next look | a controller of old has claimed a third one for it and died | three: status.phase: expected 'Available', actual 'Bound'
            issue-76703-a-claim-whose-pod-has-just-come | pvc-protection: list-pods trusts the cache | a pod comes, unseen by the controllers, and the claim is deleted | default/data: expected to exist
            issue-100485-the-selected-node-has-gone | scheduling | that one dies, and a third one is there | expected 'n3', actual 'n2'
            issue-111755-the-claims-of-a-pod-are-added-up | scheduling | two nodes with 100 GiB each, and a pod with two claims | selected-node: expected nothing, actual 'n1'
            issue-127240-a-claim-is-not-lost-by-an-old-cache | PEER_LOST_SEMANTICS | controllers that start from a list in which the volume is not yet | expected 'Bound', actual 'Lost'
            issue-133352-four-writes-a-pair | PEER_PHASE_ORDER | four pairs | writes: expected 16, actual 20
            issue-135127-a-conflict-costs-no-time | binder: a conflict waits for the next look | a pair, and a conflict at each of the four writes | expected 'Bound', actual 'Pending'
            issue-135771-a-bind-that-takes-too-long-selects-anew | scheduling | ten minutes are over, and the node takes no pods any more | expected 'n2', actual 'n1'
            issue-141076-attach-slots-that-are-taken-at-once | scheduling | a node that takes two disks, and three pods that begin to be placed while the disks are bound | app-3: spec.nodeName: expected nothing, actual 'n1'
            issue-142332-given-away-before-it-is-destroyed | binder: asks the cache what is released | the next try | delete: expected none
            issue-core-dump-149-the-uid-taken-from-a-claim-ref | PEER_LOST_SEMANTICS | somebody takes the uid away | expected 'Bound', actual 'Available'
            """)
    void failsWithTheRuleOfThePeersBinderThatIsToBlame(String name, String rule, String step, String message) {
        assertFails(
                name,
                (controllers, drivers, attached) -> {
                    PluginRegistry plugins = SimulatedPlugins.registry(List.of(), drivers);
                    return PeerRules.in(new MooringControlPlane(plugins, controllers, attached), plugins, rule);
                },
                step,
                message);
    }

    private static void assertFails(String name, ScenarioPlayer.Planes planes, String step, String message) {
        ScenarioPlayer peer = new ScenarioPlayer(Kinds.standard(), planes, provisioner -> false);
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

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.peer.PeerModels;
import dev.mooring.simulation.random.PeerRules;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedControlPlane;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scenarios of upstream's issues and holes (semantics/attach-and-mount §6, semantics/binder §5) pass with our rules, elsewhere. With
 * the peer's they must fail, and at the step that shows it: with the model of one of its controllers, of today or with a rule that it had
 * once, or with one of its rules put into ours. Those of bugs that were ours fail with the bug planted again.
 */
@Tag("long")
class PeerScenariosTest {
    /** The model of its attach-detach controller, with the rule that it had, if any. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            found-s12-nothing-is-attached-for-a-claim-that-has-gone | attach-detach | the first pod goes | attach on n2: expected none
            hole-h1-uncertain-attachment-occupies | attach-detach | the pod moves while the node says that it uses the volume | S1: disk is attached to n1 and n2
            hole-h2-a-lost-status-frees-nothing | attach-detach | its pod goes, the node does not let go, and the status is wiped again | attach on n2: expected none
            hole-h3-the-rule-survives-a-restart | attach-detach | the pod goes, the node does not let go, and the controllers restart | "mooring.dev/attachment-sharing":"single-node"}, actual nothing
            hole-h4-time-alone-forces-nothing | attach-detach | even a node that is not ready | detach: expected none
            hole-h5-a-taint-on-a-living-node | attach-detach | a user deletes the pod by force, but the node runs on and has the volume mounted | detach: expected none
            hole-h6-the-request-to-detach-is-durable | attach-detach | the controllers restart | "mooring.dev/detach-requested-at":"2000-01-01T00:00:01Z"}, actual nothing
            hole-h7-a-device-path-per-node | attach-detach | the one that came first goes | status.attachmentMetadata: expected {"attachedTo":"n2"}, actual nothing
            hole-h8-a-deleted-node-leaves-nothing | attach-detach | its pod goes | detach on n1: expected 1 times, actual 0 times
            hole-h9-alternating-operations-back-off | attach-detach | it comes | attach: expected none
            hole-h14-another-node-of-the-name | attach-detach | another one takes its name; the storage does not answer | status.volumesAttached: expected nothing
            hole-h16-told-again-and-detach-told-at-all | attach-detach | its user goes, but the storage does not let go | FailedDetachVolume with 'the array is busy', actual: no event
            hole-h17-a-stale-error-fails-nothing | attach-detach | the controllers restart, and the next try has no news for long | writes: expected 0
            issue-12338-no-second-writer-after-a-partition | attach-detach | the node is not heard of, and its pod is deleted by force | attach on n2: expected none
            issue-27836-a-detach-does-not-race-a-mount | attach-detach THE_NODE_IS_NOT_ASKED | it is deleted by force, and its node takes a while to unmount the volume | S2: disk was detached from n1, which uses it
            issue-28141-nothing-waits-for-a-tick | attach-detach | a pod comes | attach on n1: expected 1 times, actual 0 times
            issue-45191-a-pod-that-has-ended-needs-nothing | attach-detach PODS_THAT_ENDED_KEEP_VOLUMES | it ends | detach on n1: expected 1 times, actual 0 times
            issue-65392-a-dead-node-with-evidence-lets-go | attach-detach | an administrator says that it is off | detach on n1: expected 1 times, actual 0 times
            issue-69168-a-slow-unmount-forces-nothing | attach-detach | it moves; unmounting takes long, and the node is not heard of | detach: expected none
            issue-92145-another-leader-finishes-the-detach | attach-detach | another process leads, and it still hangs | S1: disk is attached to n1 and n2
            issue-93902-one-detach-at-a-time | attach-detach WHAT_IS_ATTACHED_IS_READ_FIRST | that pod goes too, and the detach answers | detach on n1: expected 1 times, actual 2 times
            issue-97834-an-attachment-is-seen-when-it-is-there | attach-detach | the attacher is through | status: expected {"volumesAttached":[{"name":"kubernetes.io/csi/Disk.example.com^vol-1"}]}, actual nothing
            issue-120571-what-is-being-detached-is-not-listed | attach-detach WHAT_IS_FOUND_IS_ATTACHED | the controllers restart, and a pod comes back | attach on n1: expected 1 times, actual 0 times
            """)
    void failsWithTheAttachDetachControllerOfThePeer(String name, String model, String step, String message) {
        assertFails(name, model, step, message);
    }

    /** The model of its binder, with the rule that it had, if any. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            issue-12084-a-claim-whose-volume-has-gone-says-so | binder CLAIMS_ARE_NEVER_LOST | torn | status.phase: expected 'Lost', actual 'Bound'
            issue-28002-a-start-releases-nothing | binder VOLUMES_COME_FIRST | the controllers restart | delete: expected none
            issue-43138-what-another-one-destroys-stays-released | binder CSI_IS_SOUGHT_AMONG_PLUGINS | volumes of a driver elsewhere, one provisioned by it and one made by hand | by-hand: status.phase: expected 'Released', actual 'Failed'
            issue-43592-a-volume-on-its-way-out-is-nobodys | binder | a user frees it by hand meanwhile, and a claim names it | heir: status.phase: expected 'Pending', actual 'Bound'
            issue-44372-storage-is-kept-while-nobody-knows | binder | the first creation arrives late, the others not at all | delete: expected none
            issue-53413-a-pod-with-the-recyclers-name | binder ANY_SCRUBBER_IS_BELIEVED | the claim goes, and the back-end refuses | status.phase: expected 'Failed', actual 'Available'
            issue-59942-another-volume-mode-is-told | binder MODES_ARE_NOT_TOLD | a device that was made for a claim that wants files, and a claim that names a device | VolumeMismatch with 'volumeMode', actual: no event
            issue-68391-why-a-claim-waits-is-said | binder | a volume that is too small, one of another class, and one that was used | actual: Normal FailedBinding 'no persistent volumes available
            issue-76768-a-prebound-volume-that-does-not-fit | binder | a volume of another class that is for the claim | VolumeMismatch with 'storageClassName', actual: no event
            issue-118545-released-volumes-cost-nothing | binder | a day | reads: expected 0, actual 5760: PersistentVolume c
            issue-121799-a-volume-deleted-before-its-claim | binder NOTHING_KEEPS_A_VOLUME | then the claim | expected 1 times, actual 0 times
            issue-128568-the-claim-ref-of-a-bound-volume-is-edited | binder | the volume is given to the one that waits | disk: status.phase: expected 'Bound', actual 'Available'
            issue-local-504-another-volume-of-the-name | binder RELEASED_BY_NAME | made again | recycle: expected none
            issue-provisioner-486-a-claim-that-goes-while-its-storage-is-made | binder | the claim is deleted, and the controllers restart | expected 1 times, actual 0 times
            """)
    void failsWithTheBinderOfThePeer(String name, String model, String step, String message) {
        assertFails(name, model, step, message);
    }

    /** Our controllers with the one rule of the peer that is to blame. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            issue-4829-one-volume-has-one-claim | binder: names the volume before it is claimed | three claims and two volumes at once, while writes conflict and answers are lost | names a volume never claimed for it
            issue-23886-a-bound-volume-that-is-deleted | pv-protection: goes by the phase | its phase is overwritten as it is deleted, and another claim waits | disk: expected to exist
            issue-25930-a-claim-that-comes-before-its-volume | binder: does not notice new volumes | a volume comes | status.phase: expected 'Bound', actual 'Pending'
            issue-30522-what-is-for-the-claim-goes-first | UPSTREAM_MATCHING | the claim | expected 'reserved', actual 'free'
            issue-44370-a-default-class-that-comes-later | binder: does not notice new classes | a default class comes | spec.storageClassName: expected 'gold', actual nothing
            issue-48081-a-claim-that-is-not-in-the-cache | binder: confirm-claim trusts the cache | controllers that start from a list in which the claim is not yet | delete: expected none
            issue-58655-two-volumes-for-one-claim | binder: lets go at the next look | a controller of old has claimed a third one for it and died | three: status.phase: expected 'Available', actual 'Bound'
            issue-76703-a-claim-whose-pod-has-just-come | pvc-protection: list-pods trusts the cache | a pod comes, unseen by the controllers, and the claim is deleted | default/data: expected to exist
            issue-84030-an-expansion-that-fails-is-taken-back | expansion: a target is never lowered | 10Gi is refused, and then 2Gi as well | status.allocatedResources.storage: expected '2Gi', actual '10Gi'
            issue-100485-the-selected-node-has-gone | scheduling | that one dies, and a third one is there | expected 'n3', actual 'n2'
            issue-111755-the-claims-of-a-pod-are-added-up | scheduling | two nodes with 100 GiB each, and a pod with two claims | selected-node: expected nothing, actual 'n1'
            issue-126704-many-claims-are-deleted | pvc-protection: one that is used holds up its namespace | all are deleted | default/two: expected to be absent
            issue-127240-a-claim-is-not-lost-by-an-old-cache | UPSTREAM_LOST_SEMANTICS | controllers that start from a list in which the volume is not yet | expected 'Bound', actual 'Lost'
            issue-133352-four-writes-a-pair | UPSTREAM_PHASE_ORDER | four pairs | writes: expected 16, actual 20
            issue-135127-a-conflict-costs-no-time | binder: a conflict waits for the next look | a pair, and a conflict at each of the four writes | expected 'Bound', actual 'Pending'
            issue-135771-a-bind-that-takes-too-long-selects-anew | scheduling | ten minutes are over, and the node takes no pods any more | expected 'n2', actual 'n1'
            issue-141076-attach-slots-that-are-taken-at-once | scheduling | a node that takes two disks, and three pods that begin to be placed while the disks are bound | app-3: spec.nodeName: expected nothing, actual 'n1'
            issue-142332-given-away-before-it-is-destroyed | binder: asks the cache what is released | the next try | delete: expected none
            issue-ceph-csi-4280-neither-the-object-nor-the-storage-stays | binder: the object goes before its storage | the controllers die around the mark, the call, the deletion and the finalizer | expected at least once, actual 0 times
            issue-cnpg-9980-which-step-of-a-growth-is-missing | expansion: a condition is all that is said | it grows | status.allocatedResourceStatuses
            issue-core-dump-149-the-uid-taken-from-a-claim-ref | UPSTREAM_LOST_SEMANTICS | a user takes the uid away | expected 'Bound', actual 'Available'
            """)
    void failsWithTheRuleOfThePeerThatIsToBlame(String name, String rule, String step, String message) {
        assertFails(name, rule, step, message);
    }

    /** Our agent with a rule of the peer's. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hole-h10-growth-that-may-have-happened | node: a growth without an answer has failed | its deadline is over, and the second try has no answer either | NodeResizeError
            hole-h11-what-an-agent-left-behind-is-taken-away | node: tries once to take a volume away | it goes too | unstage on n1: expected 1 times, actual 0 times
            hole-h12-what-is-mounted-is-known-after-any-crash | node: forgets its records over a restart | and in taking it away again | S2: disk was detached from n1, which uses it
            hole-h15-a-pod-whose-volume-is-missing-stops-nobody | node: looks at the modes of what has no object | and another one beside it the same | default/d: status.phase: expected 'Running', actual 'Pending'
            hole-h13-files-that-cannot-be-given-away | node: files that cannot be given away are only logged | a pod with a group, on a volume whose files cannot be given to it | status.phase: expected 'Pending', actual 'Running'
            issue-31272-one-hung-volume-holds-up-no-other | node: one call at a time | hours later another one comes | m: status.phase: expected 'Running', actual 'Pending'
            issue-51982-after-a-reboot-nothing-is-mounted | node: takes every boot for the same | it boots | publish on n1: expected 1 times, actual 0 times
            issue-89112-a-pod-that-goes-between-stage-and-publish | node: forgets what was staged for a pod that never got it | the pod goes | unstage on n1: expected 1 times, actual 0 times
            issue-96635-a-pod-that-ends-over-a-restart | node: tries once to take a volume away | it is deleted, unmounting fails, and the agent restarts | default/a: expected to be absent
            issue-101791-what-is-staged-stays-in-use | node: forgets its records over a restart | the agent restarts | attach on n2: expected none
            issue-106853-what-is-attached-late-is-mounted-at-once | node: waiting to be attached backs off | the third one has | a: status.phase: expected 'Running', actual 'Pending'
            issue-110036-one-slow-pod-holds-up-no-other | node: one pod after the other | the claim of one is missing | n: status.phase: expected 'Running', actual 'Pending'
            issue-115006-a-running-pod-whose-claim-is-not-seen | node: what cannot be read is not used | the agent restarts and sees no claim | unpublish: expected none
            """)
    void failsWithTheRuleOfThePeersNodeThatIsToBlame(String name, String rule, String step, String message) {
        assertFails(name, rule, step, message);
    }

    /** Our controllers with a fault that was ours. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            found-d15-a-refusal-proves-nothing-of-an-earlier-try | binder: a try to make storage that has no answer was none | storage is made, the answer is lost, and the next tries are refused | expected 1 times, actual 0 times
            found-i2-a-volume-deleted-before-its-claim-names-it | binder: leaves what is being deleted | faults end | I2: volume vol-4 does not follow the claim that it is claimed by
            found-i6-a-claim-that-a-volume-is-meant-for-waits-for-no-other-bind | binder: a bind that ends tells no other claim | a small claim wants it as it was, and meets a conflict | large: spec.volumeName: expected 'vol-0', actual nothing
            found-l1-three-that-wait-for-one-volume | attach-detach: waits for nodes that wait | one of the two has it | L1: disk is wanted and free, and attached nowhere
            found-l3-news-that-ends-a-back-off-does-not-end-the-tries | attach-detach: news that ends a back-off ends the tries | faults end | L3: pod alpha/alpha-pod-6 on n1 does not run
            found-l5-a-node-past-its-time-wakes-nobody | binder: waits for a time that is past | the second try hangs as well | busiest: controllers: binder: claim alpha/alpha-data-2
            found-l5-a-pod-that-has-gone-gets-no-claim-again | ephemeral: confirm-pod trusts the cache | the controllers do not hear of pods any more, and it goes | livelock
            found-l5-two-attached-by-another-one-after-the-other | attach-detach: reads again what another round has read | a pod with two disks of an external attacher | livelock
            found-n1-a-deleted-volume-without-a-claim | binder: keeps what is deleted without a word | faults end | waits to go and no event says why
            found-n1-a-detachment-waits-beside-a-pod | attach-detach: tells pods alone | another volume comes | waits to be detached and no event says why
            found-n1-an-attachment-is-deleted-while-a-call-hangs | attach-detach: tells no pod that comes during a call | faults end | waits to be detached and no event says why
            found-pp-a-pod-made-late-begins-with-no-claim | node: begins with a claim that is being deleted | a pod appears on a node | publish: expected none
            found-pp-a-uid-taken-out-does-not-free-a-volume | pv-protection: goes by the uid | a user takes the uid out of it | disk: expected to exist
            found-s1-a-late-creation-keeps-the-slot | attach-detach: a creation without an answer was none | apply Pod alpha/alpha-pod-1 | S1-slots: vol-5 has slots for [n2, n3]
            found-s1-a-late-creation-that-no-watch-shows | attach-detach: confirm-attachment trusts the cache | apply Pod alpha/alpha-pod-1 | S1-slots: vol-5 has slots for [n2, n3]
            found-s2-a-late-deletion-takes-nothing-that-is-wanted-again | attach-detach: deletes by the name alone | apply Pod alpha/alpha-pod-1 | S2: detach of vol-5 on n1 under a mount
            found-s6-an-old-list-attaches-nothing | attach-detach: confirm-attachment trusts the cache | watches of controllers: stale | S6: vol-2 is listed on n1 unconfirmed
            """)
    void failsWithTheFaultThatWasOurs(String name, String fault, String step, String message) {
        assertFails(name, fault, step, message);
    }

    /**
     * A fault that was ours and that its story shows no more: an agent follows a claim and its volume when a pod of its node names them,
     * so it reports a volume later than it did. The story must go on ending well.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            found-s7-a-pod-seen-as-it-was-before-it-had-a-node | node: a pod without a node is elsewhere
            """)
    void endsWellWithTheFaultThatWasOurs(String name, String fault) {
        PlayReport report = played(name, fault);
        assertThat(report.passed()).as(TextReport.write(report)).isTrue();
    }

    @Test
    void everyScenarioOfTheCorpusIsNamedHere() throws IOException {
        List<String> named = Arrays.stream(PeerScenariosTest.class.getDeclaredMethods())
                .flatMap(method -> Arrays.stream(method.getAnnotationsByType(CsvSource.class)))
                .flatMap(source -> source.textBlock().lines())
                .map(line -> line.substring(0, line.indexOf('|')).strip())
                .toList();
        try (Stream<Path> corpus = Files.list(ScenarioFolder.corpus())) {
            assertThat(corpus.map(file -> file.getFileName().toString())
                            .filter(file -> file.endsWith(".yaml"))
                            .map(file -> file.substring(0, file.length() - ".yaml".length())))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }

    private static PlayReport played(String name, String model) {
        ScenarioPlayer peer = new ScenarioPlayer(
                Kinds.standard(),
                (controllers, drivers, attached) -> {
                    PluginRegistry plugins = SimulatedPlugins.registry(List.of(), drivers);
                    SimulatedControlPlane ours = new MooringControlPlane(plugins, controllers, attached);
                    return PeerModels.in(ours, plugins, model).orElseGet(() -> PeerRules.in(ours, plugins, model));
                },
                provisioner -> false);
        return peer.play(ScenarioFolder.corpus().resolve(name + ".yaml"), OptionalLong.empty());
    }

    private static void assertFails(String name, String model, String step, String message) {
        PlayReport report = played(name, model);
        assertThat(report.steps())
                .as(TextReport.write(report))
                .filteredOn(played -> played.name().equals(step))
                .flatExtracting(StepReport::failures)
                .anyMatch(failure -> failure.contains(message));
    }
}

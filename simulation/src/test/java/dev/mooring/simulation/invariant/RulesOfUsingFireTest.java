// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.record.RecordEntryPublishBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.volumemanager.calls.PublishCall;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules of attaching and mounting that no planted bug breaks: each says so of a world that breaks it and no other, and of no neighbour. */
class RulesOfUsingFireTest {
    private static final PluginName PLUGIN = new PluginName("disk.example.com");
    private static final String REPORTED = "kubernetes.io/csi/disk.example.com^vol";
    private static final String DISK = "csi: {driver: disk.example.com, volumeHandle: vol}";
    private static final String SHARE = "nfs: {server: s, path: /p}";

    private final HandMadeWorld world = new HandMadeWorld();

    /** A call of which no more is looked at than what every call has. */
    private record Plain(String operation, String node) implements Call {
        @Override
        public PluginName plugin() {
            return PLUGIN;
        }

        @Override
        public String volume() {
            return "vol";
        }
    }

    private static String volume(String mode, String source) {
        return """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: vol, uid: uid-vol}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [%s]
                  claimRef: {namespace: alpha, name: pod-data, uid: uid-data}
                  %s
                status: {phase: Bound}
                """.formatted(mode, source);
    }

    private static String claim(String owner) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  namespace: alpha
                  name: pod-data
                  uid: uid-data
                  annotations: {pv.kubernetes.io/bind-completed: 'yes'}
                  ownerReferences: [%s]
                spec: {accessModes: [ReadWriteOnce], volumeName: vol}
                status: {phase: Bound}
                """.formatted(owner);
    }

    private static String pod(String namespace, String name) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %1$s, name: %2$s, uid: uid-%2$s}
                spec: {nodeName: n1, volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}
                """.formatted(namespace, name);
    }

    private static String node(String name, boolean uses, boolean lists) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, uid: uid-%s}
                status: {volumesInUse: [%s], volumesAttached: [%s]}
                """.formatted(name, name, uses ? REPORTED : "", lists ? "{name: " + REPORTED + ", devicePath: ''}" : "");
    }

    private static String slot(String node) {
        return """
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttachment
                metadata: {name: slot-%1$s, uid: uid-slot-%1$s}
                spec: {attacher: disk.example.com, nodeName: %1$s, source: {persistentVolumeName: vol}}
                status: {attached: true}
                """.formatted(node);
    }

    private PublishCall publish(String pod) {
        PodRef ref = new PodRef("alpha", pod, "uid-" + pod);
        Path target = Path.of("/pods", pod, "vol");
        VolumeSpec spec = VolumeSpec.of(world.everKnown("vol").orElseThrow()).orElseThrow();
        return new PublishCall(
                new NodeRef("n1", "uid-n1"),
                RecordEntryPublishBuilder.builder()
                        .pod(ref)
                        .podVolume("data")
                        .volume("vol")
                        .volumeId(new VolumeId(PLUGIN, "vol"))
                        .state(PluginState.NONE)
                        .target(target)
                        .phase(RecordPhase.INTENT)
                        .bootId("boot")
                        .build(),
                new PublishRequest(spec, ref, target, Optional.empty(), false, Occasion.INITIAL));
    }

    // ---- S1-writer ----

    @Test
    void aDiskThatIsMountedOnTwoNodesBreaksS1Writer() {
        world.user(volume("ReadWriteOnce", DISK))
                .user(node("n1", true, false))
                .user(node("n2", true, false))
                .attach("vol", "n1")
                .stage("vol", "n1")
                .stage("vol", "n2")
                .step();
        assertThat(world.broken()).containsExactly("S1-writer");
    }

    @Test
    void aDiskThatIsAboutToBeMountedOnASecondNodeBreaksS1Writer() {
        onItsWayToTheSecondNode().stage("vol", "n1").calls(new Plain("stage", "n2"));
        assertThat(world.broken()).containsExactly("S1-writer");
    }

    @Test
    void aDiskThatIsMountedWhereItIsAttachedIsWell() {
        onItsWayToTheSecondNode()
                .calls(new Plain("stage", "n2"))
                .stage("vol", "n2")
                .step();
        assertThat(world.broken()).isEmpty();
    }

    private HandMadeWorld onItsWayToTheSecondNode() {
        return world.user(volume("ReadWriteOnce", DISK))
                .user(slot("n2"))
                .user(node("n1", true, false))
                .user(node("n2", true, true))
                .attach("vol", "n2");
    }

    @Test
    void aDiskOfManyReadersMayBeMountedOnTwoNodes() {
        world.user(volume("ReadOnlyMany", DISK))
                .user(node("n1", true, false))
                .user(node("n2", true, false))
                .stage("vol", "n1")
                .stage("vol", "n2")
                .step();
        assertThat(world.broken()).isEmpty();
    }

    // ---- S3 ----

    @Test
    void anAttachWithoutASlotBreaksS3Intent() {
        world.user(volume("ReadWriteOnce", DISK)).user(slot("n2")).calls(new Plain("attach", "n1"));
        assertThat(world.broken()).containsExactly("S3-intent");
    }

    @Test
    void anAttachWithItsSlotIsWell() {
        world.user(volume("ReadWriteOnce", DISK)).user(slot("n1")).calls(new Plain("attach", "n1"));
        assertThat(world.broken()).isEmpty();
    }

    @Test
    void aDetachFromANodeThatListsTheVolumeBreaksS3() {
        world.user(volume("ReadWriteOnce", DISK))
                .user(slot("n1"))
                .user(node("n1", false, true))
                .calls(new Plain("detach", "n1"));
        assertThat(world.broken()).containsExactly("S3");
    }

    @Test
    void aDetachFromANodeThatHasNotBeenSeenToLetGoBreaksS3() {
        world.user(volume("ReadWriteOnce", DISK))
                .user(slot("n1"))
                .user(node("n1", true, true))
                .user(node("n1", true, false))
                .calls(new Plain("detach", "n1"));
        assertThat(world.broken()).containsExactly("S3");
    }

    @Test
    void aDetachFromANodeThatHasLetGoIsWell() {
        world.user(volume("ReadWriteOnce", DISK))
                .user(slot("n1"))
                .user(node("n1", true, true))
                .user(node("n1", false, false))
                .calls(new Plain("detach", "n1"));
        assertThat(world.broken()).isEmpty();
    }

    // ---- S9 ----

    @Test
    void aVolumeOfOnePodThatASecondOneGetsBreaksS9() {
        world.user(volume("ReadWriteOncePod", SHARE))
                .publish("vol", "n1", "uid-first")
                .calls(publish("second"));
        assertThat(world.broken()).containsExactly("S9");
    }

    @Test
    void aVolumeOfOnePodThatItGetsAgainIsWell() {
        world.user(volume("ReadWriteOncePod", SHARE))
                .publish("vol", "n1", "uid-first")
                .calls(publish("first"));
        assertThat(world.broken()).isEmpty();
    }

    // ---- E2 ----

    @Test
    void aPodThatGetsAnothersClaimInPlaceOfItsOwnBreaksE2() {
        world.user(volume("ReadWriteOnce", SHARE))
                .user(pod("alpha", "pod"))
                .user(claim(""))
                .calls(publish("pod"));
        assertThat(world.broken()).containsExactly("E2");
    }

    @Test
    void aPodThatGetsTheClaimThatWasMadeForItIsWell() {
        world.user(volume("ReadWriteOnce", SHARE))
                .user(pod("alpha", "pod"))
                .user(claim("{apiVersion: v1, kind: Pod, name: pod, uid: uid-pod, controller: true}"))
                .calls(publish("pod"));
        assertThat(world.broken()).isEmpty();
    }

    // ---- S15 ----

    private static Announcement toldOf(String other) {
        return new Announcement(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectKey.of("alpha", "pod-data"),
                "uid-data",
                true,
                "FailedAttachVolume",
                "vol is used by " + other,
                "attachdetach-controller");
    }

    @Test
    void aNameOfAnotherNamespaceInAnEventBreaksS15() {
        world.user(pod("beta", "secret")).tells(toldOf("secret"));
        assertThat(world.broken()).containsExactly("S15");
    }

    @Test
    void aNameOfOnesOwnNamespaceInAnEventIsWell() {
        world.user(pod("alpha", "secret")).tells(toldOf("secret"));
        assertThat(world.broken()).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.calls.DeleteCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules of binding and reclaiming that no planted bug breaks: each says so of a world that breaks it and no other, and of no neighbour. */
class RulesOfBindingFireTest {
    private static final PluginName PLUGIN = new PluginName("mooring.dev/sim");

    private final HandMadeWorld world = new HandMadeWorld();

    private static String claim(String name, String metadata, String spec, String phase) {
        return """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {namespace: alpha, name: %1$s, uid: uid-%1$s, %2$s}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, %3$s}
                status: {phase: %4$s}
                """.formatted(name, metadata, spec, phase);
    }

    private static String bound(String name, String volume) {
        return claim(
                name,
                "annotations: {pv.kubernetes.io/bind-completed: 'yes'}",
                "storageClassName: '', volumeName: " + volume,
                "Bound");
    }

    private static String volume(String metadata, String spec, String phase) {
        return """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: vol, uid: uid-vol, %s}
                spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], nfs: {server: s, path: /p}, %s}
                status: {phase: %s}
                """.formatted(metadata, spec, phase);
    }

    private static String claimedBy(String claim) {
        return "claimRef: {namespace: alpha, name: %1$s, uid: uid-%1$s}".formatted(claim);
    }

    private static String sized(String className, String mode) {
        return """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: mooring.dev/sim
                volumeBindingMode: %s
                """.formatted(className, mode);
    }

    private DeleteCall destroys(String uid) {
        PersistentVolume volume =
                world.find(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("vol")).orElseThrow();
        return new DeleteCall(
                PLUGIN,
                VolumeSpec.of(volume.withMetadata(volume.metadata().withUid(uid)))
                        .orElseThrow());
    }

    private static ProvisionCall makes() {
        VolumeSource source = new VolumeSource("example", Document.of(Map.of("path", "/x")));
        Quantity size = Quantity.parse("1Gi");
        ProvisionRequest request = new ProvisionRequest(
                "pvc-uid-data",
                ObjectKey.of("alpha", "data"),
                "uid-data",
                Map.of(),
                Map.of(),
                size,
                List.of(),
                VolumeMode.FILESYSTEM,
                "fast",
                Map.of(),
                Map.of(),
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.empty(),
                Map.of());
        return new ProvisionCall(
                PLUGIN, request, new VolumeTemplate(source, size, List.of(), Optional.empty(), Map.of()));
    }

    // ---- I1 ----

    @Test
    void aClaimAndItsVolumeThatAreBoundBothWaysAreWell() {
        world.user(bound("data", "vol"))
                .user(volume("", claimedBy("data"), "Bound"))
                .rest();
        assertThat(world.broken()).isEmpty();
    }

    @Test
    void aClaimThatIsBoundToAVolumeThatNamesNoClaimBreaksI1() {
        world.user(bound("data", "vol")).user(volume("", "", "Available")).rest();
        assertThat(world.broken()).containsExactly("I1");
    }

    @Test
    void aClaimThatIsBoundToNoVolumeBreaksI1() {
        world.user(bound("data", "vol")).rest();
        assertThat(world.broken()).containsExactly("I1");
    }

    @Test
    void aBoundClaimWhoseVolumeDoesNotShowItBreaksI1() {
        world.user(bound("data", "vol"))
                .user(volume("", claimedBy("data"), "Available"))
                .rest();
        assertThat(world.broken()).containsExactly("I1");
    }

    @Test
    void aBoundClaimWithoutItsMarkBreaksI1() {
        world.user(claim("data", "", "storageClassName: '', volumeName: vol", "Bound"))
                .user(volume("", claimedBy("data"), "Bound"))
                .rest();
        assertThat(world.broken()).containsExactly("I1");
    }

    @Test
    void twoClaimsOfOneVolumeBreakI1() {
        world.user(bound("data", "vol"))
                .user(bound("more", "vol"))
                .user(volume("", claimedBy("data"), "Bound"))
                .rest();
        assertThat(world.broken()).containsExactly("I1");
    }

    // ---- I9 ----

    @Test
    void aVolumeThatIsToBeKeptAndIsMarkedBreaksI9() {
        String kept = claimedBy("gone") + ", persistentVolumeReclaimPolicy: Retain";
        world.user(volume("", kept, "Released"))
                .ours(volume("annotations: {mooring.dev/reclaiming: uid-gone}", kept, "Released"));
        assertThat(world.broken()).containsExactly("I9");
    }

    private HandMadeWorld marked() {
        String spec = claimedBy("gone") + ", persistentVolumeReclaimPolicy: Delete";
        return world.user(volume("", spec, "Released"))
                .ours(volume("annotations: {mooring.dev/reclaiming: uid-gone}", spec, "Released"));
    }

    @Test
    void storageThatIsDestroyedAfterAUserSaidToKeepItBreaksI9() {
        marked().user(volume(
                        "annotations: {mooring.dev/reclaiming: uid-gone}",
                        claimedBy("gone") + ", persistentVolumeReclaimPolicy: Retain",
                        "Released"))
                .later()
                .calls(destroys("uid-vol"));
        assertThat(world.broken()).containsExactly("I9");
    }

    @Test
    void storageThatIsDestroyedAsItShallBeIsWell() {
        marked().later().calls(destroys("uid-vol"));
        assertThat(world.broken()).isEmpty();
    }

    // ---- storage that is made ----

    @Test
    void storageThatIsMadeWithoutAnIntentBreaksD15() {
        world.user(claim("data", "", "storageClassName: fast", "Pending")).calls(makes());
        assertThat(world.broken()).containsExactly("D15");
    }

    @Test
    void storageThatIsMadeWithAnIntentIsWell() {
        world.user(claim("data", "finalizers: [mooring.dev/provisioning]", "storageClassName: fast", "Pending"))
                .calls(makes());
        assertThat(world.broken()).isEmpty();
    }

    @Test
    void anIntentThatStaysOnABoundClaimBreaksD15Open() {
        world.user(claim(
                        "data",
                        "annotations: {pv.kubernetes.io/bind-completed: 'yes'}, finalizers: [mooring.dev/provisioning]",
                        "storageClassName: '', volumeName: vol",
                        "Bound"))
                .user(volume("", claimedBy("data"), "Bound"))
                .rest();
        assertThat(world.broken()).containsExactly("D15-open");
    }

    @Test
    void storageThatIsDestroyedForWantOfAVolumeThatStandsBreaksI3() {
        world.user(volume("", "", "Available")).calls(destroys(""));
        assertThat(world.broken()).containsExactly("I3-44372");
    }

    @Test
    void aClaimThatWaitsForStorageThatNoProvisionerMakesBreaksLProvision() {
        world.user(sized("fast", "Immediate"))
                .user(claim("data", "", "storageClassName: fast", "Pending"))
                .rest();
        assertThat(world.broken()).containsExactly("L-provision");
    }

    @Test
    void aClaimThatWaitsForAPodOrForAClassIsWell() {
        world.user(sized("later", "WaitForFirstConsumer"))
                .user(claim("data", "", "storageClassName: later", "Pending"))
                .user(claim("more", "", "storageClassName: unknown", "Pending"))
                .rest();
        assertThat(world.broken()).isEmpty();
    }

    // ---- claims of ephemeral volumes ----

    private static String ofPod(String uid) {
        return claim(
                "pod-data",
                "ownerReferences: [{apiVersion: v1, kind: Pod, name: pod, uid: %s, controller: true}]".formatted(uid),
                "storageClassName: unknown",
                "Pending");
    }

    private static String pod() {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: alpha, name: pod, uid: uid-pod}
                spec: {nodeName: n1, volumes: [{name: data, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}
                """;
    }

    @Test
    void aClaimWhosePodHasGoneBreaksELeft() {
        world.user(ofPod("uid-pod")).rest();
        assertThat(world.broken()).containsExactly("E-left");
    }

    @Test
    void aClaimWhosePodIsThereIsWell() {
        world.user(pod()).user(ofPod("uid-pod")).rest();
        assertThat(world.broken()).isEmpty();
    }
}

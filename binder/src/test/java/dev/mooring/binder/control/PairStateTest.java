// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What one volume and one claim come to, from every state of the links between them (semantics/binder §1.14; policy Retain). Where the
 * result differs from upstream the row says so.
 */
@Tag("long")
class PairStateTest {
    private static final String UID = "00000000-0000-4000-8000-00000000000a";
    private static final int ORDERS = 9;
    private static final String OTHER_UID = "00000000-0000-4000-8000-00000000000b";

    @ParameterizedTest(name = "claimRef {0}, volumeName {1}, bind-completed {2}: claim {3}, volume {4}")
    @CsvSource({
        // claimRef: none, name (no uid), uid (right), wrong (uid), other (claim); volumeName: none, this, other
        "none,  none,  no,  Bound,   Bound",
        "name,  none,  no,  Bound,   Bound",
        "uid,   none,  no,  Bound,   Bound",
        "wrong, none,  no,  Pending, Released",
        "other, none,  no,  Pending, Released",
        "none,  this,  no,  Bound,   Bound",
        "name,  this,  no,  Bound,   Bound",
        "uid,   this,  no,  Bound,   Bound",
        "wrong, this,  no,  Pending, Released",
        "other, this,  no,  Pending, Released",
        "gone,  this,  no,  Pending, -",
        "none,  this,  yes, Bound,   Bound",
        "name,  this,  yes, Bound,   Bound", // upstream: Lost, for ever (D7)
        "uid,   this,  yes, Bound,   Bound",
        "wrong, this,  yes, Lost,    Released",
        "other, this,  yes, Lost,    Released",
        "gone,  this,  yes, Lost,    -",
        "none,  none,  yes, Lost,    Available",
        "name,  none,  yes, Lost,    Available",
        "uid,   none,  yes, Lost,    Bound", // the volume waits for its claim to name it (SV6)
        "wrong, none,  yes, Lost,    Released",
        "other, none,  yes, Lost,    Released",
        "gone,  none,  no,  Pending, -",
        "gone,  none,  yes, Lost,    -",
        // the claim is bound to another volume
        "none,  other, no,  Bound,   Available",
        "none,  other, yes, Bound,   Available",
        "name,  other, no,  Bound,   Available",
        "name,  other, yes, Bound,   Available",
        "uid,   other, no,  Bound,   Available",
        "uid,   other, yes, Bound,   Available",
        "wrong, other, no,  Bound,   Released",
        "wrong, other, yes, Bound,   Released",
        "other, other, no,  Bound,   Released",
        "other, other, yes, Bound,   Released",
        "gone,  other, no,  Bound,   -",
        "gone,  other, yes, Bound,   -"
    })
    void comesTo(String claimRef, String volumeName, String bindCompleted, String claimPhase, String volumePhase) {
        for (int order = 0; order <= ORDERS; order++) {
            // The claim first, the volume first, or whatever chance says.
            Cluster cluster = load(claimRef, volumeName, bindCompleted.equals("yes"), order % 2 == 0);
            if (order > 1) {
                cluster.shuffled(order);
            }
            cluster.advance(Duration.ofMinutes(5));
            assertThat(cluster.claim("data").status().phase().wireName())
                    .as("order " + order)
                    .isEqualTo(claimPhase);
            assertThat(cluster.findVolume("pv")
                            .map(volume -> volume.status().phase().wireName())
                            .orElse("-"))
                    .as("order " + order)
                    .isEqualTo(volumePhase);
            int writes = cluster.writes.size();
            cluster.restart();
            cluster.settle();
            assertThat(cluster.writes).as("a settled pair is written no more").hasSize(writes);
        }
    }

    @ParameterizedTest(name = "as upstream: {0}: claim {1}")
    @CsvSource({"false, Bound", "true, Lost"})
    void d7AClaimRefWithoutUidIsTakenBackUnlessItShallBeAsUpstream(boolean asUpstream, String phase) {
        Cluster cluster = new Cluster(
                asUpstream ? BinderOptions.DEFAULT.with(BinderSwitch.UPSTREAM_LOST_SEMANTICS) : BinderOptions.DEFAULT,
                PluginRegistry.EMPTY,
                1);
        cluster.load(BinderObjects.boundTo("pv"), volume("name")).settle();
        assertThat(cluster.claim("data").status().phase().wireName()).isEqualTo(phase);
    }

    @Test
    void aClaimThatIsBeingDeletedStaysBoundUntilItHasGone() {
        Cluster cluster = load("uid", "this", true);
        cluster.load(BinderObjects.pod("web", "n1", "data")).settle();
        cluster.deleteClaim("data").settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        cluster.endPod("web").settle();
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
    }

    @Test
    void aVolumeThatIsBeingDeletedStaysBoundAndGetsNoOtherClaim() {
        Cluster cluster = load("uid", "this", true).settle();
        cluster.deleteVolume("pv").load(BinderObjects.claim("next", "1Gi")).settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.BOUND);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
        cluster.deleteClaim("data").settle();
        assertThat(cluster.findVolume("pv")).isEmpty();
        assertThat(cluster.claim("next").status().phase()).isEqualTo(ClaimPhase.PENDING);
    }

    @Test
    void aLostClaimWhoseVolumeIsItsOwnIsBoundAgain() {
        Cluster cluster = new Cluster()
                .load(BinderObjects.inPhase(BinderObjects.boundTo("pv"), ClaimPhase.LOST), volume("uid"))
                .settle();
        BindingTest.assertBound(cluster, "pv", "data");
    }

    @ParameterizedTest(name = "bound by us: {0}")
    @CsvSource({"true", "false"})
    void aVolumeOfAClaimThatIsBoundElsewhereIsLetGo(boolean byUs) {
        Cluster cluster = load("uid", "other", true);
        PersistentVolume volume = cluster.volume("pv");
        if (byUs) {
            cluster.store
                    .update(
                            Kinds.PERSISTENT_VOLUME,
                            new dev.mooring.storage.store.Change<>(
                                    volume,
                                    volume.withMetadata(
                                            volume.metadata().withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"))))
                    .orThrow();
        }
        cluster.settle();
        Optional<String> uid = cluster.volume("pv").spec().claimRef().map(ref -> ref.uid());
        assertThat(uid).isEqualTo(byUs ? Optional.empty() : Optional.of(""));
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.AVAILABLE);
    }

    private static Cluster load(String claimRef, String volumeName, boolean bindCompleted) {
        return load(claimRef, volumeName, bindCompleted, true);
    }

    private static Cluster load(String claimRef, String volumeName, boolean bindCompleted, boolean claimFirst) {
        Cluster cluster = new Cluster();
        PersistentVolumeClaim claim = BinderObjects.claim("data", "1Gi");
        claim = claim.withMetadata(claim.metadata().withUid(UID));
        if (!volumeName.equals("none")) {
            claim = BinderObjects.naming(claim, volumeName.equals("this") ? "pv" : "another");
        }
        if (bindCompleted) {
            claim = claim.withMetadata(claim.metadata().withAnnotation(Annotations.BIND_COMPLETED, "yes"));
            claim = claim.withStatus(claim.status().withPhase(ClaimPhase.BOUND));
        }
        Document claimDocument = Kinds.PERSISTENT_VOLUME_CLAIM.write(claim);
        if (claimFirst) {
            cluster.store
                    .loadDocument(Kinds.PERSISTENT_VOLUME_CLAIM, claimDocument)
                    .orThrow();
        }
        if (!claimRef.equals("gone")) {
            PersistentVolume volume = volume(claimRef);
            Document document = Kinds.PERSISTENT_VOLUME.write(volume);
            cluster.store.loadDocument(Kinds.PERSISTENT_VOLUME, document).orThrow();
        }
        if (volumeName.equals("other")) {
            PersistentVolume another = BinderObjects.claimedBy(BinderObjects.volume("another", "1Gi"), "data", UID);
            cluster.store
                    .loadDocument(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME.write(another))
                    .orThrow();
        }
        if (!claimFirst) {
            cluster.store
                    .loadDocument(Kinds.PERSISTENT_VOLUME_CLAIM, claimDocument)
                    .orThrow();
        }
        assertThat(cluster.store
                        .get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "data"))
                        .value())
                .isPresent();
        return cluster;
    }

    private static PersistentVolume volume(String claimRef) {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        volume = volume.withStatus(volume.status()
                .withPhase(
                        claimRef.equals("none") || claimRef.equals("name")
                                ? PersistentVolumePhase.AVAILABLE
                                : PersistentVolumePhase.BOUND));
        return switch (claimRef) {
            case "name" -> BinderObjects.claimedBy(volume, "data", "");
            case "uid" -> BinderObjects.claimedBy(volume, "data", UID);
            case "wrong" -> BinderObjects.claimedBy(volume, "data", OTHER_UID);
            case "other" -> BinderObjects.claimedBy(volume, "another", OTHER_UID);
            default -> volume;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.ephemeral.EphemeralClaims;
import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Effect;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.OwnerReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The claims of ephemeral volumes (semantics/binder §3.4, E1 to E5). */
class EphemeralClaimsTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static Pod pod(String name, String uid, String... volumes) {
        Document template = Document.of(Map.of(
                "metadata", Map.of("labels", Map.of("tier", "scratch"), "annotations", Map.of("a", "b")),
                "spec",
                        Map.of(
                                "accessModes", List.of("ReadWriteOnce"),
                                "storageClassName", "",
                                "resources", Map.of("requests", Map.of("storage", "1Gi")))));
        VolumeSource source =
                new VolumeSource("ephemeral", Document.of(Map.of("volumeClaimTemplate", template.asMap())));
        Pod pod = Pod.of(
                "default",
                name,
                PodSpec.EMPTY.withVolumes(Arrays.stream(volumes)
                        .map(volume -> new PodVolume(volume, Optional.of(source)))
                        .toList()));
        return pod.withMetadata(pod.metadata().withUid(uid));
    }

    private static Pod app() {
        return pod("app", BinderObjects.UID, "scratch");
    }

    private static List<String> claims(Cluster cluster) {
        return cluster.claims().stream().map(claim -> claim.metadata().name()).toList();
    }

    @Test
    void madeAsDescribedAndOwnedByThePod() {
        Cluster cluster = new Cluster().load(app()).settle();
        PersistentVolumeClaim claim = cluster.claim("app-scratch");
        assertThat(claim.metadata().ownerReferences())
                .containsExactly(new OwnerReference("v1", "Pod", "app", BinderObjects.UID, true, true));
        assertThat(claim.metadata().labels()).containsExactly(Map.entry("tier", "scratch"));
        assertThat(claim.metadata().annotations()).containsEntry("a", "b");
        assertThat(claim.spec().accessModes()).containsExactly(AccessMode.READ_WRITE_ONCE);
        assertThat(claim.spec().requestedStorage()).isEqualTo(Quantity.parse("1Gi"));
        assertThat(claim.spec().storageClassName()).contains("");
        cluster.assertAtRest();
    }

    @Test
    void allOfAPodAreMadeAtOnce() {
        Cluster cluster =
                new Cluster().load(pod("app", BinderObjects.UID, "c", "a", "b")).settle();
        assertThat(claims(cluster)).containsExactly("app-a", "app-b", "app-c");
    }

    @Test
    void theClaimOfAnotherIsToldAndNeverTaken() {
        Cluster cluster = new Cluster()
                .load(pod("a-b", BinderObjects.UID, "c"), pod("a", BinderObjects.OTHER_UID, "b-c"))
                .settle();
        assertThat(claims(cluster)).containsExactly("a-b-c");
        assertThat(cluster.news)
                .filteredOn(n ->
                        n.reason().equals("FailedBinding") && n.kind().name().equals("Pod"))
                .singleElement()
                .satisfies(n -> assertThat(n.message())
                        .matches("ephemeral volume \\S+: PVC default/a-b-c was not created for pod default/\\S+"
                                + " \\(pod is not owner\\)"));
        int told = cluster.news.size();
        cluster.advance(LONG);
        assertThat(cluster.news).as("told once").hasSize(told);
    }

    @Test
    void whenTheClaimInTheWayHasGoneThePodThatWaitedGetsItsOwn() {
        Cluster cluster =
                new Cluster().load(BinderObjects.claim("app-scratch", "5Gi")).settle();
        cluster.load(app()).settle();
        assertThat(cluster.told("FailedBinding")).isGreaterThanOrEqualTo(1);
        assertThat(cluster.claim("app-scratch").metadata().ownerReferences()).isEmpty();
        cluster.deleteClaim("app-scratch").settle();
        assertThat(cluster.claim("app-scratch").metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly(BinderObjects.UID);
    }

    /** A pod of the same name that came later does not own what its predecessor had. */
    @Test
    void theClaimOfAPredecessorIsNotTaken() {
        Cluster cluster = new Cluster().load(app()).settle();
        cluster.endPod("app").settle();
        cluster.load(pod("app", BinderObjects.OTHER_UID, "scratch")).settle();
        assertThat(cluster.claim("app-scratch").metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly(BinderObjects.UID);
        cluster.deleteClaim("app-scratch").settle();
        assertThat(cluster.claim("app-scratch").metadata().ownerReferences())
                .extracting(OwnerReference::uid)
                .containsExactly(BinderObjects.OTHER_UID);
    }

    @Test
    void aDeletedClaimIsMadeAgainButNotForAPodThatGoes() {
        Cluster cluster = new Cluster().load(app()).settle();
        String first = cluster.claim("app-scratch").metadata().uid();
        cluster.deleteClaim("app-scratch").settle();
        assertThat(cluster.claim("app-scratch").metadata().uid()).as("E5").isNotEqualTo(first);
        cluster.endPod("app").settle();
        cluster.deleteClaim("app-scratch").advance(LONG);
        assertThat(claims(cluster)).as("E4").isEmpty();
    }

    @Test
    void aRefusalIsToldAndTriedAgain() {
        Cluster cluster = new Cluster();
        cluster.fault = write ->
                write <= 3 ? Interception.refuse(Failure.FORBIDDEN, "exceeded quota: storage") : Interception.PROCEED;
        cluster.load(app()).settle();
        assertThat(claims(cluster)).isEmpty();
        cluster.advance(Duration.ofMinutes(2));
        assertThat(claims(cluster)).containsExactly("app-scratch");
        assertThat(cluster.news)
                .filteredOn(n -> n.kind().name().equals("Pod"))
                .singleElement()
                .satisfies(n -> {
                    assertThat(n.reason()).isEqualTo("FailedBinding");
                    assertThat(n.warning()).isTrue();
                    assertThat(n.message())
                            .startsWith("ephemeral volume scratch: create PVC app-scratch: ")
                            .contains("exceeded quota: storage");
                });
    }

    @Test
    void aDeathOrALostAnswerMakesNoSecondClaimAndNoFalseAlarm() {
        for (int kind = 0; kind < 3; kind++) {
            Cluster cluster = new Cluster();
            if (kind == 0) {
                cluster.diesBefore = write -> write == 1;
            } else if (kind == 1) {
                cluster.diesAfter = write -> write == 1;
            } else {
                cluster.fault = write -> write == 1 ? Interception.loseAnswer("planted") : Interception.PROCEED;
            }
            cluster.load(app()).advance(LONG);
            assertThat(cluster.claim("app-scratch").metadata().ownerReferences())
                    .as("kind %d", kind)
                    .extracting(OwnerReference::uid)
                    .containsExactly(BinderObjects.UID);
            assertThat(cluster.news)
                    .filteredOn(n -> n.message().contains("not owner"))
                    .isEmpty();
        }
    }

    /** Its pod may have gone too, and no watch shows that yet: the server is asked before the claim is made again. */
    @Test
    void aClaimThatHasGoneIsMadeAgainForAPodThatIsSurelyThere() {
        Cluster cluster = new Cluster();
        int[] reads = new int[1];
        cluster.afterRead = read -> reads[0] += read instanceof Effect.Read ? 1 : 0;
        cluster.load(app()).settle();
        assertThat(reads[0]).as("for the first").isZero();

        cluster.forbidden = effect -> effect instanceof Effect.Read<?> read && read.kind() == Kinds.POD;
        cluster.deleteClaim("app-scratch").advance(LONG);
        assertThat(claims(cluster)).isEmpty();

        cluster.forbidden = effect -> false;
        reads[0] = 0;
        cluster.advance(LONG);
        assertThat(claims(cluster)).containsExactly("app-scratch");
        assertThat(reads[0]).isEqualTo(1);
    }

    @Test
    void anEphemeralVolumeWithoutATemplateGetsNoClaim() {
        Pod pod = app();
        PodVolume bare = new PodVolume("bare", Optional.of(new VolumeSource("ephemeral", Document.empty())));
        Cluster cluster = new Cluster()
                .load(pod.withSpec(pod.spec().withVolumes(List.of(bare))))
                .settle();
        assertThat(cluster.claims()).isEmpty();
        assertThat(cluster.news).isEmpty();
    }

    // ---- what makes it look ----

    @Test
    void onlyPodsWithEphemeralVolumesAreLookedAt() {
        EphemeralClaims ephemeral = new EphemeralClaims();
        assertThat(Letters.of(ephemeral, Kinds.POD, Optional.empty(), Optional.of(app())))
                .containsExactly("recheck app");
        assertThat(Letters.of(
                        ephemeral, Kinds.POD, Optional.empty(), Optional.of(BinderObjects.pod("web", "", "data"))))
                .isEmpty();
    }

    /** A claim that goes is what a pod may have waited for; one that we took back ourselves is no reason to hurry. */
    @Test
    void aClaimWakesThePodsThatWantItForThemselvesAlone() {
        EphemeralClaims ephemeral = new EphemeralClaims();
        Letters.of(ephemeral, Kinds.POD, Optional.empty(), Optional.of(app()));
        Letters.of(ephemeral, Kinds.POD, Optional.empty(), Optional.of(BinderObjects.pod("web", "", "app-scratch")));
        Pod both = BinderObjects.pod("both", "", "app-scratch");
        List<PodVolume> volumes = new ArrayList<>(both.spec().volumes());
        volumes.addAll(app().spec().volumes());
        Pod wantsAnother = both.withSpec(both.spec().withVolumes(volumes));
        Letters.of(ephemeral, Kinds.POD, Optional.empty(), Optional.of(wantsAnother));
        Optional<PersistentVolumeClaim> claim = Optional.of(BinderObjects.claim("app-scratch", "1Gi"));
        assertThat(Letters.of(ephemeral, Kinds.PERSISTENT_VOLUME_CLAIM, Optional.empty(), claim))
                .containsExactly("recheck app");
        assertThat(Letters.of(ephemeral, Kinds.PERSISTENT_VOLUME_CLAIM, claim, Optional.empty()))
                .containsExactly("changed app");
        assertThat(Letters.of(ephemeral, Kinds.PERSISTENT_VOLUME_CLAIM, claim, Optional.empty(), Origin.OWN_WRITE))
                .containsExactly("recheck app");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VolumeRepairsTest {
    private static final Instant START = Instant.parse("2000-01-01T00:00:00Z");
    private static final ObjectReference OLD = ObjectReference.EMPTY
            .withKind("PersistentVolumeClaim")
            .withApiVersion("v1")
            .withNamespace("default")
            .withName("data")
            .withUid("old")
            .withResourceVersion("7");

    @Test
    void aReboundVolumeWaitsForTheNameAndForgetsTheUid() {
        Repair repair = repairs(volume()).rebind();

        assertThat(repair.objections()).isEmpty();
        PersistentVolume edited = repair.change().orElseThrow().edited();
        assertThat(edited.spec().claimRef()).contains(OLD.withUid("").withResourceVersion(""));
        assertThat(edited.metadata().annotation(Annotations.BOUND_BY_CONTROLLER))
                .as("the binder would take back what it believes to be its own")
                .isEmpty();
        assertThat(repair.consequences())
                .containsExactly(
                        "volume disk waits, with its data, for claim default/data",
                        "users who can create that claim in namespace default get the data, and no others");
    }

    @Test
    void aDiscardedVolumeIsFreeAndPeopleAreToldOfTheData() {
        Repair repair = repairs(volume()).discard();

        assertThat(repair.change().orElseThrow().edited().spec().claimRef()).isEmpty();
        assertThat(repair.consequences()).last().asString().contains("nothing is erased", "default/data");
    }

    /** The user who let it wait may change the decision. */
    @Test
    void aVolumeThatWaitsForAClaimThatIsNotThereCanBeDiscarded() {
        PersistentVolume waiting =
                repairs(volume()).rebind().change().orElseThrow().edited();

        Repair repair = repairs(waiting).discard();

        assertThat(repair.objections()).isEmpty();
        assertThat(repair.change().orElseThrow().edited().spec().claimRef()).isEmpty();
    }

    /** Another claim may be quicker than the one that was made again. */
    @Test
    void whoDiscardsIsToldOfAClaimThatHasTheOldName() {
        assertThat(repairs(volume(), claim("new")).discard().consequences())
                .contains(
                        "claim default/data exists again with uid new, and another claim may get the volume before it:"
                                + " adopt or --rebind gives it to this claim");
    }

    @Test
    void anAdoptedVolumeBelongsToTheClaimThatIsThereNow() {
        Repair repair = repairs(volume(), claim("new")).adopt(Optional.empty());

        assertThat(repair.objections()).isEmpty();
        assertThat(repair.change().orElseThrow().edited().spec().claimRef().map(ObjectReference::uid))
                .contains("new");
    }

    @Test
    void aVolumeThatNeverHadAClaimIsAdoptedByTheNamedOne() {
        PersistentVolume free = volume().withSpec(volume().spec().withClaimRef(Optional.empty()));

        Repair repair = repairs(free, claim("new")).adopt(Optional.of(ObjectKey.of("default", "data")));

        assertThat(repair.change().orElseThrow().edited().spec().claimRef().map(ObjectReference::name))
                .contains("data");
        assertThat(repairs(free).adopt(Optional.empty()).objections())
                .containsExactly("volume disk was never bound to a claim: name one");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void isRefusedWithTheReason(
            String objection,
            Function<VolumeRepairs, Repair> act,
            UnaryOperator<PersistentVolume> edit,
            List<KubernetesObject> others) {
        Repair repair = act.apply(repairs(edit.apply(volume()), others.toArray(KubernetesObject[]::new)));

        assertThat(repair.objections()).singleElement().asString().contains(objection);
        assertThat(repair.change()).isEmpty();
    }

    static Stream<Arguments> refusals() {
        Function<VolumeRepairs, Repair> rebind = VolumeRepairs::rebind;
        Function<VolumeRepairs, Repair> discard = VolumeRepairs::discard;
        Function<VolumeRepairs, Repair> adopt = repairs -> repairs.adopt(Optional.empty());
        UnaryOperator<PersistentVolume> same = UnaryOperator.identity();
        UnaryOperator<PersistentVolume> deleting =
                v -> v.withMetadata(v.metadata().withDeletionTimestamp(Optional.of(START)));
        UnaryOperator<PersistentVolume> marked =
                v -> v.withMetadata(v.metadata().withAnnotation(Annotations.RECLAIMING, "old"));
        UnaryOperator<PersistentVolume> disposable =
                v -> v.withSpec(v.spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        UnaryOperator<PersistentVolume> free = v -> v.withSpec(v.spec().withClaimRef(Optional.empty()));
        UnaryOperator<PersistentVolume> waiting = v -> v.withSpec(v.spec().withClaimRef(Optional.of(OLD.withUid(""))));
        UnaryOperator<PersistentVolume> both = v -> marked.apply(waiting.apply(v));
        UnaryOperator<PersistentVolume> small = v -> v.withSpec(v.spec().withStorage(Quantity.parse("1Mi")));
        List<KubernetesObject> nothing = List.of();
        PersistentVolumeClaim elsewhere =
                claim("new").withSpec(claim("new").spec().withVolumeName("other"));
        PersistentVolumeClaim going =
                claim("new").withMetadata(claim("new").metadata().withDeletionTimestamp(Optional.of(START)));
        return Stream.of(
                Arguments.of("is being deleted (metadata.deletionTimestamp)", rebind, deleting, nothing),
                Arguments.of("is being reclaimed (annotation mooring.dev/reclaiming)", rebind, marked, nothing),
                Arguments.of("spec.persistentVolumeReclaimPolicy to Retain first", rebind, disposable, nothing),
                Arguments.of("is free", rebind, free, nothing),
                Arguments.of("waits for claim default/data already", rebind, waiting, nothing),
                Arguments.of("belongs to claim default/data, which exists", rebind, same, List.of(claim("old"))),
                Arguments.of("is being reclaimed", discard, marked, nothing),
                Arguments.of("belongs to claim default/data", discard, same, List.of(claim("old"))),
                Arguments.of("pod default/app may still use", discard, same, List.of(pod(PodPhase.RUNNING))),
                Arguments.of("is attached to node n1 (VolumeAttachment va)", discard, same, List.of(attachment())),
                Arguments.of("is kept for claim default/data, which exists", discard, waiting, List.of(claim("new"))),
                Arguments.of("may still use", discard, waiting, List.of(pod(PodPhase.RUNNING))),
                Arguments.of("is attached to node n1", discard, waiting, List.of(attachment())),
                Arguments.of("is being reclaimed", discard, both, nothing),
                Arguments.of("there is no claim default/data", adopt, same, nothing),
                Arguments.of("is being reclaimed", adopt, marked, List.of(claim("new"))),
                Arguments.of("Retain first", adopt, disposable, List.of(claim("new"))),
                Arguments.of("has volume other (spec.volumeName)", adopt, same, List.of(elsewhere)),
                Arguments.of("claim default/data is being deleted", adopt, same, List.of(going)),
                Arguments.of("requested PV is too small", adopt, small, List.of(claim("new"))));
    }

    @Test
    void aClaimThatHasTheNameNowGetsTheReboundVolume() {
        assertThat(repairs(volume(), claim("new")).rebind().consequences())
                .containsExactly(
                        "volume disk waits, with its data, for claim default/data",
                        "users who can create that claim in namespace default get the data, and no others",
                        "claim default/data exists with uid new and gets it, if it has no volume yet");
    }

    @Test
    void aVolumeThatHasItsClaimIsNotGivenToAnother() {
        PersistentVolumeClaim other = claim("new").withMetadata(ObjectMeta.named("default", "other"));

        Repair repair = repairs(volume(), claim("old"), other).adopt(Optional.of(ObjectKey.of("default", "other")));

        assertThat(repair.objections())
                .singleElement()
                .asString()
                .contains("volume disk belongs to claim default/data, which exists");
        assertThat(repairs(volume(), claim("old")).adopt(Optional.empty()).objections())
                .as("it may be given to the claim that has it")
                .isEmpty();
    }

    @Test
    void podsOfTheClaimThatAdoptsTheVolumeMayRun() {
        assertThat(repairs(volume(), claim("new"), pod(PodPhase.RUNNING))
                        .adopt(Optional.empty())
                        .objections())
                .isEmpty();
    }

    @Test
    void policyDeleteIsAnObstacleOnlyIfTheClaimHasGone() {
        PersistentVolume disposable =
                volume().withSpec(volume().spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.DELETE));
        PersistentVolume waiting = disposable.withSpec(disposable.spec().withClaimRef(Optional.of(OLD.withUid(""))));
        PersistentVolume free = disposable.withSpec(disposable.spec().withClaimRef(Optional.empty()));

        assertThat(repairs(disposable, claim("old")).rebind().objections())
                .singleElement()
                .asString()
                .contains("belongs to claim");
        assertThat(repairs(waiting).rebind().objections())
                .singleElement()
                .asString()
                .contains("waits for claim");
        assertThat(repairs(free).rebind().objections())
                .singleElement()
                .asString()
                .contains("is free");
    }

    @Test
    void onlyWhoUsesThisVolumeIsAnObstacle() {
        Pod elsewhere = pod(PodPhase.RUNNING).withMetadata(ObjectMeta.named("elsewhere", "app"));
        PodVolume another = new PodVolume(
                "v",
                Optional.of(new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "another")))));
        Pod other = Pod.of("default", "other", PodSpec.EMPTY.withVolumes(List.of(another)));
        VolumeAttachmentSource source = new VolumeAttachmentSource(Optional.of("another"), Optional.empty());
        VolumeAttachment attachment = new VolumeAttachment(
                ObjectMeta.named("va"), new VolumeAttachmentSpec("iscsi", "n1", source), VolumeAttachmentStatus.EMPTY);

        assertThat(repairs(volume(), elsewhere, other, attachment).discard().objections())
                .isEmpty();
    }

    @Test
    void aPodThatHasEndedIsNoObstacle() {
        assertThat(repairs(volume(), pod(PodPhase.SUCCEEDED)).discard().objections())
                .isEmpty();
    }

    @Test
    void aVolumeInUseIsNotGivenToAnotherClaim() {
        PersistentVolumeClaim other = claim("new").withMetadata(ObjectMeta.named("default", "other"));

        Repair repair =
                repairs(volume(), other, pod(PodPhase.RUNNING)).adopt(Optional.of(ObjectKey.of("default", "other")));

        assertThat(repair.objections()).singleElement().asString().contains("pod default/app");
    }

    private static VolumeRepairs repairs(PersistentVolume volume, KubernetesObject... others) {
        List<KubernetesObject> all =
                Stream.concat(Stream.of(volume), Stream.of(others)).toList();
        return new VolumeRepairs(Snapshot.of(all, START), volume);
    }

    private static PersistentVolume volume() {
        PersistentVolume volume = PersistentVolume.of(
                "disk",
                PersistentVolumeSpec.EMPTY
                        .withStorage(Quantity.parse("1Gi"))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                        .withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)
                        .withClaimRef(Optional.of(OLD)));
        return volume.withMetadata(volume.metadata().withAnnotation(Annotations.BOUND_BY_CONTROLLER, "yes"));
    }

    private static PersistentVolumeClaim claim(String uid) {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of(
                "default",
                "data",
                PersistentVolumeClaimSpec.EMPTY
                        .withRequestedStorage(Quantity.parse("1Gi"))
                        .withStorageClassName(Optional.of(""))
                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE)));
        return claim.withMetadata(claim.metadata().withUid(uid))
                .withStatus(claim.status().withPhase(ClaimPhase.PENDING));
    }

    private static Pod pod(PodPhase phase) {
        VolumeSource source = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "data")));
        Pod pod = Pod.of("default", "app", PodSpec.EMPTY.withVolumes(List.of(new PodVolume("v", Optional.of(source)))));
        return pod.withStatus(pod.status().withPhase(phase));
    }

    private static VolumeAttachment attachment() {
        VolumeAttachmentSource source = new VolumeAttachmentSource(Optional.of("disk"), Optional.empty());
        return new VolumeAttachment(
                ObjectMeta.named("va"), new VolumeAttachmentSpec("iscsi", "n1", source), VolumeAttachmentStatus.EMPTY);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.index.Awaited;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.model.VolumeBindingMode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who is decided again when something has changed, or when something else has been decided (semantics/binder §7 D4, D18). */
class BinderWakesTest {
    private static final Key DATA = claimKey("data");
    private static final Key OTHER = claimKey("other");
    private static final Key PV = new Key(BinderController.VOLUME, ObjectKey.cluster("pv"));
    private static final Optional<ClaimState> NONE = Optional.empty();
    private static final Optional<VolumeState> AWAITS_NODE =
            Optional.of(VolumeState.NONE.at(VolumeState.Stage.AWAITS_NODE));
    private static final Optional<ClaimState> HOLDING = Optional.of(ClaimState.NONE.reserving("pv"));

    private final BinderController binder = new BinderController(BinderOptions.DEFAULT, PluginRegistry.EMPTY);
    private final Caches caches =
            new Caches(List.of(Kinds.PERSISTENT_VOLUME, Kinds.PERSISTENT_VOLUME_CLAIM), change -> {});

    private static Key claimKey(String name) {
        return new Key(BinderController.CLAIM, ObjectKey.of("default", name));
    }

    private List<String> claim(Optional<PersistentVolumeClaim> before, Optional<PersistentVolumeClaim> after) {
        return Letters.of(binder, Kinds.PERSISTENT_VOLUME_CLAIM, before, after);
    }

    private PersistentVolumeClaim there(String name) {
        PersistentVolumeClaim claim = BinderObjects.claim(name, "1Gi");
        claim(Optional.empty(), Optional.of(claim));
        return claim;
    }

    private List<String> volume(Optional<PersistentVolume> before, PersistentVolume after) {
        return Letters.of(binder, Kinds.PERSISTENT_VOLUME, before, Optional.of(after));
    }

    private static PersistentVolume pv() {
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi");
        return volume.withMetadata(
                volume.metadata().withUid(BinderObjects.OTHER_UID).withResourceVersion("1"));
    }

    private void cached(PersistentVolume volume) {
        caches.of(Kinds.PERSISTENT_VOLUME).put(volume, Origin.WATCH);
        volume(Optional.empty(), volume);
    }

    /** Decides about the volume, and says which objects that wakes. */
    private List<String> decided(Optional<VolumeState> before, Optional<VolumeState> after) {
        Situation situation = new Situation(caches, new Time(Instant.EPOCH, 0), Map.of(), List.of());
        Decision decision = binder.decide(PV, before.map(state -> state), situation);
        assertThat(decision.state().map(VolumeState.class::cast).map(state -> state.withUid("")))
                .isEqualTo(after);
        return Letters.applied(binder, PV, before, after);
    }

    private static Optional<VolumeState> offeredTo(Key claim) {
        return Optional.of(VolumeState.NONE.offering(claim.object()));
    }

    private Optional<ClaimState> waits(Key key) {
        PersistentVolumeClaim claim = there(key.object().name());
        Optional<ClaimState> waiting = Optional.of(ClaimState.NONE.waitingFor(Awaited.by(claim)));
        Letters.applied(binder, key, NONE, waiting);
        return waiting;
    }

    @Test
    void aClaimWakesTheVolumeThatItNamesOrHasNamed() {
        PersistentVolumeClaim unbound = BinderObjects.claim("data", "1Gi");
        PersistentVolumeClaim naming = BinderObjects.naming(unbound, "pv");
        assertThat(claim(Optional.empty(), Optional.of(unbound))).containsExactly("changed data");
        assertThat(claim(Optional.of(unbound), Optional.of(naming))).containsExactly("changed data", "changed pv");
        assertThat(claim(Optional.of(naming), Optional.of(unbound))).containsExactly("changed data", "changed pv");
        assertThat(claim(Optional.of(naming), Optional.empty())).containsExactly("changed data", "changed pv");
    }

    @Test
    void aVolumeWakesTheClaimThatItIsForOrWasFor() {
        there("data");
        there("other");
        PersistentVolume free = pv();
        PersistentVolume meant = BinderObjects.claimedBy(free, "data", "");
        assertThat(volume(Optional.empty(), free)).containsExactly("changed pv");
        assertThat(volume(Optional.of(free), meant)).containsExactly("changed pv", "changed data");
        assertThat(volume(Optional.of(meant), free)).containsExactly("changed pv", "changed data");
        assertThat(volume(Optional.of(meant), BinderObjects.claimedBy(free, "other", "")))
                .containsExactly("changed pv", "changed data", "changed other");
    }

    @Test
    void aVolumeWakesTheClaimThatHoldsIt() {
        there("data");
        Letters.applied(binder, DATA, NONE, HOLDING);
        assertThat(volume(Optional.empty(), pv())).containsExactly("changed pv", "changed data");
    }

    @Test
    void aBindThatGivesAVolumeUpWakesItAndTheOneThatItIsMeantFor() {
        there("data");
        there("other");
        volume(Optional.empty(), BinderObjects.claimedBy(pv(), "other", ""));
        assertThat(Letters.applied(binder, DATA, NONE, HOLDING)).isEmpty();
        assertThat(Letters.applied(binder, DATA, HOLDING, NONE)).containsExactly("recheck pv", "recheck other");
        assertThat(Letters.applied(binder, OTHER, NONE, HOLDING)).isEmpty();
        assertThat(Letters.applied(binder, OTHER, HOLDING, NONE)).containsExactly("recheck pv");
    }

    @Test
    void whoIsNextInTheQueueIsWokenByOthersAndNotByItself() {
        there("data");
        there("other");
        Optional<ClaimState> queued = Optional.of(ClaimState.NONE.queueing());
        assertThat(Letters.applied(binder, DATA, NONE, queued)).isEmpty();
        assertThat(Letters.applied(binder, OTHER, NONE, NONE)).containsExactly("recheck data");
    }

    @Test
    void aVolumeIsOfferedToOneClaimAfterTheOther() {
        Optional<ClaimState> data = waits(DATA);
        Optional<ClaimState> other = waits(OTHER);
        cached(pv());
        assertThat(decided(Optional.empty(), offeredTo(DATA))).containsExactly("recheck data");
        assertThat(Letters.applied(binder, DATA, data, data)).containsExactly("recheck pv");

        Optional<VolumeState> next =
                offeredTo(DATA).map(state -> state.afterDecline().offering(OTHER.object()));
        assertThat(decided(offeredTo(DATA), next)).containsExactly("recheck other");
        assertThat(Letters.applied(binder, OTHER, other, other)).containsExactly("recheck pv");
    }

    /** The claim is decided about while no offer stands: that is no answer to the next offer. */
    @Test
    void whatAClaimSaysToAnOfferThatWasWithdrawnIsNoAnswerToTheNextOne() {
        Optional<ClaimState> data = waits(DATA);
        there("other");
        cached(pv());
        decided(Optional.empty(), offeredTo(DATA));
        Letters.applied(binder, OTHER, NONE, HOLDING);
        decided(offeredTo(DATA), Optional.empty());
        assertThat(Letters.applied(binder, DATA, data, data)).isEmpty();
        Letters.applied(binder, OTHER, HOLDING, NONE);
        assertThat(decided(Optional.empty(), offeredTo(DATA))).containsExactly("recheck data");
    }

    /** As long as the offer stood, the volume woke the claim and the claim the volume, without end. */
    @Test
    void aVolumeThatIsTakenBackIsOfferedToNoClaimAnyMore() {
        waits(DATA);
        waits(OTHER);
        PersistentVolume kept = BinderObjects.claimedBy(
                BinderObjects.inPhase(
                        pv().withSpec(pv().spec().withPersistentVolumeReclaimPolicy(ReclaimPolicy.RETAIN)),
                        PersistentVolumePhase.RELEASED),
                "gone",
                BinderObjects.UID);
        cached(kept);
        Optional<VolumeState> offered =
                offeredTo(DATA).map(state -> state.afterDecline().offering(OTHER.object()));
        assertThat(decided(offered, Optional.empty())).isEmpty();
    }

    @Test
    void whatMatchingLooksAtIsCounted() {
        cached(pv());
        long before = binder.probes();
        assertThat(binder.preview(BinderObjects.claim("data", "1Gi"), caches)).contains("pv");
        assertThat(binder.probes()).isGreaterThan(before);
    }

    private List<String> attributes(Optional<VolumeAttributesClass> before, Optional<VolumeAttributesClass> after) {
        return Letters.of(binder, Kinds.VOLUME_ATTRIBUTES_CLASS, before, after);
    }

    @Test
    void aClassOfAttributesWakesThoseWhoWaitForItIfItMeansSomethingElse() {
        for (Key key : List.of(DATA, OTHER)) {
            Awaited awaited = Awaited.by(there(key.object().name()));
            Awaited its = key.equals(DATA) ? awaited.andAttributesClass("fast") : awaited;
            Letters.applied(binder, key, NONE, Optional.of(ClaimState.NONE.waitingFor(its)));
        }
        Optional<VolumeAttributesClass> fast =
                Optional.of(new VolumeAttributesClass(ObjectMeta.named("fast"), "x.example.com", Map.of("iops", "1")));
        Optional<VolumeAttributesClass> slow = fast.map(found -> found.withMetadata(ObjectMeta.named("slow")));
        Optional<VolumeAttributesClass> guarded =
                fast.map(found -> found.withMetadata(found.metadata().withFinalizer(Finalizers.VAC_PROTECTION)));
        Optional<VolumeAttributesClass> others = fast.map(found -> found.withDriverName("y.example.com"));
        Optional<VolumeAttributesClass> faster = others.map(found -> found.withParameters(Map.of("iops", "2")));
        assertThat(attributes(Optional.empty(), fast)).containsExactly("changed data");
        assertThat(attributes(fast, guarded)).as("a finalizer").isEmpty();
        assertThat(attributes(guarded, others)).containsExactly("changed data");
        assertThat(attributes(others, faster)).containsExactly("changed data");
        assertThat(attributes(faster, Optional.empty())).containsExactly("changed data");
        assertThat(attributes(Optional.empty(), slow)).as("another class").isEmpty();
    }

    private List<String> storageClass(Optional<StorageClass> before, Optional<StorageClass> after) {
        return Letters.of(binder, Kinds.STORAGE_CLASS, before, after);
    }

    @Test
    void aClassWakesTheClaimsThatItConcernsAndOnlyIfItMeansSomethingElse() {
        Letters.applied(
                binder,
                DATA,
                NONE,
                Optional.of(ClaimState.NONE.waitingFor(Awaited.by(BinderObjects.ofClass(there("data"), "fast")))));
        waits(OTHER);
        Optional<StorageClass> fast = Optional.of(StorageClass.of("fast", "x.example.com"));
        Optional<StorageClass> slow = Optional.of(StorageClass.of("slow", "x.example.com"));
        Optional<StorageClass> labelled =
                fast.map(found -> found.withMetadata(found.metadata().withLabels(Map.of("a", "b"))));
        Optional<StorageClass> others = fast.map(found -> found.withProvisioner("y.example.com"));
        assertThat(storageClass(Optional.empty(), slow))
                .as("a class that no claim names")
                .isEmpty();
        assertThat(storageClass(Optional.empty(), fast)).containsExactly("changed data");
        assertThat(storageClass(fast, labelled)).as("a label").isEmpty();
        assertThat(storageClass(labelled, others)).containsExactly("changed data");
        assertThat(storageClass(slow, slow.map(BinderObjects::byDefault))).containsExactly("changed other");
        assertThat(storageClass(slow.map(BinderObjects::byDefault), Optional.empty()))
                .containsExactly("changed other");
    }

    private List<String> node(Optional<Node> before, Optional<Node> after) {
        return Letters.of(binder, Kinds.NODE, before, after);
    }

    private static Node reporting(Node node, ConditionStatus ready, String message, Instant heartbeat) {
        NodeStatus status = node.status();
        return node.withStatus(status.withConditions(List.of(new Condition(
                "Ready", ready, "", message, Optional.empty(), Optional.empty(), Optional.of(heartbeat)))));
    }

    @Test
    void newsOfANodeWakeThoseThatItWasChosenForIfTheyMatter() {
        Letters.applied(
                binder,
                DATA,
                NONE,
                Optional.of(ClaimState.NONE.waitingFor(Awaited.by(there("data")).andNode("n1"))));
        volume(Optional.empty(), BinderObjects.annotated(pv(), NodeIntent.RECLAIM_ON, "n1"));
        Letters.applied(binder, PV, Optional.empty(), AWAITS_NODE);
        Optional<Node> plain = Optional.of(Node.of("n1"));
        Optional<Node> ready = plain.map(node -> reporting(node, ConditionStatus.TRUE, "", Instant.EPOCH));
        Optional<Node> later =
                ready.map(node -> reporting(node, ConditionStatus.TRUE, "busy", Instant.EPOCH.plusSeconds(300)));
        Optional<Node> annotated =
                later.map(found -> found.withMetadata(found.metadata().withAnnotation("a", "b")));
        Optional<Node> unready = later.map(node -> reporting(node, ConditionStatus.FALSE, "", Instant.EPOCH));
        Optional<Node> labelled =
                unready.map(node -> node.withMetadata(node.metadata().withLabels(Map.of("zone", "a"))));
        node(Optional.empty(), Optional.of(Node.of("n2")));
        assertThat(node(Optional.empty(), ready)).containsExactly("recheck data", "changed pv");
        assertThat(node(ready, later)).as("a heartbeat").isEmpty();
        assertThat(node(later, annotated)).isEmpty();
        assertThat(node(annotated, unready)).containsExactly("recheck data", "changed pv");
        assertThat(node(unready, labelled)).containsExactly("recheck data", "changed pv");
        assertThat(node(labelled, Optional.empty())).containsExactly("recheck data", "changed pv");
    }

    @Test
    void aNodeThatWasChosenForNoClaimWakesNothingUnlessItIsTheFirstOrTheLast() {
        Letters.applied(
                binder,
                DATA,
                NONE,
                Optional.of(ClaimState.NONE.waitingFor(Awaited.by(there("data")).andNode("n1"))));
        volume(Optional.empty(), BinderObjects.annotated(pv(), NodeIntent.PROVISION_ON, "n1"));
        Letters.applied(binder, PV, Optional.empty(), AWAITS_NODE);
        Optional<Node> two = Optional.of(Node.of("n2"));
        Optional<Node> three = Optional.of(Node.of("n3"));
        Optional<Node> labelled =
                three.map(node -> node.withMetadata(node.metadata().withLabels(Map.of("zone", "a"))));
        assertThat(node(Optional.empty(), two)).containsExactly("recheck data", "changed pv");
        assertThat(node(Optional.empty(), three)).isEmpty();
        assertThat(node(three, labelled)).isEmpty();
        assertThat(node(labelled, Optional.empty())).isEmpty();
        assertThat(node(two, Optional.empty())).containsExactly("recheck data", "changed pv");
    }

    @Test
    void aNodeOnWhichAClassAllowsStorageWakesItsClaimsOnce() {
        StorageClass zoned = BinderObjects.storageClass("fast", "x", VolumeBindingMode.IMMEDIATE)
                .withAllowedTopologies(List.of(Document.of(
                        Map.of("matchLabelExpressions", List.of(Map.of("key", "zone", "values", List.of("a")))))));
        storageClass(Optional.empty(), Optional.of(zoned));
        Letters.applied(
                binder,
                DATA,
                NONE,
                Optional.of(ClaimState.NONE.waitingFor(
                        Awaited.by(BinderObjects.ofClass(there("data"), "fast")).andSomeNode())));
        node(Optional.empty(), Optional.of(Node.of("n1")));
        Optional<Node> elsewhere = Optional.of(ready("n2", "b"));
        Optional<Node> unready = Optional.of(reporting(ready("n3", "a"), ConditionStatus.FALSE, "", Instant.EPOCH));
        Optional<Node> usable = Optional.of(ready("n3", "a"));
        assertThat(node(Optional.empty(), elsewhere)).isEmpty();
        assertThat(node(Optional.empty(), unready)).isEmpty();
        assertThat(node(unready, usable)).containsExactly("recheck data");
        assertThat(node(usable, Optional.empty())).as("no better without it").isEmpty();
    }

    private static Node ready(String name, String zone) {
        Node node = reporting(Node.of(name), ConditionStatus.TRUE, "", Instant.EPOCH);
        return node.withMetadata(node.metadata().withLabels(Map.of("zone", zone)));
    }

    /** That order decides who gets what when several compete. */
    @Test
    void claimsComeBeforeVolumesAndTheLargestFirstThenByName() {
        claim(Optional.empty(), Optional.of(BinderObjects.claim("small", "1Gi")));
        claim(Optional.empty(), Optional.of(BinderObjects.claim("large", "10Gi")));
        claim(Optional.empty(), Optional.of(BinderObjects.claim("also-small", "1024Mi")));
        assertThat(Stream.of(PV, claimKey("small"), claimKey("large"), claimKey("also-small"))
                        .sorted(Comparator.comparing(binder::rank)))
                .containsExactly(claimKey("large"), claimKey("also-small"), claimKey("small"), PV);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteVerb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Storage that lies on a node: the binder writes what shall be done, and an agent answers there ({@link NodeIntent}). The test plays
 * the agent.
 */
class NodePlaceTest extends AgentCluster {
    @Test
    void theIntentStandsOnTheVolumeAndTheClaimWaitsForTheAnswer() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        assertThat(annotation(cluster, NodeIntent.PROVISIONING)).contains(BinderObjects.UID);
        assertThat(cluster.claim("data").spec().volumeName()).isEmpty();
        int writes = cluster.writes.size();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.writes).as("no node is hurried").hasSize(writes);
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.volume(VOLUME).metadata().annotations())
                .doesNotContainKeys(NodeIntent.PROVISIONING, NodeIntent.PROVISION_ON, NodeIntent.PROVISION_RESULT);
        assertThat(cluster.told("ProvisioningSucceeded")).isEqualTo(1);
        assertThat(cluster.calls).as("nothing is called here").isEmpty();
        BinderInvariants.check(cluster);
    }

    @Test
    void aLabelShowsTheNodeItsWorkAndGoesWithIt() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        assertThat(cluster.volume(VOLUME).metadata().labels()).containsEntry(NodeIntent.WORK_ON, "n1");
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volume(VOLUME).metadata().labels()).doesNotContainKey(NodeIntent.WORK_ON);
    }

    /** As a controller of an earlier version has left it. */
    @Test
    void workWithoutALabelGetsItOnce() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.editVolume(
                        VOLUME, volume -> volume.withMetadata(volume.metadata().withLabels(Map.of())))
                .settle();
        assertThat(cluster.volume(VOLUME).metadata().labels()).containsEntry(NodeIntent.WORK_ON, "n1");
        int writes = cluster.writes.size();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.writes).hasSize(writes);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"refused", "uncertain"})
    void aFailureIsToldOnceAndAskedForAgainLater(String answer) {
        Outcome<?> failure =
                answer.equals("refused") ? Outcome.refused(Refusal.EXHAUSTED, "full") : Outcome.uncertain("time-out");
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        for (int round = 0; round < 3; round++) {
            agentAnswers(cluster, failure);
            assertThat(annotation(cluster, NodeIntent.PROVISION_RESULT)).isPresent();
            assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.PENDING);
            cluster.advance(Duration.ofMinutes(3));
        }
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        BinderInvariants.check(cluster);
    }

    @ParameterizedTest(name = "after an answer that was lost: {0}")
    @ValueSource(booleans = {false, true})
    void aNodeThatRefusesIsGivenUpIfSurelyNothingWasMadeThere(boolean inDoubt) { // X3
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        cluster.load(
                        Node.of("n1"),
                        BinderObjects.storageClass("local", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        BinderObjects.annotated(
                                BinderObjects.ofClass(BinderObjects.data(), "local"), Annotations.SELECTED_NODE, "n1"))
                .settle();
        if (inDoubt) {
            agentAnswers(cluster, Outcome.uncertain("time-out"));
            cluster.advance(Duration.ofMinutes(3));
            cluster.restart();
            cluster.settle();
        }
        agentAnswers(cluster, Outcome.refused(Refusal.EXHAUSTED, "full"));
        cluster.settle();
        assertThat(cluster.claim("data")
                        .metadata()
                        .annotation(Annotations.SELECTED_NODE)
                        .isPresent())
                .isEqualTo(inDoubt);
        assertThat(cluster.volumes()).hasSize(inDoubt ? 1 : 0);
    }

    static Stream<Death> deaths() {
        return Death.atWrites(6);
    }

    @ParameterizedTest(name = "dies {0}")
    @MethodSource("deaths")
    void endsTheSameWhereverTheProcessDies(Death death) {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        death.in(cluster);
        cluster.advance(Duration.ofMinutes(5));
        agentAnswers(cluster, Outcome.done());
        cluster.advance(Duration.ofMinutes(5));
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(cluster.volumes()).hasSize(1);
        BinderInvariants.check(cluster);
    }

    @ParameterizedTest(name = "class policy {0}")
    @EnumSource(
            value = ReclaimPolicy.class,
            names = {"DELETE", "RETAIN"})
    void aClaimThatGoesWhileTheNodeWorksLeavesNothingBehind(ReclaimPolicy policy) {
        Cluster cluster = cluster(policy).settle();
        cluster.deleteClaim("data").settle();
        assertThat(annotation(cluster, NodeIntent.PROVISIONING))
                .as("the agent is not interrupted")
                .isPresent();
        agentAnswers(cluster, Outcome.done());
        assertThat(annotation(cluster, NodeIntent.PROVISIONING)).isEmpty();
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
        assertThat(storage).isEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aClaimThatNamesTheVolumeWaitsForTheNodeToo() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.editClaim("data", c -> BinderObjects.naming(c, VOLUME)).settle();
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.PENDING);
        assertThat(cluster.claim("data").metadata().annotation(Annotations.BIND_COMPLETED))
                .isEmpty();
        cluster.annotateVolume(VOLUME, "example.com/touched", "yes").settle();
        assertThat(cluster.volume(VOLUME).status().phase()).isNotEqualTo(PersistentVolumePhase.BOUND);
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
        BinderInvariants.check(cluster);
    }

    @Test
    void aNodeThatAppearsHelpsAClaimThatWaitsForOne() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        cluster.load(
                        Node.of("n2"),
                        StorageClass.of("local", ToyPlugin.NAME),
                        BinderObjects.annotated(
                                BinderObjects.ofClass(BinderObjects.data(), "local"), Annotations.SELECTED_NODE, "n1"))
                .settle();
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
        assertThat(cluster.volumes()).isEmpty();
        cluster.load(Node.of("n1")).settle();
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains("n1");
    }

    @Test
    void aClaimWaitsForANodeThatIsReady() {
        Condition ready = new Condition(
                "Ready", ConditionStatus.TRUE, "", "", Optional.empty(), Optional.empty(), Optional.empty());
        Node node = Node.of("n1");
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        cluster.load(
                        node.withStatus(node.status().withConditions(List.of(ready.withStatus(ConditionStatus.FALSE)))),
                        StorageClass.of("local", ToyPlugin.NAME),
                        BinderObjects.ofClass(BinderObjects.data(), "local"))
                .advance(Duration.ofHours(1));
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.news)
                .singleElement()
                .satisfies(news -> assertThat(news.message()).isEqualTo("no ready node to provision on"));
        cluster.load(node.withStatus(node.status().withConditions(List.of(ready))))
                .settle();
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains("n1");
    }

    @Test
    void thePluginPlansWithTheLabelsOfTheNodeThatWasChosen() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        cluster.load(
                        labelled("n1", "a"),
                        labelled("n2", "b"),
                        StorageClass.of("local", ToyPlugin.NAME),
                        BinderObjects.annotated(
                                BinderObjects.ofClass(BinderObjects.data(), "local"), Annotations.SELECTED_NODE, "n2"))
                .settle();
        assertThat(annotation(cluster, "disk")).contains("b");
    }

    @Test
    void anIntentThatTheStoreDoesNotTakeIsWrittenAgainWithPauses() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.refused = request -> request.verb() == WriteVerb.CREATE;
        cluster.advance(Duration.ofMinutes(2));
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.writes.stream()
                        .filter(write -> write.verb() == WriteVerb.CREATE)
                        .count())
                .isBetween(2L, 15L);
        cluster.refused = request -> false;
        cluster.advance(Duration.ofMinutes(3));
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Failure.class,
            names = {"INVALID", "FORBIDDEN"})
    void aVolumeObjectThatTheStoreRefusesIsToldOnce(Failure refusal) {
        Cluster cluster = cluster(ReclaimPolicy.DELETE);
        cluster.refusal = refusal;
        cluster.refused = request -> request.verb() == WriteVerb.CREATE;
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.warning()).isTrue();
            assertThat(news.reason()).isEqualTo("ProvisioningFailed");
            assertThat(news.message()).contains("Error creating provisioned PV object for claim default/data: planted");
        });
        cluster.refused = request -> false;
        cluster.advance(Duration.ofMinutes(3));
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
    }

    @Test
    void onlyANodeThatTheClassAllowsIsChosen() {
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new ToyPlugin(Place.NODE))), 1);
        Document term = Document.of(
                Map.of("matchLabelExpressions", List.of(Map.of("key", "disk", "values", List.of("b", "c")))));
        cluster.load(
                        labelled("n1", "a"),
                        StorageClass.of("local", ToyPlugin.NAME).withAllowedTopologies(List.of(term)),
                        BinderObjects.ofClass(BinderObjects.data(), "local"))
                .settle();
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.news)
                .singleElement()
                .satisfies(news -> assertThat(news.message())
                        .isEqualTo("no ready node to provision on in the allowedTopologies of StorageClass \"local\""));
        cluster.load(labelled("n2", "b")).settle();
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains("n2");
    }

    // ---- a node that leaves the cluster ----

    private static void removeNode(Cluster cluster) {
        cluster.store
                .delete(Kinds.NODE, ObjectKey.cluster("n1"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.advance(Duration.ofHours(1));
    }

    private static boolean saysThatTheNodeIsDeleted(String message) {
        return message.contains(", was deleted") || message.contains("its data was deleted");
    }

    private static void assertToldOnce(Cluster cluster, String reason, String... texts) {
        assertThat(cluster.news)
                .filteredOn(news -> saysThatTheNodeIsDeleted(news.message()))
                .singleElement()
                .satisfies(news -> {
                    assertThat(news.reason()).isEqualTo(reason);
                    assertThat(news.warning()).isTrue();
                    assertThat(news.message()).contains(texts).contains("kubectl patch pv " + VOLUME);
                });
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aNodeThatGoesWhileItMakesStorageIsToldToTheClaimAndNothingIsMadeElsewhere() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).load(Node.of("n2")).settle();
        removeNode(cluster);
        assertToldOnce(cluster, "ProvisioningFailed", "node \"n1\", which is asked to make");
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains("n1");
        cluster.load(Node.of("n1")).settle();
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
    }

    @Test
    void aNodeIsLookedForAgainIfTheFirstLookHadNoAnswer() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.unreadable = 1;
        removeNode(cluster);
        assertThat(cluster.unreadable).isZero();
        assertToldOnce(cluster, "ProvisioningFailed", "node \"n1\", which is asked to make");
    }

    /** As the news say. */
    @Test
    void aVolumeThatPeopleTakeAwayMakesRoomForAnotherNode() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).load(Node.of("n2")).settle();
        removeNode(cluster);
        cluster.tearOutVolume(VOLUME).settle();
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains("n2");
    }

    @Test
    void aNodeThatOnlyAWrongListHidesIsNotTakenForGone() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.relistWithoutAny(Kinds.NODE).advance(Duration.ofHours(1));
        assertThat(cluster.news).noneMatch(news -> saysThatTheNodeIsDeleted(news.message()));
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
    }

    @ParameterizedTest(name = "after an answer that was lost: {0}")
    @ValueSource(booleans = {false, true})
    void anotherNodeIsChosenForOneThatRefusedAndWentIfSurelyNothingWasMadeThere(boolean inDoubt) {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).load(Node.of("n2")).settle();
        if (inDoubt) {
            agentAnswers(cluster, Outcome.uncertain("time-out"));
            cluster.advance(Duration.ofMinutes(3));
        }
        agentAnswers(cluster, Outcome.refused(Refusal.EXHAUSTED, "full"));
        removeNode(cluster);
        assertThat(annotation(cluster, NodeIntent.PROVISION_ON)).contains(inDoubt ? "n1" : "n2");
        assertThat(cluster.news)
                .filteredOn(news -> saysThatTheNodeIsDeleted(news.message()))
                .hasSize(inDoubt ? 1 : 0);
    }

    @Test
    void aNodeThatGoesWithAnAbandonedVolumeIsToldToTheVolume() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.deleteClaim("data").settle();
        removeNode(cluster);
        assertToldOnce(cluster, "VolumeFailedDelete", "The claim was deleted, and node \"n1\"");
        cluster.load(Node.of("n1")).settle();
        agentAnswers(cluster, Outcome.done());
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
    }

    private static final String ONLY_AN_AGENT =
            ", and does not answer. Only an agent on that machine can do it: \"mooring node\", or \"mooring standalone\"";

    private static List<String> unanswered(Cluster cluster) {
        return cluster.news.stream()
                .map(news -> news.message())
                .filter(message -> message.contains("does not answer"))
                .toList();
    }

    /** As where a kubelet looks after the node, and no agent of ours runs there. */
    @Test
    void anAgentThatDoesNotAnswerIsToldToWhoWaits() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.advance(Duration.ofSeconds(29));
        assertThat(unanswered(cluster)).isEmpty();
        cluster.advance(Duration.ofSeconds(2));
        assertThat(unanswered(cluster))
                .containsExactly("node \"n1\" is asked to make the storage of volume " + VOLUME + ONLY_AN_AGENT);
        agentAnswers(cluster, Outcome.done());
        cluster.deleteClaim("data").settle();
        cluster.advance(Duration.ofSeconds(29));
        assertThat(unanswered(cluster)).hasSize(1);
        cluster.advance(Duration.ofHours(1));
        assertThat(unanswered(cluster))
                .hasSize(2)
                .last()
                .isEqualTo("node \"n1\" is asked to destroy the storage of volume " + VOLUME + ONLY_AN_AGENT);
        assertThat(cluster.hasTimer()).isFalse();
        assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void anAgentThatDoesNotSayWhatItMadeForAClaimThatHasGoneIsToldToTheVolume() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        cluster.deleteClaim("data").settle();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.news)
                .filteredOn(
                        news -> news.message().startsWith("The claim was deleted, and node \"n1\" is asked to make"))
                .hasSize(1);
    }

    @Test
    void aNodeThatGoesWhileItDestroysStorageIsToldToTheVolume() {
        Cluster cluster = released();
        assertThat(annotation(cluster, NodeIntent.RECLAIM_ON)).contains("n1");
        removeNode(cluster);
        assertToldOnce(cluster, "VolumeFailedDelete", "node \"n1\", which is asked to destroy");
        assertThat(cluster.volume(VOLUME).status().phase()).isEqualTo(PersistentVolumePhase.FAILED);
        cluster.load(Node.of("n1")).settle();
        agentAnswers(cluster, Outcome.done());
        assertThat(cluster.volumes()).isEmpty();
    }

    @Test
    void aNodeThatWentBeforeItWasAskedIsNamedByWhatTheVolumeSays() {
        Cluster cluster = releasedOnDiskB(labelled("n1", "a"));
        assertToldOnce(cluster, "VolumeFailedDelete", "(disk In [b]): the node that holds its data was deleted");
    }

    @Test
    void aClaimThatIsEditedDoesNotHurryTheNode() {
        Cluster cluster = cluster(ReclaimPolicy.DELETE).settle();
        agentAnswers(cluster, Outcome.refused(Refusal.EXHAUSTED, "full"));
        cluster.editClaim("data", claim -> BinderObjects.annotated(claim, "example.com/touched", "yes"))
                .settle();
        assertThat(annotation(cluster, NodeIntent.PROVISION_RESULT)).isPresent();
        cluster.advance(Duration.ofMinutes(3));
        agentAnswers(cluster, Outcome.done());
        BindingTest.assertBound(cluster, VOLUME, "data");
    }
}

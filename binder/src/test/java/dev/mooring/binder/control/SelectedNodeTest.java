// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The node that the scheduler selected is given up when it is of no use (semantics/binder §7 D10, §1.10 PI). */
class SelectedNodeTest {
    private static final String EXTERNAL = "ebs.csi.aws.com";

    private static Cluster cluster(BinderOptions options, String provisioner) {
        Cluster cluster = new Cluster(options, new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))), 1);
        return cluster.load(BinderObjects.storageClass("wait", provisioner, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
    }

    private static PersistentVolumeClaim placed() {
        return BinderObjects.annotated(
                BinderObjects.ofClass(BinderObjects.data(), "wait"), Annotations.SELECTED_NODE, "n1");
    }

    static Node node(String name, boolean ready) {
        Condition condition = new Condition(
                "Ready",
                ready ? ConditionStatus.TRUE : ConditionStatus.FALSE,
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Node node = Node.of(name);
        return node.withStatus(node.status().withConditions(List.of(condition)));
    }

    private static Optional<String> selected(Cluster cluster) {
        return cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE);
    }

    @Test
    void aNodeThatDoesNotExistIsGivenUpAtOnce() { // #100485
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n2", true), placed()).settle();
        assertThat(selected(cluster)).isEmpty();
        assertThat(cluster.news.get(0).message()).contains("node \"n1\" not found");
        assertThat(cluster.hasTimer()).isFalse();
    }

    /** The server is asked before, and says that it is there. */
    @Test
    void aNodeThatAWrongListHidesIsKept() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n1", true), placed()).settle();
        int[] reads = new int[1];
        cluster.afterRead = read -> reads[0]++;
        cluster.relistWithoutAny(Kinds.NODE).advance(Duration.ofMinutes(30));
        assertThat(selected(cluster)).contains("n1");
        assertThat(reads[0]).as("not asked without end").isEqualTo(1);
    }

    /** A back-end of zones has to make the storage where the pod will run. */
    @Test
    void aPluginOfTheControllersIsToldTheNode() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.done(((ProvisionCall) call).plan());
        cluster.load(node("n1", true), placed()).settle();
        assertThat(cluster.calls)
                .extracting(
                        call -> ((ProvisionCall) call).request().selectedNode().map(NodeRef::name))
                .containsExactly(Optional.of("n1"));
    }

    /** Two reads, each of which is thrown away by the other, would go on for ever. */
    @Test
    void storageIsMadeForANodeThatAWrongListHides() {
        int[] reads = new int[1];
        Cluster cluster = hiding(reads);
        cluster.backend = call -> Outcome.done(((ProvisionCall) call).plan());
        cluster.load(placed()).settle();
        assertThat(cluster.calls).hasSize(1);
        assertThat(reads[0]).as("not read without end").isLessThan(10);
        assertThat(cluster.claim("data").spec().volumeName()).isNotEmpty();
    }

    @Test
    void whatBecameOfACallIsToldAlsoIfTheNodeIsHidden() {
        Cluster cluster = hiding(new int[1]);
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "the pool is full");
        cluster.load(placed()).settle();
        assertThat(cluster.news).extracting(Announcement::message).anyMatch(text -> text.contains("the pool is full"));
        assertThat(selected(cluster)).as("another node may have room").isEmpty();
    }

    /** A node {@code n1} that no list shows, though it is there, beside one that all show. */
    private static Cluster hiding(int[] reads) {
        Cluster cluster =
                cluster(BinderOptions.DEFAULT.with(BinderSwitch.SELECT_NODE_OF_ASSIGNED_PODS), ToyPlugin.NAME);
        cluster.load(node("n1", true)).settle();
        cluster.relistWithoutAny(Kinds.NODE).settle();
        cluster.load(node("n2", true)).settle();
        cluster.afterRead = read -> reads[0]++;
        return cluster;
    }

    @Test
    void anEmptyNameIsNoNode() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "the pool is full");
        cluster.load(BinderObjects.storageClass("now", ToyPlugin.NAME, VolumeBindingMode.IMMEDIATE))
                .load(BinderObjects.annotated(
                        BinderObjects.ofClass(BinderObjects.data(), "now"), Annotations.SELECTED_NODE, ""))
                .settle();
        assertThat(cluster.calls).hasSize(1);
    }

    @Test
    void aStoreWithoutNodesIsOneMachine() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(placed()).settle();
        assertThat(selected(cluster)).contains("n1");
        assertThat(cluster.told("ExternalProvisioning")).isEqualTo(1);
    }

    @Test
    void noPluginIsAskedToMakeStorageForANodeThatIsUnknown() { // PI
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "the pool of n1 is full");
        cluster.load(placed()).settle();
        assertThat(cluster.news).hasSize(1);
        assertThat(cluster.news.get(0).message()).isEqualTo("Failed to get target node: node \"n1\" not found");
        assertThat(selected(cluster)).contains("n1");
        cluster.load(node("n1", true)).settle();
        assertThat(cluster.news.get(1).message()).contains("the pool of n1 is full");
    }

    @Test
    void theLastNodeThatGoesIsGivenUpToo() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n1", true), placed()).settle();
        assertThat(selected(cluster)).contains("n1");
        cluster.store
                .delete(Kinds.NODE, ObjectKey.cluster("n1"), DeleteOptions.DEFAULT)
                .orThrow();
        cluster.settle();
        assertThat(selected(cluster)).isEmpty();
    }

    @Test
    void aNodeThatIsNotReadyIsGivenUpAfterAWhile() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n1", false), placed()).settle();
        cluster.advance(Duration.ofMinutes(9));
        assertThat(selected(cluster)).contains("n1");
        cluster.advance(Duration.ofMinutes(2));
        assertThat(selected(cluster)).isEmpty();
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aNodeThatComesBackIsKept() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n1", false), placed()).settle();
        cluster.advance(Duration.ofMinutes(9));
        cluster.load(node("n1", true)).settle();
        cluster.advance(Duration.ofHours(1));
        assertThat(selected(cluster)).contains("n1");
        assertThat(cluster.hasTimer()).isFalse();
    }

    @Test
    void aNodeThatCameBackHasAllItsTimeAgain() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, EXTERNAL);
        cluster.load(node("n1", false), placed()).settle();
        cluster.advance(Duration.ofMinutes(9)).load(node("n1", true)).settle();
        cluster.advance(Duration.ofMinutes(2)).load(node("n1", false)).settle();
        cluster.advance(Duration.ofMinutes(9));
        assertThat(selected(cluster)).contains("n1");
        cluster.advance(Duration.ofMinutes(2));
        assertThat(selected(cluster)).isEmpty();
    }

    @Test
    void withoutALimitTheNodeIsKeptForEver() {
        Cluster cluster = cluster(BinderOptions.DEFAULT.withSelectedNodeTtl(Optional.empty()), EXTERNAL);
        cluster.load(node("n1", false), placed()).settle();
        cluster.advance(Duration.ofDays(1));
        assertThat(selected(cluster)).contains("n1");
    }

    @Test
    void aRefusedProvisioningLetsTheSchedulerChooseAgain() { // PI
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.refused(Refusal.EXHAUSTED, "the pool of n1 is full");
        cluster.load(node("n1", true), placed()).settle();
        assertThat(cluster.calls).hasSize(1).first().isInstanceOf(ProvisionCall.class);
        assertThat(selected(cluster)).isEmpty();
        assertThat(cluster.told("WaitForFirstConsumer")).isEqualTo(1);
    }

    /** Plans nothing. */
    private record Unplanned(ToyPlugin toy, Refusal why) implements LikeToy, Provisioning {
        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            return Outcome.refused(why, "parameter quota is unknown");
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return Outcome.done(plan);
        }
    }

    @ParameterizedTest(name = "a plan that is refused as {0}")
    @CsvSource({"INVALID, true", "EXHAUSTED, false"})
    void aPlanThatNoNodeMendsKeepsTheNode(Refusal refusal, boolean kept) {
        StoragePlugin plugin = new Unplanned(new ToyPlugin(Place.CONTROLLER), refusal);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), 1);
        cluster.load(
                        BinderObjects.storageClass("wait", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER),
                        node("n1", true),
                        placed())
                .advance(Duration.ofHours(1));
        assertThat(selected(cluster).isPresent()).isEqualTo(kept);
        assertThat(cluster.news)
                .filteredOn(news -> news.message().contains("parameter quota is unknown"))
                .hasSize(1);
    }

    /** What only the back-end can judge is as wrong on every node, and the node would be selected and given up again without end. */
    @ParameterizedTest(name = "a call that is refused as {0}")
    @CsvSource({"INVALID, true", "EXHAUSTED, false"})
    void aCallThatNoNodeMendsKeepsTheNode(Refusal refusal, boolean kept) {
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.refused(refusal, "parameter quota is too large");
        cluster.load(node("n1", true), placed()).settle();
        assertThat(selected(cluster).isPresent()).isEqualTo(kept);
        assertThat(cluster.hasTimer()).as("it is tried again").isEqualTo(kept);
    }

    @Test
    void anUncertainProvisioningKeepsTheNode() {
        Cluster cluster = cluster(BinderOptions.DEFAULT, ToyPlugin.NAME);
        cluster.backend = call -> Outcome.uncertain("no answer");
        cluster.load(node("n1", true), placed()).settle();
        assertThat(selected(cluster)).contains("n1");
    }

    /** What may have been made there keeps the node, whose time is over: there is nothing to wake up for. */
    @Test
    void aNodeThatIsKeptPastItsTimeWakesNothing() {
        SelectedNode selected = new SelectedNode(Optional.of(Duration.ofMinutes(10)));
        ClaimState state = ClaimState.NONE.with(NodeSeen.NONE.withUnreadySince(Optional.of(0L)));
        assertThat(selected.withTimer(Decision.nothing(), state, at(Duration.ofMinutes(9)))
                        .wakeAfter())
                .contains(Duration.ofMinutes(1));
        assertThat(selected.withTimer(Decision.nothing(), state, at(Duration.ofMinutes(10)))
                        .wakeAfter())
                .isEmpty();
        Decision later = Decision.nothing().wakeAfter(Duration.ofSeconds(1));
        assertThat(selected.withTimer(later, state, at(Duration.ofMinutes(11)))).isEqualTo(later);
    }

    @ParameterizedTest(name = "a decision that waits for {0} with {1} left")
    @CsvSource({"PT30S, PT1M, PT30S", "PT5M, PT1M, PT1M"})
    void theNodesTimeAndTheDecisionsWakeWhicheverIsSooner(Duration decided, Duration left, Duration sooner) {
        SelectedNode selected = new SelectedNode(Optional.of(Duration.ofMinutes(10)));
        ClaimState state = ClaimState.NONE.with(NodeSeen.NONE.withUnreadySince(Optional.of(0L)));
        Situation situation = at(Duration.ofMinutes(10).minus(left));
        assertThat(selected.withTimer(Decision.nothing().wakeAfter(decided), state, situation)
                        .wakeAfter())
                .contains(sooner);
    }

    private static Situation at(Duration passed) {
        Time now = new Time(Instant.EPOCH.plus(passed), passed.toNanos());
        return new Situation(new Caches(Set.of(), change -> {}), now, Map.of(), List.of());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.at;
import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.control.Letters;
import dev.mooring.binder.scheduling.SchedulingWorld.Fate;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Key;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How binds and assumptions of an embedding scheduler end. */
class EmbeddedBindTest {
    private static final Node N1 = node("n1");
    private static final Node N2 = node("n2");
    private static final ObjectKey P = ObjectKey.of("default", "p");

    private SchedulingOptions options = SchedulingOptions.DEFAULT;
    private VolumeScheduling volumes = new VolumeScheduling(options);
    private SchedulingWorld world = world(3);

    private SchedulingWorld world(long seed) {
        return new SchedulingWorld(seed, () -> {
            volumes = new VolumeScheduling(options);
            return volumes.controller();
        });
    }

    /** Pod {@code p} with claim {@code c}, which an external provisioner makes a volume for, or not. */
    private void provisioned() {
        having(ofClass(claim("c", "1Gi"), "gold"), delayed("gold", "far.example.com"), pod("p", "c"));
    }

    private void having(KubernetesObject... objects) {
        world.create(N1, N2, local()).create(objects).settle();
    }

    private void assume(Pod pod, Node node) {
        assertThat(volumes.assume(pod, node, world.caches()).fits()).isTrue();
    }

    private CompletableFuture<BindOutcome> bindOn(Node node) {
        assume(world.pod("p"), node);
        return volumes.bind(P);
    }

    @Test
    void askingAgainGivesTheSameBind() {
        provisioned();
        CompletableFuture<BindOutcome> outcome = bindOn(N1);
        world.settle();
        CompletableFuture<BindOutcome> again = volumes.bind(P);
        outcome.cancel(false);
        assertThat(again)
                .as("a caller that gives up waiting does so for itself alone")
                .isNotDone();
        assertThat(volumes.revert(P)).isTrue();
        assertThat(again).isCompletedWithValue(BindOutcome.failed("reverted"));
    }

    @Test
    void aBindEndsWithItsPod() {
        provisioned();
        CompletableFuture<BindOutcome> outcome = bindOn(N1);
        world.settle();
        world.deletePod("p").settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.failed("pod default/p does not exist any more"));
        assertThat(volumes.assumedNode(P)).isEmpty();
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    void aBindTakesNoLongerThanItMay() {
        provisioned();
        CompletableFuture<BindOutcome> outcome = bindOn(N1);
        world.advance(Duration.ofSeconds(599));
        assertThat(outcome).isNotDone();
        world.advance(Duration.ofSeconds(1));
        assertThat(outcome).isCompletedWithValue(BindOutcome.failed("timed out waiting for the claims to be bound"));
        assertThat(volumes.assumedNode(P)).isEmpty();
        assertThat(world.hasTimer()).isFalse();
        assertNothingIsRemembered();
    }

    private void assertNothingIsRemembered() {
        assertThat(world.isRemembered(BindingController.NAME, new Key(BindingController.POD, P)))
                .isFalse();
    }

    @Test
    void aBindElsewhereHasNothingToDoWithTheOneBefore() {
        having(claim("c", "1Gi"), on(volume("v1", "1Gi"), "n1"), on(volume("v2", "1Gi"), "n2"), pod("p", "c"));
        world.fate = write -> Fate.UNAVAILABLE;
        CompletableFuture<BindOutcome> before = bindOn(N1);
        world.settle();
        volumes.revert(P);
        assertThat(before).isCompletedWithValue(BindOutcome.failed("reverted"));
        world.fate = write -> Fate.GOES_THROUGH;
        CompletableFuture<BindOutcome> outcome = bindOn(N2);
        world.advance(Duration.ofMinutes(1));
        assertThat(outcome).isCompletedWithValue(BindOutcome.BOUND);
        assertThat(world.claim("c").spec().volumeName()).isEqualTo("v2");
    }

    @Test
    void aBindThatIsAskedForAtOnceAfterOneThatFailedHasItsOwnTime() {
        options = options.withSelectedNodeTtl(Optional.empty());
        world = world(3);
        provisioned();
        CompletableFuture<BindOutcome> first = bindOn(N1);
        CompletableFuture<BindOutcome> again = first.thenCompose(outcome -> bindOn(N1));
        world.advance(Duration.ofMinutes(10));
        assertThat(first).isCompletedWithValue(BindOutcome.failed("timed out waiting for the claims to be bound"));
        world.advance(Duration.ofSeconds(599));
        assertThat(again).isNotDone();
        world.advance(Duration.ofSeconds(1));
        assertThat(again).isCompletedWithValue(BindOutcome.failed("timed out waiting for the claims to be bound"));
    }

    @Test
    void aBindThatIsAskedForAtOnceAfterOneThatWasRevertedHasItsOwnTime() {
        provisioned();
        CompletableFuture<BindOutcome> outcome = bindOn(N1);
        world.advance(Duration.ofSeconds(599));
        volumes.revert(P);
        assertThat(outcome).isDone();
        CompletableFuture<BindOutcome> again = bindOn(N1);
        world.advance(Duration.ofSeconds(599));
        assertThat(again).isNotDone();
    }

    @Test
    void aBindSeesWhateverOrderTheBinderWorksIn() {
        for (int seed = 0; seed < 20; seed++) {
            world = world(seed);
            provisioned();
            CompletableFuture<BindOutcome> outcome = bindOn(N1);
            world.settle();
            world.create(claimedBy(ofClass(on(volume("made", "1Gi"), "n1"), "gold"), world.claim("c")))
                    .settle();
            assertThat(outcome).as("seed %d", seed).isCompletedWithValue(BindOutcome.BOUND);
            assertNothingIsRemembered();
        }
    }

    @Test
    void whatOthersChangeEndsTheBackOffOfABindAndAnOwnWriteDoesNot() {
        provisioned();
        assertThat(bindOn(N1)).isNotDone();
        world.settle();
        Optional<Pod> pod = Optional.of(world.pod("p"));
        assertThat(Letters.of(volumes.controller(), Kinds.POD, pod, pod, Origin.WATCH))
                .containsExactly("changed p");
        assertThat(Letters.of(volumes.controller(), Kinds.POD, pod, pod, Origin.OWN_WRITE))
                .containsExactly("recheck p");
    }

    // ---- assumptions without a bind ----

    static Stream<Arguments> changes() {
        return Stream.of(
                row(
                        "it gets a label",
                        true,
                        pod -> pod.withMetadata(pod.metadata().withLabels(Map.of("a", "b")))),
                row("it runs on the node", false, pod -> at(pod, "n1")),
                row("it runs on another node", false, pod -> at(pod, "n2")),
                row("it has failed", false, pod -> pod.withStatus(pod.status().withPhase(PodPhase.FAILED))));
    }

    private static Arguments row(String what, boolean stays, UnaryOperator<Pod> edit) {
        return Arguments.of(what, stays, edit);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void anAssumptionLastsUntilThePodHasANodeOrEnds(String what, boolean stays, UnaryOperator<Pod> edit) {
        provisioned();
        Pod pod = world.pod("p");
        assume(pod, N1);
        Letters.of(volumes.controller(), Kinds.POD, Optional.of(pod), Optional.of(edit.apply(pod)));
        assertThat(volumes.assumedNode(P)).as(what).isEqualTo(stays ? Optional.of("n1") : Optional.empty());
    }

    @Test
    void anAssumptionEndsWithItsPodThoughAnotherHasItsName() {
        provisioned();
        Pod former = world.pod("p");
        world.deletePod("p").create(pod("p", "c")).settle();
        assume(former, N1);
        Pod next = world.pod("p");
        Letters.of(volumes.controller(), Kinds.POD, Optional.of(next), Optional.of(next));
        assertThat(volumes.assumedNode(P)).isEmpty();
    }

    @Test
    void aPodThatArrivesLeavesItsClaimTheSpace() {
        scarce();
        Pod q = world.pod("q");
        assume(world.pod("p"), N1);
        world.editPod("p", pod -> at(pod, "n1")).settle();
        assertThat(volumes.filter(q, N1, world.caches()).reasons()).containsExactly(VolumeBindingFilter.NO_SPACE);
    }

    @Test
    void aPodThatEndsWithoutANodeGivesItsClaimsSpaceBack() {
        scarce();
        Pod p = world.pod("p");
        assume(p, N1);
        Pod failed = p.withStatus(p.status().withPhase(PodPhase.FAILED));
        Letters.of(volumes.controller(), Kinds.POD, Optional.of(p), Optional.of(failed));
        assertThat(volumes.filter(world.pod("q"), N1, world.caches()).fits()).isTrue();
    }

    /** Space for one of two claims. */
    private void scarce() {
        having(
                delayed("gold", "far.example.com"),
                SchedulingObjects.keepingAccount("far.example.com"),
                SchedulingObjects.pool("pool", "gold", "n1", "100Gi"),
                ofClass(claim("c", "60Gi"), "gold"),
                ofClass(claim("d", "60Gi"), "gold"),
                pod("p", "c"),
                pod("q", "d"));
    }

    @Test
    void nodesThatDoNotFitAreCounted() {
        having(claim("c", "1Gi"), pod("p", "c"));
        assertThat(volumes.failures()).containsEntry(SchedulingStage.PREDICATE, 0L);
        volumes.filter(world.pod("p"), N1, world.caches());
        assertThat(volumes.failures()).containsEntry(SchedulingStage.PREDICATE, 1L);
        volumes.filter(pod("other"), N1, world.caches());
        assertThat(volumes.failures()).as("that one fits").containsEntry(SchedulingStage.PREDICATE, 1L);
    }
}

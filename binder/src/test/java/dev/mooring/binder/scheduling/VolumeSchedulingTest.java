// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.local;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The volumes' part of an embedding scheduler. */
class VolumeSchedulingTest {
    private static final Node N1 = node("n1");
    private static final Node N2 = node("n2");

    private VolumeScheduling volumes = new VolumeScheduling(SchedulingOptions.DEFAULT.withScoring(true));
    private final SchedulingWorld world = new SchedulingWorld(3, () -> {
        volumes = new VolumeScheduling(SchedulingOptions.DEFAULT.withScoring(true));
        return volumes.controller();
    });

    private Pod having(String name, String... claims) {
        world.create(pod(name, claims)).settle();
        return world.pod(name);
    }

    private void having(KubernetesObject... objects) {
        world.create(N1, N2, local()).create(objects).settle();
    }

    private static ObjectKey key(String pod) {
        return ObjectKey.of("default", pod);
    }

    private NodeFit assume(Pod pod, Node node) {
        return volumes.assume(pod, node, world.caches());
    }

    @Test
    void whatIsAssumedIsTakenAtOnce() {
        having(claim("c", "1Gi"), claim("d", "1Gi"), on(volume("v", "1Gi"), "n1"));
        Pod p = having("p", "c");
        Pod q = having("q", "d");
        assertThat(volumes.filter(q, N1, world.caches()).fits()).isTrue();
        assertThat(assume(p, N1).fits()).isTrue();
        assertThat(volumes.assumedNode(key("p"))).contains("n1");
        assertThat(volumes.filter(q, N1, world.caches()).reasons()).containsExactly(VolumeBindingFilter.BIND_CONFLICT);
        assertThat(assume(q, N1).fits()).isFalse();
        assertThat(volumes.failures()).containsEntry(SchedulingStage.ASSUME, 1L);
        assertThat(world.writes)
                .noneMatch(
                        write -> write.name().equals("v") && write.subresource().isEmpty());
        assertThat(volumes.revert(key("p"))).isTrue();
        assertThat(volumes.revert(key("p"))).isFalse();
        assertThat(assume(q, N1).fits()).isTrue();
    }

    @Test
    void aBindCompletesWhenTheClaimIsBound() {
        having(claim("c", "1Gi"), on(volume("v", "1Gi"), "n1"));
        assume(having("p", "c"), N1);
        CompletableFuture<BindOutcome> outcome = volumes.bind(key("p"));
        assertThat(outcome).isNotDone();
        world.settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.BOUND);
        assertThat(world.claim("c").spec().volumeName()).isEqualTo("v");
        assertThat(world.pod("p").spec().nodeName()).isEmpty(); // that is the scheduler's own
        assertThat(volumes.assumedNode(key("p"))).contains("n1");
        world.deletePod("p").settle();
        assertThat(volumes.assumedNode(key("p"))).isEmpty();
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    void aPodWithoutClaimsIsBoundAtOnce() {
        having();
        assume(having("p"), N1);
        CompletableFuture<BindOutcome> outcome = volumes.bind(key("p"));
        world.settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.BOUND);
    }

    @Test
    void aVolumeThatGoesFailsTheBindAndFreesTheRest() {
        having(claim("c", "1Gi"), on(volume("v", "1Gi"), "n1"));
        Pod p = having("p", "c");
        assume(p, N1);
        world.editVolume("v", v -> SchedulingObjects.claimedBy(v, SchedulingObjects.uid(claim("thief", "1Gi"), "")));
        CompletableFuture<BindOutcome> outcome = volumes.bind(key("p"));
        world.settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.failed("volume \"v\" is not free any more"));
        assertThat(volumes.assumedNode(key("p"))).isEmpty();
        assertThat(volumes.failures()).containsEntry(SchedulingStage.BIND, 1L);
    }

    @Test
    void revertingEndsABind() {
        having(
                SchedulingObjects.ofClass(claim("c", "1Gi"), "gold"),
                SchedulingObjects.delayed("gold", "far.example.com"));
        assume(having("p", "c"), N1);
        CompletableFuture<BindOutcome> outcome = volumes.bind(key("p"));
        world.settle();
        assertThat(outcome).isNotDone();
        assertThatThrownBy(() -> assume(world.pod("p"), N2)).isInstanceOf(IllegalStateException.class);
        assertThat(volumes.revert(key("p"))).isTrue();
        world.settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.failed("reverted"));
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    void bindingWhatWasNotAssumedIsAMistake() {
        having();
        assertThatThrownBy(() -> volumes.bind(key("p"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aConflictOfAffinityIsExplained() {
        having(on(volume("v", "1Gi"), "n1"), SchedulingObjects.bound(claim("c", "1Gi"), "v"));
        NodeFit fit = volumes.filter(having("p", "c"), N2, world.caches());
        assertThat(fit.reasons()).containsExactly("node(s) didn't match PersistentVolume's node affinity");
        assertThat(fit.conflicts())
                .containsExactly(new AffinityConflict(
                        key("c"), "v", 0, SchedulingObjects.HOST, "In", List.of("n1"), Optional.of("n2")));
        assertThat(fit.conflicts().get(0))
                .hasToString("volume v of claim default/c wants kubernetes.io/hostname In [n1], the node has \"n2\"");
    }

    @Test
    void promisedSpaceIsNotPromisedAgain() {
        having(
                SchedulingObjects.delayed("gold", "far.example.com"),
                SchedulingObjects.keepingAccount("far.example.com"),
                SchedulingObjects.pool("pool", "gold", "n1", "100Gi"),
                SchedulingObjects.ofClass(claim("c", "60Gi"), "gold"),
                SchedulingObjects.ofClass(claim("d", "60Gi"), "gold"));
        Pod p = having("p", "c");
        Pod q = having("q", "d");
        assertThat(volumes.score(p, N1, world.caches())).isEqualTo(40);
        assertThat(volumes.score(p, N2, world.caches())).isZero();
        assertThat(assume(p, N1).fits()).isTrue();
        assertThat(volumes.filter(q, N1, world.caches()).reasons()).containsExactly(VolumeBindingFilter.NO_SPACE);
        CompletableFuture<BindOutcome> outcome = volumes.bind(key("p"));
        world.settle();
        world.create(SchedulingObjects.claimedBy(
                        SchedulingObjects.ofClass(volume("made", "60Gi"), "gold"), world.claim("c")))
                .settle();
        assertThat(outcome).isCompletedWithValue(BindOutcome.BOUND);
        assertThat(volumes.filter(q, N1, world.caches()).reasons()).containsExactly(VolumeBindingFilter.NO_SPACE);
        enlarge("200Gi"); // the pool's new account knows of the volume
        assertThat(volumes.filter(q, N1, world.caches()).fits()).isTrue();
    }

    @Test
    void aClaimThatGoesGivesItsSpaceBack() {
        having(
                SchedulingObjects.delayed("gold", "far.example.com"),
                SchedulingObjects.keepingAccount("far.example.com"),
                SchedulingObjects.pool("pool", "gold", "n1", "100Gi"),
                SchedulingObjects.ofClass(claim("c", "60Gi"), "gold"),
                SchedulingObjects.ofClass(claim("d", "60Gi"), "gold"));
        assume(having("p", "c"), N1);
        Pod q = having("q", "d");
        assertThat(volumes.filter(q, N1, world.caches()).fits()).isFalse();
        world.deletePod("p").settle();
        assertThat(volumes.filter(q, N1, world.caches()).fits()).isTrue(); // nothing was written for it
    }

    private void enlarge(String capacity) {
        var kind = dev.mooring.storage.model.Kinds.CSI_STORAGE_CAPACITY;
        var before = world.store.get(kind, ObjectKey.of("default", "pool")).orThrow();
        var after = before.withCapacity(Optional.of(dev.mooring.storage.model.Quantity.parse(capacity)));
        world.store
                .update(kind, new dev.mooring.storage.store.Change<>(before, after))
                .orThrow();
        world.settle();
    }
}

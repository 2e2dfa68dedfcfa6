// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.SchedulingObjects.claim;
import static dev.mooring.binder.scheduling.SchedulingObjects.claimedBy;
import static dev.mooring.binder.scheduling.SchedulingObjects.delayed;
import static dev.mooring.binder.scheduling.SchedulingObjects.keepingAccount;
import static dev.mooring.binder.scheduling.SchedulingObjects.node;
import static dev.mooring.binder.scheduling.SchedulingObjects.ofClass;
import static dev.mooring.binder.scheduling.SchedulingObjects.on;
import static dev.mooring.binder.scheduling.SchedulingObjects.pod;
import static dev.mooring.binder.scheduling.SchedulingObjects.pool;
import static dev.mooring.binder.scheduling.SchedulingObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CSIStorageCapacity;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a pool that is not written any more does to the pods that wait for its space. */
class SilentPoolsTest {
    private static final String PROVISIONER = "far.example.com";
    private static final Duration ALMOST = SilentPools.LONGEST.minusSeconds(1);

    /** A pool of 4Gi, and a pod whose claim of 1Gi is promised a part of it. */
    private static SchedulingWorld world() {
        return start(new SchedulingWorld(7, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT)));
    }

    private static SchedulingWorld start(SchedulingWorld world) {
        return world.create(
                        node("n1"),
                        keepingAccount(PROVISIONER),
                        delayed("gold", PROVISIONER),
                        pool("space", "gold", "n1", "4Gi"),
                        ofClass(claim("c", "1Gi"), "gold"),
                        pod("p", "c"))
                .settle();
    }

    private static SchedulingWorld made(SchedulingWorld world) {
        return world.create(claimedBy(ofClass(on(volume("made", "1Gi"), "n1"), "gold"), world.claim("c")))
                .settle();
    }

    private static SchedulingWorld tells(SchedulingWorld world, String capacity) {
        ObjectKey key = ObjectKey.of("default", "space");
        CSIStorageCapacity before =
                world.store.get(Kinds.CSI_STORAGE_CAPACITY, key).orThrow();
        world.store
                .update(
                        Kinds.CSI_STORAGE_CAPACITY,
                        new Change<>(before, before.withCapacity(Optional.of(Quantity.parse(capacity)))))
                .orThrow();
        return world.settle();
    }

    private static SchedulingWorld another(SchedulingWorld world, String size) {
        return world.create(ofClass(claim("d", size), "gold"), pod("q", "d")).settle();
    }

    private static boolean isPlaced(SchedulingWorld world) {
        return world.claim("d").metadata().annotations().containsKey(Annotations.SELECTED_NODE);
    }

    @Test
    void whatThePoolToldBeforeTheClaimWasBoundIsBelieved() {
        SchedulingWorld world = made(tells(world(), "3Gi"));
        assertThat(world.nodeOf("p")).isEqualTo("n1");
        assertThat(isPlaced(another(world, "3Gi"))).isTrue();
    }

    /** As where a volume went at the same time, and where a driver promises more than it has. */
    @Test
    void anAccountThatStaysTheSameIsBelievedInTheEnd() {
        SchedulingWorld world = another(made(world()), "4Gi");
        assertThat(isPlaced(world)).isFalse();
        world.advance(ALMOST).settle();
        assertThat(isPlaced(world)).isFalse();
        world.advance(Duration.ofSeconds(1)).settle();
        assertThat(isPlaced(world)).isTrue();
    }

    @Test
    void aPoolThatTellsIsNotWaitedForAnyMore() {
        SchedulingWorld world = tells(made(world()), "3Gi");
        world.advance(SilentPools.LONGEST).settle();
        assertThat(world.hasTimer()).isFalse();
        assertThat(isPlaced(another(world, "4Gi"))).isFalse();
    }

    @Test
    void aClaimThatGoesIsNotWaitedForAnyMore() {
        SchedulingWorld world = made(world()).deletePod("p").settle();
        world.store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "c"), DeleteOptions.DEFAULT);
        world.settle();
        assertThat(isPlaced(another(world, "4Gi"))).isTrue();
    }

    @Test
    void aClaimThatIsMadeAgainIsWaitedForAsLongAsTheFirst() {
        SchedulingWorld world = made(world()).deletePod("p").settle();
        world.advance(ALMOST).settle();
        world.store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "c"), DeleteOptions.DEFAULT);
        world.store.delete(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster("made"), DeleteOptions.DEFAULT);
        world.settle();
        made(world.create(ofClass(claim("c", "1Gi"), "gold"), pod("p", "c")).settle());
        another(world, "4Gi");
        world.advance(ALMOST).settle();
        assertThat(isPlaced(world)).isFalse();
        world.advance(Duration.ofSeconds(1)).settle();
        assertThat(isPlaced(world)).isTrue();
    }

    @Test
    void anEmbeddingSchedulerMayPromiseItAgainToo() {
        VolumeScheduling volumes = new VolumeScheduling(SchedulingOptions.DEFAULT);
        SchedulingWorld world = start(new SchedulingWorld(7, volumes::controller));
        assertThat(volumes.assume(world.pod("p"), node("n1"), world.caches()).fits())
                .isTrue();
        CompletableFuture<BindOutcome> bind = volumes.bind(ObjectKey.of("default", "p"));
        another(made(world.settle()), "4Gi");
        assertThat(bind).isCompletedWithValue(BindOutcome.BOUND);
        assertThat(volumes.filter(world.pod("q"), node("n1"), world.caches()).fits())
                .isFalse();
        world.advance(SilentPools.LONGEST).settle();
        assertThat(volumes.filter(world.pod("q"), node("n1"), world.caches()).fits())
                .isTrue();
    }
}

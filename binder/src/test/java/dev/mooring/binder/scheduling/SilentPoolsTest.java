// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static dev.mooring.binder.scheduling.Things.claim;
import static dev.mooring.binder.scheduling.Things.claimedBy;
import static dev.mooring.binder.scheduling.Things.delayed;
import static dev.mooring.binder.scheduling.Things.keepingAccount;
import static dev.mooring.binder.scheduling.Things.node;
import static dev.mooring.binder.scheduling.Things.ofClass;
import static dev.mooring.binder.scheduling.Things.on;
import static dev.mooring.binder.scheduling.Things.pod;
import static dev.mooring.binder.scheduling.Things.pool;
import static dev.mooring.binder.scheduling.Things.volume;
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
    private static World world() {
        return start(new World(7, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT)));
    }

    private static World start(World world) {
        return world.create(
                        node("n1"),
                        keepingAccount(PROVISIONER),
                        delayed("gold", PROVISIONER),
                        pool("space", "gold", "n1", "4Gi"),
                        ofClass(claim("c", "1Gi"), "gold"),
                        pod("p", "c"))
                .settle();
    }

    private static World made(World world) {
        return world.create(claimedBy(ofClass(on(volume("made", "1Gi"), "n1"), "gold"), world.claim("c")))
                .settle();
    }

    private static World tells(World world, String capacity) {
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

    private static World another(World world, String size) {
        return world.create(ofClass(claim("d", size), "gold"), pod("q", "d")).settle();
    }

    private static boolean isPlaced(World world) {
        return world.claim("d").metadata().annotations().containsKey(Annotations.SELECTED_NODE);
    }

    @Test
    void whatThePoolToldBeforeTheClaimWasBoundIsBelieved() {
        World world = made(tells(world(), "3Gi"));
        assertThat(world.nodeOf("p")).isEqualTo("n1");
        assertThat(isPlaced(another(world, "3Gi"))).isTrue();
    }

    /** As where a volume went at the same time, and where a driver promises more than it has. */
    @Test
    void anAccountThatStaysTheSameIsBelievedInTheEnd() {
        World world = another(made(world()), "4Gi");
        assertThat(isPlaced(world)).isFalse();
        world.advance(ALMOST).settle();
        assertThat(isPlaced(world)).isFalse();
        world.advance(Duration.ofSeconds(1)).settle();
        assertThat(isPlaced(world)).isTrue();
    }

    @Test
    void aPoolThatTellsIsNotWaitedForAnyMore() {
        World world = tells(made(world()), "3Gi");
        world.advance(SilentPools.LONGEST).settle();
        assertThat(world.hasTimer()).isFalse();
        assertThat(isPlaced(another(world, "4Gi"))).isFalse();
    }

    @Test
    void aClaimThatGoesIsNotWaitedForAnyMore() {
        World world = made(world()).deletePod("p").settle();
        world.store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of("default", "c"), DeleteOptions.DEFAULT);
        world.settle();
        assertThat(isPlaced(another(world, "4Gi"))).isTrue();
    }

    @Test
    void aClaimThatIsMadeAgainIsWaitedForAsLongAsTheFirst() {
        World world = made(world()).deletePod("p").settle();
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
        World world = start(new World(7, volumes::controller));
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

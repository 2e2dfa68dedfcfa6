// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.SchedulingWorld.Fate;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An embedding scheduler, which tries nodes at random, reverts now and then, and has many binds under way at once, while writes fail
 * and the process dies. What {@link PlacementChecker} says holds after every write.
 */
@Tag("long")
class EmbeddedRaceTest {
    private static final int SEEDS = 15 * Integer.getInteger("mooring.times", 1);
    private static final int NODES = 3;
    private static final int LIMIT = 3;

    private int bound;
    private int failed;
    private int reverted;
    private int deaths;
    private int atOnce;

    @Test
    void nothingIsGivenTwice() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Story(seed).play();
        }
        assertThat(bound).isGreaterThan(4 * SEEDS);
        assertThat(failed).isGreaterThan(SEEDS / 10);
        assertThat(reverted).isGreaterThan(SEEDS);
        assertThat(deaths).isGreaterThan(SEEDS);
        assertThat(atOnce).isGreaterThanOrEqualTo(3);
    }

    private final class Story {
        private final int seed;
        private final Random random;
        private final SchedulingWorld world;
        private final PlacementChecker checker;
        private final Map<String, CompletableFuture<BindOutcome>> binds = new HashMap<>();
        private VolumeScheduling volumes = new VolumeScheduling(SchedulingOptions.DEFAULT);
        private int life;

        Story(int seed) {
            this.seed = seed;
            random = new Random(seed);
            world = new SchedulingWorld(seed, this::scheduler);
            checker = new PlacementChecker(world, seed, LIMIT);
        }

        private dev.mooring.runtime.control.Controller scheduler() {
            volumes = new VolumeScheduling(SchedulingOptions.DEFAULT);
            return volumes.controller();
        }

        void play() {
            prepare();
            world.fate = write -> random.nextInt(12) == 0
                    ? Fate.values()[1 + random.nextInt(Fate.values().length - 1)]
                    : Fate.GOES_THROUGH;
            world.afterWrite = checker::checkUnlessStatus;
            for (int round = 0; round < 120; round++) {
                schedulePod("p" + random.nextInt(12));
                if (random.nextInt(30) == 0) {
                    world.restart();
                    world.deaths++;
                }
                for (int steps = random.nextInt(12); steps > 0; steps--) {
                    world.step();
                }
                if (random.nextInt(6) == 0) {
                    takeAway("pv" + random.nextInt(12));
                }
                place();
            }
            world.fate = write -> Fate.GOES_THROUGH;
            finish();
            deaths += world.deaths;
        }

        private void prepare() {
            world.create(SchedulingObjects.local());
            for (int i = 0; i < NODES; i++) {
                world.create(SchedulingObjects.node("n" + i), SchedulingObjects.limit("n" + i, LIMIT));
            }
            for (int i = 0; i < 12; i++) {
                PersistentVolume volume = SchedulingObjects.volume("pv" + i, (1 + random.nextInt(4)) + "Gi");
                world.create(
                        random.nextInt(3) == 0 ? volume : SchedulingObjects.on(volume, "n" + random.nextInt(NODES)));
            }
            for (int i = 0; i < 12; i++) {
                world.create(SchedulingObjects.claim("c" + i, (1 + random.nextInt(3)) + "Gi"));
                world.create(
                        random.nextInt(3) == 0
                                ? SchedulingObjects.pod("p" + i, "c" + i, "c" + random.nextInt(12))
                                : SchedulingObjects.pod("p" + i, "c" + i));
            }
            world.settle();
        }

        /** A user keeps a volume that is still free for a claim that does not exist yet. */
        private void takeAway(String name) {
            if (world.volume(name).spec().claimRef().isEmpty()) {
                world.editVolume(
                        name, volume -> SchedulingObjects.claimedBy(volume, SchedulingObjects.claim("later", "1Gi")));
            }
        }

        private void forgetAfterDeath() {
            if (life != world.deaths) {
                life = world.deaths; // no process answers what the former one was asked for
                binds.clear();
                world.settle();
            }
        }

        private void schedulePod(String name) {
            forgetAfterDeath();
            Pod pod = world.pod(name);
            if (binds.containsKey(name) || !pod.spec().nodeName().isEmpty()) {
                return;
            }
            Node node = world.store
                    .get(Kinds.NODE, ObjectKey.cluster("n" + random.nextInt(NODES)))
                    .orThrow();
            if (!volumes.assume(pod, node, world.caches()).fits()) {
                return;
            }
            if (random.nextInt(4) == 0) {
                assertThat(volumes.revert(key(name))).isTrue();
                reverted++;
            } else {
                binds.put(name, volumes.bind(key(name)));
                atOnce = Math.max(atOnce, binds.size());
            }
        }

        /** The scheduler's own part: the pod gets the node once its volumes are bound. */
        private void place() {
            forgetAfterDeath();
            for (String name : List.copyOf(binds.keySet())) {
                BindOutcome outcome = binds.get(name).getNow(BindOutcome.failed("under way"));
                if (outcome.message().equals("under way")) {
                    continue;
                }
                binds.remove(name);
                bound += outcome.bound() ? 1 : 0;
                failed += outcome.bound() ? 0 : 1;
                if (outcome.bound()) {
                    Pod pod = world.pod(name);
                    String node = volumes.assumedNode(key(name)).orElseThrow();
                    world.store
                            .update(
                                    Kinds.POD,
                                    new Change<>(pod, pod.withSpec(pod.spec().withNodeName(node))))
                            .orThrow();
                    checker.check();
                }
            }
        }

        /** At rest every pod that has no node fits nowhere, and nothing is assumed any more. */
        private void finish() {
            for (int round = 0; round < 30; round++) {
                for (int i = 0; i < 12; i++) {
                    schedulePod("p" + i);
                }
                world.advance(Duration.ofMinutes(11));
                place();
                world.settle();
            }
            assertThat(binds).as("seed %d", seed).isEmpty();
            for (Pod pod : world.all(Kinds.POD)) {
                assertThat(volumes.assumedNode(ObjectKey.of(pod)))
                        .as("seed %d", seed)
                        .isEmpty();
                for (Node node : world.all(Kinds.NODE)) {
                    assertThat(!pod.spec().nodeName().isEmpty()
                                    || !volumes.filter(pod, node, world.caches())
                                            .fits())
                            .as(
                                    "seed %d: %s on %s",
                                    seed, pod.metadata().name(), node.metadata().name())
                            .isTrue();
                }
            }
        }
    }

    private static ObjectKey key(String pod) {
        return ObjectKey.of("default", pod);
    }
}

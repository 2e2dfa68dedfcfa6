// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.scheduling.SchedulingWorld.Fate;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many pods compete for few volumes and few attach slots, in whatever order things happen, with writes that fail and a process that dies
 * at any time. After every write: no volume has two claims, no pod is where its volumes are not, no node has too many volumes.
 */
@Tag("long")
class SchedulerRaceTest {
    private static final int SEEDS = 12 * Integer.getInteger("mooring.times", 1);
    private static final int NODES = 4;
    private static final int LIMIT = 3;

    private int scheduled;
    private int waiting;
    private int deaths;
    private int faults;
    private int atLimit;

    @Test
    void nothingIsGivenTwice() {
        for (int seed = 0; seed < SEEDS; seed++) {
            play(seed);
        }
        assertThat(scheduled).isGreaterThan(5 * SEEDS);
        assertThat(waiting).isGreaterThan(2 * SEEDS);
        assertThat(deaths).isGreaterThan(SEEDS);
        assertThat(faults).isGreaterThan(2 * SEEDS);
        assertThat(atLimit).isGreaterThan(SEEDS / 10);
    }

    private void play(int seed) {
        Random random = new Random(seed);
        SchedulingWorld world = new SchedulingWorld(seed, () -> VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        world.create(SchedulingObjects.local());
        for (int i = 0; i < NODES; i++) {
            world.create(SchedulingObjects.node("n" + i), SchedulingObjects.limit("n" + i, LIMIT));
        }
        PlacementChecker checker = new PlacementChecker(world, seed, LIMIT);
        world.afterWrite = checker::checkUnlessStatus;
        world.fate = write -> fate(random);
        for (int i = 0; i < 12; i++) {
            world.create(SchedulingObjects.claim("c" + i, (1 + random.nextInt(4)) + "Gi"));
        }
        int volumes = 0;
        int pods = 0;
        for (int round = 0; round < 30; round++) {
            if (volumes < 10 && random.nextBoolean()) {
                PersistentVolume volume = SchedulingObjects.volume("pv" + volumes++, (1 + random.nextInt(5)) + "Gi");
                world.create(
                        random.nextInt(4) == 0 ? volume : SchedulingObjects.on(volume, "n" + random.nextInt(NODES)));
            } else if (pods < 14) {
                world.create(pod(random, pods++));
            } else if (random.nextInt(3) == 0) {
                deleteSomePod(world, random);
            }
            for (int steps = random.nextInt(30); steps > 0; steps--) {
                world.step();
            }
        }
        world.fate = write -> Fate.GOES_THROUGH;
        world.advance(Duration.ofHours(1));
        checker.check();
        finish(world, seed);
        deaths += world.deaths;
    }

    private static Pod pod(Random random, int number) {
        String first = "c" + random.nextInt(12);
        String second = "c" + random.nextInt(12);
        return random.nextInt(3) == 0
                ? SchedulingObjects.pod("p" + number, first, second)
                : SchedulingObjects.pod("p" + number, first);
    }

    private static void deleteSomePod(SchedulingWorld world, Random random) {
        List<Pod> pods = world.all(Kinds.POD);
        if (!pods.isEmpty()) {
            world.deletePod(pods.get(random.nextInt(pods.size())).metadata().name());
        }
    }

    private Fate fate(Random random) {
        Fate fate = random.nextInt(12) == 0
                ? Fate.values()[1 + random.nextInt(Fate.values().length - 1)]
                : Fate.GOES_THROUGH;
        faults += fate == Fate.GOES_THROUGH ? 0 : 1;
        return fate;
    }

    /** At rest every pod without a node is one that fits nowhere, and was told so. */
    private void finish(SchedulingWorld world, int seed) {
        assertThat(world.hasTimer()).as("seed %d waits for nothing", seed).isFalse();
        Known known = Known.of();
        world.all(Kinds.NODE).forEach(known::put);
        world.all(Kinds.PERSISTENT_VOLUME).forEach(known::put);
        world.all(Kinds.PERSISTENT_VOLUME_CLAIM).forEach(known::put);
        world.all(Kinds.STORAGE_CLASS).forEach(known::put);
        world.all(Kinds.CSI_NODE).forEach(known::put);
        world.all(Kinds.POD).forEach(known::put);
        for (Pod pod : world.all(Kinds.POD)) {
            if (!pod.spec().nodeName().isEmpty()) {
                scheduled++;
                continue;
            }
            waiting++;
            NodeChoosing.Choice choice = NodeChoosing.choose(pod, known.view());
            assertThat(choice.assumption())
                    .as("seed %d, %s", seed, pod.metadata().name())
                    .isEmpty();
            assertThat(world.toldOf(pod.metadata().name()))
                    .as("seed %d, %s", seed, pod.metadata().name())
                    .last()
                    .asString()
                    .startsWith("FailedScheduling: 0/" + NODES + " nodes are available: ");
            atLimit += choice.message().contains(VolumeLimitsFilter.EXCEEDED) ? 1 : 0;
        }
    }
}

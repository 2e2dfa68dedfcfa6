// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.ControlLoop;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More changes than the decider can take in at once. */
class LoopThreadTest {
    private static final int FLOOD = 100_000;

    private final LoopThread decider = new LoopThread(TimeSource.system(), () -> false);
    private final Thread thread = new Thread(decider, "decider");
    private final List<String> takenIn = new ArrayList<>();
    private int changesInARow;
    private int mostInARow;
    private int decisions;

    private final ControlLoop loop = new ControlLoop(
            List.of(new ToyController("toys")), TimeSource.system(), new Random(1), listener(), dispatch -> {});

    @AfterEach
    void stop() throws InterruptedException {
        decider.stop();
        thread.join();
    }

    private LoopListener listener() {
        return new LoopListener() {
            @Override
            public void onChange(ObjectChange<?> change) {
                mostInARow = Math.max(mostInARow, ++changesInARow);
            }

            @Override
            public void onDecision(String controller, Key key, Decision decision) {
                changesInARow = 0;
                decisions++;
            }
        };
    }

    private void begin() {
        decider.attach(loop);
        decider.post(() -> {
            loop.lead(1);
            loop.listed(Kinds.CONFIG_MAP, List.of(), Toys.at(1));
        });
        thread.start();
    }

    /** Keeps the decider from everything else until the latch is open. */
    private CountDownLatch hold() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        decider.post(() -> {
            held.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        held.await();
        return open;
    }

    private Thread feed(int count) {
        Thread feeder = new Thread(() -> {
            for (int i = 0; i < count; i++) {
                String name = Integer.toString(i);
                decider.postChange(() -> takenIn.add(name));
            }
        });
        feeder.start();
        return feeder;
    }

    private void awaitFull() {
        while (decider.room() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aFloodOfChangesHoldsUpNoDecisionAndNeverPilesUp() throws InterruptedException {
        begin();
        int leastRoom = LoopThread.MOST_WAITING;
        for (int i = 0; i < FLOOD; i++) {
            int revision = i + 2;
            WatchEvent<ConfigMap> event = new WatchEvent<>(
                    WatchEvent.Type.ADDED, Toys.toy("t" + i % 500, "u" + i % 500, revision), new Revision(revision));
            decider.postChange(() -> loop.caches().of(Kinds.CONFIG_MAP).heard(event));
            leastRoom = Math.min(leastRoom, decider.room());
        }
        decider.whenQuiet().join();
        assertThat(leastRoom).isNotNegative();
        assertThat(mostInARow).isLessThanOrEqualTo(LoopThread.MOST_IN_A_ROW);
        assertThat(decisions).isGreaterThanOrEqualTo(FLOOD / LoopThread.MOST_IN_A_ROW);
        assertThat(decider.room()).isEqualTo(LoopThread.MOST_WAITING);
    }

    @Test
    void anAnswerGetsInWhileChangesWaitInTheirOrder() throws InterruptedException {
        begin();
        CountDownLatch open = hold();
        int count = 3 * LoopThread.MOST_WAITING;
        Thread feeder = feed(count);
        awaitFull();
        decider.post(() -> takenIn.add("answer"));
        assertThat(decider.room()).as("the answer needs none").isZero();
        open.countDown();
        feeder.join();
        decider.whenQuiet().join();
        assertThat(takenIn).contains("answer");
        takenIn.remove("answer");
        assertThat(takenIn)
                .isEqualTo(IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    @Test
    void theDeciderNeverWaitsForItself() {
        begin();
        decider.post(() -> {
            for (int i = 0; i < 2 * LoopThread.MOST_WAITING; i++) {
                decider.postChange(() -> takenIn.add("own"));
            }
        });
        decider.whenQuiet().join();
        assertThat(takenIn).hasSize(2 * LoopThread.MOST_WAITING);
    }

    @Test
    void aWatchThatWaitsGoesOnWhenTheDeciderEnds() throws InterruptedException {
        begin();
        CountDownLatch open = hold();
        decider.stop();
        Thread feeder = feed(10 * LoopThread.MOST_WAITING);
        awaitFull();
        open.countDown();
        thread.join();
        feeder.join();
        assertThat(takenIn)
                .as("no more than was taken in together with the end")
                .hasSizeLessThan(LoopThread.MOST_IN_A_ROW);
    }
}

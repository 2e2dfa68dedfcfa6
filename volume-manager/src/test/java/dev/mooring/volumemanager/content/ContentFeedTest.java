// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ContentFeedTest {
    private static final ObjectKey CONFIG = ObjectKey.of("ns", "config");
    private static final PodRef POD = new PodRef("ns", "web", "web-uid");

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), Clock.systemUTC(), IdSource.random(new Random(1))));

    /** The first watch ends before it is handed out, and the object is followed again meanwhile. */
    private static final class SlowStore extends ForwardingStore {
        final CountDownLatch secondBegins = new CountDownLatch(1);
        final CountDownLatch firstIsOut = new CountDownLatch(1);
        final AtomicInteger watches = new AtomicInteger();

        SlowStore(MemoryClusterStore store) {
            super(store);
        }

        @Override
        public <T extends KubernetesObject> Watch watch(
                Kind<T> kind, ListOptions options, Revision from, WatchListener<T> listener) {
            Watch watch = super.watch(kind, options, from, listener);
            if (watches.incrementAndGet() == 1) {
                watch.close();
                listener.onEnd(Failure.UNAVAILABLE, "the connection is lost");
                await(secondBegins);
            } else {
                secondBegins.countDown();
                await(firstIsOut);
            }
            return watch;
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aWatchThatComesLateAndHasEndedDoesNotStandForTheOneAfterIt() throws Exception {
        ConfigMap made = store.create(
                        Kinds.CONFIG_MAP,
                        new ConfigMap(
                                ObjectMeta.named("ns", "config"), Map.of("key", "one"), Map.of(), Optional.empty()))
                .orThrow();
        SlowStore slow = new SlowStore(store);
        BlockingQueue<String> changes = new LinkedBlockingQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (ContentFeed feed = new ContentFeed(slow)) {
            feed.onChange(changes::add);
            CompletableFuture<?> first = CompletableFuture.runAsync(() -> feed.configMap(POD, "v", CONFIG), threads);
            assertThat(changes.poll(60, TimeUnit.SECONDS))
                    .as("the first watch has ended")
                    .isEqualTo("web-uid");
            CompletableFuture<?> second = CompletableFuture.runAsync(() -> feed.configMap(POD, "v", CONFIG), threads);
            first.get(60, TimeUnit.SECONDS);
            slow.firstIsOut.countDown();
            second.get(60, TimeUnit.SECONDS);

            store.update(Kinds.CONFIG_MAP, new Change<>(made, made.withData(Map.of("key", "two"))))
                    .orThrow();
            assertThat(changes.poll(60, TimeUnit.SECONDS)).isEqualTo("web-uid");
        } finally {
            threads.shutdownNow();
            store.close();
        }
    }

    /** Each of its watches ends at once, as where a node may not watch. */
    private static final class NoWatches extends ForwardingStore {
        int watches;

        NoWatches(MemoryClusterStore store) {
            super(store);
        }

        @Override
        public <T extends KubernetesObject> Watch watch(
                Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
            watches++;
            Watch watch = super.watch(kind, options, after, listener);
            watch.close();
            listener.onEnd(Failure.UNAVAILABLE, "forbidden");
            return watch;
        }
    }

    @Test
    void watchesThatEndAtOnceAreBegunAgainAtGrowingIntervals() {
        store.create(
                        Kinds.CONFIG_MAP,
                        new ConfigMap(
                                ObjectMeta.named("ns", "config"), Map.of("key", "one"), Map.of(), Optional.empty()))
                .orThrow();
        NoWatches none = new NoWatches(store);
        List<Duration> rests = new ArrayList<>();
        Deque<Runnable> waiting = new ArrayDeque<>();
        try (ContentFeed feed = new ContentFeed(none, (rest, work) -> {
            rests.add(rest);
            waiting.add(work);
        })) {
            feed.onChange(pod -> waiting.add(() -> feed.configMap(POD, "v", CONFIG)));
            feed.configMap(POD, "v", CONFIG);
            for (int i = 0; i < 40; i++) {
                waiting.remove().run();
            }
            assertThat(rests)
                    .startsWith(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2))
                    .endsWith(Duration.ofMinutes(2), Duration.ofMinutes(2));
            assertThat(none.watches).isEqualTo(rests.size() + 1);

            feed.release(POD, "v");
            assertThat(feed.size()).isZero();
        } finally {
            store.close();
        }
    }
}

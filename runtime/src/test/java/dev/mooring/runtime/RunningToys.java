// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static dev.mooring.runtime.Toys.fresh;

import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.ToyController;
import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/** What runs a controller of toys on threads that are known, and keeps what its effects came to. */
abstract class RunningToys {
    static final ObjectKey A = Toys.key("a");
    static final ObjectKey B = Toys.key("b");

    final ToyStore store = new ToyStore(object -> ((ConfigMap) object)::withMetadata);
    final ToyController toys = new ToyController("toys");
    final Started threads = new Started();
    final BlockingQueue<EffectResult> results = new LinkedBlockingQueue<>();

    ControllerRuntime runtime(RuntimeOptions options) {
        return new ControllerRuntime(store, List.of(toys), options.withThreads(threads));
    }

    RuntimeOptions options() {
        return RuntimeOptions.defaults().withListener(new LoopListener() {
            @Override
            public void onResult(Dispatch dispatch, EffectResult result) {
                results.add(result);
            }
        });
    }

    static Optional<ConfigMap> cached(ControllerRuntime runtime, ObjectKey key) {
        return runtime.ask(caches -> caches.get(Kinds.CONFIG_MAP, key)).join();
    }

    void create(String name) {
        store.create(Kinds.CONFIG_MAP, fresh(name, "new")).orThrow();
    }

    /** The first result of a call that has begun: on a loaded machine a second may be over before it does. */
    EffectResult takeBegun() throws InterruptedException {
        EffectResult result = results.take();
        while (isDeferred(result)) {
            result = results.take();
        }
        return result;
    }

    static boolean isDeferred(EffectResult result) {
        return result.outcome().filter(Outcome.Deferred.class::isInstance).isPresent();
    }

    /** Threads made so far. */
    static final class Started implements ThreadFactory {
        final Queue<Thread> all = new ConcurrentLinkedQueue<>();

        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            all.add(thread);
            return thread;
        }

        List<String> alive() {
            return all.stream().filter(Thread::isAlive).map(Thread::getName).toList();
        }
    }

    /** A back-end whose calls hang until they are let go, whatever they are told. */
    static final class Hanging {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch letGo = new CountDownLatch(1);
        final Semaphore hanging = new Semaphore(0);

        Outcome<?> hang() {
            begun.countDown();
            hanging.release();
            boolean open = false;
            while (!open) {
                try {
                    letGo.await();
                    open = true;
                } catch (InterruptedException e) {
                    // hangs all the same
                }
            }
            return Outcome.done();
        }
    }
}

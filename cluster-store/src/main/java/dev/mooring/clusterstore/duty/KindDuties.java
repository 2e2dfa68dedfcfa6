// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.clusterstore.DocumentListener;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.Controller;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the duties that concern objects of every kind, which may become more: garbage collection and the end of namespaces. Controllers know
 * their kinds from the start, so these are started again when a kind is defined or removed. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KindDuties implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KindDuties.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DocumentStore store;
    private final RuntimeOptions options;
    private final Predicate<String> only;
    private final ExecutorService turns;
    private List<Kind<?>> known = List.of();
    private @Nullable ControllerRuntime runtime;
    private @Nullable Watch watch;
    private boolean closed;

    private KindDuties(DocumentStore store, RuntimeOptions options, Predicate<String> only) {
        this.store = store;
        this.options = options;
        this.only = only;
        // Its thread ends when there is nothing to do.
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), KindDuties::thread);
        one.allowCoreThreadTimeOut(true);
        this.turns = one;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "kind-duties");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts the duties.
     *
     * @param store never closed by the duties; never null
     * @param options of their runtime; never null
     */
    public static KindDuties start(DocumentStore store, RuntimeOptions options) {
        return start(store, options, name -> true);
    }

    /**
     * Starts some of the duties.
     *
     * @param store never closed by the duties; never null
     * @param options of their runtime; never null
     * @param only which of {@code garbage-collector} and {@code namespace} are carried out; never null
     */
    public static KindDuties start(DocumentStore store, RuntimeOptions options, Predicate<String> only) {
        KindDuties duties = new KindDuties(store, options, only);
        duties.follow();
        if (store.kinds().all().contains(CustomResourceDefinition.KIND)) {
            duties.watch();
        }
        return duties;
    }

    /** Why they have ended by themselves; empty while they run. */
    public synchronized Optional<Throwable> failure() {
        return runtime == null ? Optional.empty() : runtime.failure();
    }

    private synchronized void watch() {
        if (closed) {
            return;
        }
        store.listDocuments(CustomResourceDefinition.KIND, ListOptions.ALL.withLimit(1))
                .value()
                .ifPresent(list -> watch = store.watchDocuments(
                        CustomResourceDefinition.KIND, ListOptions.ALL, list.revision(), new Following()));
        follow();
    }

    private synchronized void follow() {
        Kinds kinds = store.kinds();
        if (closed || kinds.all().equals(known)) {
            return;
        }
        end();
        known = kinds.all();
        List<Controller> chosen = Stream.of(
                        BackgroundDuties.garbageCollection(kinds), BackgroundDuties.namespaceTermination(kinds))
                .filter(each -> only.test(each.name()))
                .toList();
        if (!chosen.isEmpty()) {
            runtime = new ControllerRuntime(store, chosen, options.withName("kind-duties")).start();
        }
    }

    private void end() {
        if (runtime != null) {
            runtime.close(PATIENCE);
            runtime = null;
        }
    }

    private void later(Runnable turn) {
        try {
            turns.execute(turn);
        } catch (RejectedExecutionException e) {
            LOG.debug("the duties are closed", e);
        }
    }

    @Override
    public void close() {
        turns.shutdown();
        synchronized (this) {
            closed = true;
            if (watch != null) {
                watch.close();
            }
            end();
        }
    }

    private final class Following implements DocumentListener {
        @Override
        public void onEvent(WatchEvent.Type type, Document object, Revision revision) {
            later(KindDuties.this::follow);
        }

        @Override
        public void onBookmark(Revision revision) {
            // says nothing of kinds
        }

        @Override
        public void onEnd(Failure reason, String message) {
            if (reason == Failure.GONE) {
                later(KindDuties.this::watch);
            }
        }
    }
}

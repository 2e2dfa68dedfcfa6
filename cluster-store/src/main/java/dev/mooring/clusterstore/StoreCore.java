// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.StoreWatch.DocumentSink;
import dev.mooring.clusterstore.customresources.CustomKinds;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.clusterstore.fields.Messages;
import dev.mooring.runtime.control.Defects;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WriteRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One engine with its lock, shared by all clients' views. Writes are decided one after the other and made lasting in groups; reads run
 * beside each other. No listener of a watch and no interceptor is called under the lock.
 */
final class StoreCore {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCore.class);
    private static final String CLOSED = "the store is closed";

    private final DocumentEngine engine;
    private final StoreOptions options;
    private final CustomKinds customs;
    private final WatchHub hub;
    private final WriteGroups groups;
    private final Writes rehearsal;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /** Guarded by the lock. */
    private boolean closed;

    StoreCore(DocumentEngine engine, StoreOptions options, CustomKinds customs) {
        this.customs = customs;
        this.engine = engine;
        this.options = options;
        this.hub = new WatchHub(options.delivery());
        this.groups = new WriteGroups(engine, options, customs, this::publish);
        this.rehearsal = new Writes(engine, options, customs, step -> {});
    }

    CustomResources customResources() {
        return customs.current();
    }

    Kinds kinds() {
        List<Kind<?>> defined = customs.current().stored();
        return defined.isEmpty() ? options.kinds() : options.kinds().and(defined);
    }

    /** An object as a kind shows it. */
    Document shown(Kind<?> kind, StoredDocument object) {
        return customs.current().shown(kind, object.document());
    }

    private Selection selection(Kind<?> kind, ListOptions list) {
        List<String> more = customs.current()
                .of(kind)
                .map(each -> each.version().selectableFields())
                .orElse(List.of());
        return Selection.of(kind, more, list);
    }

    StoreResult<StoredDocument> get(Kind<?> kind, ObjectKey key) {
        return reading(
                kind,
                () -> engine.get(customs.current().storedAs(kind), key)
                        .orElseThrow(() -> new Refused(Failure.NOT_FOUND, Messages.notFound(kind, key.name()))));
    }

    StoreResult<ObjectList<StoredDocument>> list(Kind<?> kind, ListOptions list) {
        return reading(kind, () -> Pages.read(engine, customs.current().storedAs(kind), selection(kind, list), list));
    }

    private <R> StoreResult<R> reading(Kind<?> kind, Supplier<R> read) {
        return locked(lock.readLock(), () -> attempt(kind, read));
    }

    /** Carries out a write: interceptor, rules and commit, log, watches, interceptor. */
    StoreResult<Written> write(WriteRequest request, Function<Writes, Written> action) {
        Interception interception = options.interceptor().before(request);
        StoreResult<Written> result = interception.match(
                () -> carriedOut(new WaitingWrite(request, action, Optional.empty())),
                (failure, message) -> locked(
                        lock.writeLock(),
                        () -> logged(request, Optional.empty(), StoreResult.failed(failure, message))),
                message -> carriedOut(new WaitingWrite(request, action, Optional.of(message))));
        hub.deliver();
        options.interceptor().after(request, result.failure());
        return result;
    }

    /** Says what a write would do, and does not do it. */
    StoreResult<Written> rehearse(Kind<?> kind, Function<Writes, Written> action) {
        return locked(lock.writeLock(), () -> attempt(kind, () -> action.apply(rehearsal)));
    }

    private StoreResult<Written> carriedOut(WaitingWrite write) {
        groups.add(write);
        return locked(lock.writeLock(), () -> {
            groups.carryOut(write, this::attempt, this::log);
            return write.told();
        });
    }

    private void publish(Commit step) {
        hub.publish(step);
        if (step.kind() == CustomResourceDefinition.KIND && step.removed()) {
            hub.end(
                    customs.stored(CustomKinds.accepted(step.after().document())),
                    Failure.GONE,
                    "the custom resource definition " + step.key().name() + " has been deleted");
        }
        if (step.revision().value() % options.bookmarkEvery() == 0) {
            hub.bookmark(step.revision());
        }
    }

    private void log(WaitingWrite write) {
        if (!write.hasDefect()) {
            StoreResult<Written> unused = logged(write.request(), write.written(), write.told());
        }
    }

    private StoreResult<Written> logged(WriteRequest request, Optional<Written> written, StoreResult<Written> told) {
        ObjectKey key = written.map(each -> each.object().key()).orElse(request.key());
        WriteRecord line = new WriteRecord(
                request.verb(),
                request.kind().name(),
                key.namespace(),
                key.name(),
                request.subresource(),
                told.failure(),
                written.flatMap(Written::revision),
                request.client());
        try {
            options.writes().onWrite(line);
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.error("A write listener threw. The write itself is committed: {}", line, defect);
        }
        return told;
    }

    private <R> StoreResult<R> attempt(Kind<?> kind, Supplier<R> work) {
        if (closed) {
            return StoreResult.failed(Failure.UNAVAILABLE, CLOSED);
        }
        if (!options.kinds().all().contains(kind) && !customs.current().holds(kind)) {
            return StoreResult.failed(
                    Failure.NOT_FOUND, "this store has no kind " + kind.apiVersion() + " " + kind.name());
        }
        try {
            return StoreResult.ok(work.get());
        } catch (Refused refused) {
            return refused.asResult();
        } catch (EngineException e) {
            return WriteGroups.failed(e);
        }
    }

    Watch watch(Kind<?> kind, ListOptions list, Revision after, Function<Selection, DocumentSink> sink) {
        StoreWatch watch = locked(lock.writeLock(), () -> started(kind, list, after, sink));
        hub.deliver();
        return watch;
    }

    private StoreWatch started(Kind<?> kind, ListOptions list, Revision after, Function<Selection, DocumentSink> sink) {
        StoreResult<Selection> selection = attempt(kind, () -> selection(kind, list));
        Selection chosen = selection.value().orElseGet(() -> Selection.of(kind, List.of(), ListOptions.ALL));
        StoreWatch watch = new StoreWatch(hub, chosen, after, sink.apply(chosen), options.watchBacklog());
        StoreResult<List<Commit>> past = selection.then(ok -> attempt(
                kind,
                () -> engine.history(customs.current().storedAs(kind), after).orElseThrow(() -> gone(after))));
        return past.match(
                steps -> {
                    steps.forEach(watch::offer);
                    watch.offerBookmark(engine.revision());
                    hub.add(customs.current().storedAs(kind), watch);
                    return watch;
                },
                failed -> {
                    watch.offerEnd(failed.reason(), failed.message());
                    hub.only(watch);
                    return watch;
                });
    }

    private Refused gone(Revision after) {
        String which = after.isAfter(engine.revision()) ? "not been reached yet" : "been forgotten";
        return new Refused(
                Failure.GONE,
                "revision " + after + " has " + which + "; history reaches from " + engine.horizon() + " to "
                        + engine.revision());
    }

    void sendBookmarks() {
        locked(lock.writeLock(), () -> {
            hub.bookmark(engine.revision());
            return true;
        });
        hub.deliver();
    }

    void close() {
        boolean first = locked(lock.writeLock(), () -> {
            boolean open = !closed;
            closed = true;
            if (open) {
                hub.endAll(Failure.UNAVAILABLE, CLOSED);
                engine.close();
            }
            return open;
        });
        if (first) {
            hub.deliver();
        }
    }

    private static <R extends @Nullable Object> R locked(Lock lock, Supplier<R> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}

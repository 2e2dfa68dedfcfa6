// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.simulation.virtual.ProcessDeath;
import dev.mooring.simulation.world.Trace.WriteEntry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.Deletion;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.Watch;
import dev.mooring.storage.store.WatchListener;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The way of the control plane's processes to the store: what they write is recorded, and the faults that a scenario declares strike
 * here. What users do goes another way. Confined to the world's thread.
 */
public final class ProcessStore implements ClusterStore {
    /** Kinds whose writes are neither counted nor shown. */
    private static final Set<String> SILENT = Set.of("Event", "Lease");

    private final ClusterStore store;
    private final WriteFaults faults;
    private final Trace trace;

    /**
     * Makes the way.
     *
     * @param store the store; not closed by this
     * @param faults what goes wrong
     * @param trace where writes are recorded
     */
    public ProcessStore(ClusterStore store, WriteFaults faults, Trace trace) {
        this.store = store;
        this.faults = faults;
        this.trace = trace;
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        return store.get(kind, key);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
        return store.list(kind, options);
    }

    @Override
    public <T extends KubernetesObject> Watch watch(
            Kind<T> kind, ListOptions options, Revision after, WatchListener<T> listener) {
        return store.watch(kind, options, after, listener);
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> create(Kind<T> kind, T object) {
        return write(WriteFault.Verb.CREATE, kind, ObjectKey.of(object), "", () -> store.create(kind, object));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
        return write(WriteFault.Verb.UPDATE, kind, change.key(), "", () -> store.update(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> updateStatus(Kind<T> kind, Change<T> change) {
        return write(WriteFault.Verb.UPDATE, kind, change.key(), "status", () -> store.updateStatus(kind, change));
    }

    @Override
    public <T extends KubernetesObject> StoreResult<Deletion<T>> delete(
            Kind<T> kind, ObjectKey key, DeleteOptions options) {
        return write(WriteFault.Verb.DELETE, kind, key, "", () -> store.delete(kind, key, options));
    }

    private <R> StoreResult<R> write(
            WriteFault.Verb verb, Kind<?> kind, ObjectKey key, String subresource, Supplier<StoreResult<R>> request) {
        Optional<WriteFault.Outcome> fault = faults.next(verb, kind.name(), subresource);
        if (fault.isPresent() && fault.get() == WriteFault.Outcome.CRASH_BEFORE) {
            throw new ProcessDeath("a crash before the write was declared");
        }
        StoreResult<R> result = fault.isPresent() ? struck(fault.get(), request) : request.get();
        if (!SILENT.contains(kind.name())) {
            trace.add(new WriteEntry(
                    verb.word(), kind.name(), key.namespace(), key.name(), subresource, outcomeWord(result)));
        }
        if (fault.isPresent() && fault.get() == WriteFault.Outcome.CRASH_AFTER) {
            throw new ProcessDeath("a crash after the write was declared");
        }
        return result;
    }

    private <R> StoreResult<R> struck(WriteFault.Outcome fault, Supplier<StoreResult<R>> request) {
        return switch (fault) {
            case CONFLICT -> StoreResult.failed(Failure.CONFLICT, "the object has been modified (declared fault)");
            case UNAVAILABLE -> StoreResult.failed(Failure.UNAVAILABLE, "the store is unavailable (declared fault)");
            case UNAVAILABLE_APPLIED ->
                request.get()
                        .match(
                                ok -> StoreResult.failed(Failure.UNKNOWN, "the answer was lost (declared fault)"),
                                failed -> failed);
            case LATE -> {
                faults.later(request::get);
                yield StoreResult.failed(Failure.UNKNOWN, "the request is still on its way (declared fault)");
            }
            case CRASH_BEFORE, CRASH_AFTER -> request.get();
        };
    }

    private static String outcomeWord(StoreResult<?> result) {
        return result.failure()
                .map(failure -> failure.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .orElse("ok");
    }

    /** Does nothing: the store belongs to the world. */
    @Override
    public void close() {
        // the world's
    }
}

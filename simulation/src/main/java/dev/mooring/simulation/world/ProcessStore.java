// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.simulation.virtual.ProcessDeath;
import dev.mooring.simulation.world.Trace.ReadEntry;
import dev.mooring.simulation.world.Trace.WriteEntry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import dev.mooring.storage.store.WriteVerb;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The way of the control plane's processes to the store: what they write, and what they read by its name, is recorded, and the faults
 * that a scenario declares strike here. What users do goes another way. Confined to the world's thread.
 */
public final class ProcessStore extends ForwardingStore {
    /** Kinds whose writes and reads are neither counted nor shown. */
    private static final Set<String> SILENT = Set.of("Event", "Lease");

    private final WriteFaults faults;
    private final Trace trace;
    private final Consumer<WriteRequest> witness;

    /**
     * Makes the way.
     *
     * @param store the store; not closed by this
     * @param faults what goes wrong
     * @param trace where writes are recorded
     */
    public ProcessStore(ClusterStore store, WriteFaults faults, Trace trace) {
        this(store, faults, trace, request -> {});
    }

    /**
     * Makes the way.
     *
     * @param store the store; not closed by this
     * @param faults what goes wrong
     * @param trace where writes are recorded
     * @param witness is shown every write before it is sent
     */
    ProcessStore(ClusterStore store, WriteFaults faults, Trace trace, Consumer<WriteRequest> witness) {
        super(store);
        this.faults = faults;
        this.trace = trace;
        this.witness = witness;
    }

    @Override
    public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
        if (!SILENT.contains(kind.name())) {
            trace.add(new ReadEntry(kind.name(), key.namespace(), key.name()));
        }
        return super.get(kind, key);
    }

    @Override
    protected <R> StoreResult<R> write(WriteRequest request, Supplier<StoreResult<R>> call) {
        witness.accept(request);
        String kind = request.kind().name();
        Optional<WriteFault.Outcome> fault = faults.next(verb(request.verb()), kind, request.subresource());
        if (fault.isPresent() && fault.get() == WriteFault.Outcome.CRASH_BEFORE) {
            throw new ProcessDeath("a crash before the write was declared");
        }
        StoreResult<R> result = fault.isPresent() ? struck(fault.get(), call) : call.get();
        if (!SILENT.contains(kind)) {
            ObjectKey key = request.key();
            trace.add(new WriteEntry(
                    request.verb().word(),
                    kind,
                    key.namespace(),
                    key.name(),
                    request.subresource(),
                    outcomeWord(result)));
        }
        if (fault.isPresent() && fault.get() == WriteFault.Outcome.CRASH_AFTER) {
            throw new ProcessDeath("a crash after the write was declared");
        }
        return result;
    }

    private static WriteFault.Verb verb(WriteVerb verb) {
        return switch (verb) {
            case CREATE -> WriteFault.Verb.CREATE;
            case UPDATE -> WriteFault.Verb.UPDATE;
            case DELETE -> WriteFault.Verb.DELETE;
            case PATCH, LOAD -> throw new IllegalArgumentException("no process writes by " + verb);
        };
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
                faults.later(() -> {
                    StoreResult<R> unused = request.get(); // no caller waits for it any more
                });
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
}

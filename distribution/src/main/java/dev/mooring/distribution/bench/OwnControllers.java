// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.storage.store.ClusterStore;
import java.util.Optional;
import java.util.function.Function;

/** Controllers of this process, seen by their own requests. */
final class OwnControllers implements MeasuredBinder {
    private final RecordingStore store;
    private final ControllerRuntime runtime;

    OwnControllers(ClusterStore store, BoundPairs pairs, Function<ClusterStore, ControllerRuntime> controllers) {
        this.store = new RecordingStore(store, pairs);
        this.runtime = controllers.apply(this.store);
    }

    @Override
    public long activity() {
        RecordingStore.Requests now = store.requests();
        return now.writes() + now.failed() + now.events() + now.reads();
    }

    @Override
    public Optional<RecordingStore.Requests> requests() {
        return Optional.of(store.requests());
    }

    @Override
    public ProcessHandle process() {
        return ProcessHandle.current();
    }

    @Override
    public void close() {
        runtime.close();
    }
}

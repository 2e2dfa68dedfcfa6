// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A controller runtime whose store fails")
class BrokenStoreTest extends RunningToys {
    @Test
    @DisplayName("tries again when the store cannot be reached, or throws, at the start")
    void storeDown() {
        store.broken(true);
        create2();
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, A)).isPresent();
            assertThat(store.lists()).isGreaterThan(1);
        }
    }

    /** Heals the store once it was asked; another thread does it, since the decider must not. */
    private void create2() {
        Thread healer = new Thread(() -> {
            while (store.lists() < 1) {
                Thread.onSpinWait();
            }
            store.broken(false);
            store.down(true);
            while (store.lists() < 2) {
                Thread.onSpinWait();
            }
            store.down(false);
            create("a");
        });
        healer.setDaemon(true);
        healer.start();
    }

    @Test
    @DisplayName("leaves a store alone for as long as it asks for")
    void storeBusy() {
        create("a");
        store.busy(Duration.ofSeconds(1));
        long begun = System.nanoTime();
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(cached(runtime, A)).isPresent();
        }
    }

    @Test
    @DisplayName("loses nothing when the history is gone, or the watch only broke")
    void watchEnds() {
        create("a");
        try (ControllerRuntime runtime = runtime(options()).start()) {
            runtime.whenQuiescent().join();
            store.endWatches(Failure.GONE);
            create("b");
            store.delete(Kinds.CONFIG_MAP, A, dev.mooring.storage.store.DeleteOptions.DEFAULT)
                    .orThrow();
            store.endWatches(Failure.GONE);
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, A)).isEmpty();
            assertThat(cached(runtime, B)).isPresent();
            store.endWatches(Failure.UNAVAILABLE);
            create("c");
            runtime.whenQuiescent().join();
            assertThat(cached(runtime, Toys.key("c"))).isPresent();
        }
        assertThat(store.openWatches()).isZero();
    }
}

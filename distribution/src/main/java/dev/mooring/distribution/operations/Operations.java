// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import dev.mooring.runtime.metrics.Metric;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a running process tells its operators. Thread-safe. */
public interface Operations {
    /** All metrics with their values now; completes soon, or fails. */
    CompletableFuture<List<Metric>> metrics();

    /** Why the process should be started again; empty if it is well. Never waits. */
    Optional<String> sickness();

    /**
     * Why a process should be started again whose controllers, or whose node's agent, have ended by themselves.
     *
     * @param failure what they ended by, as {@link dev.mooring.runtime.ControllerRuntime#failure} tells; empty if they have not
     */
    static Optional<String> sickness(Optional<Throwable> failure) {
        return failure.map(cause -> "nothing is decided any more: " + cause);
    }

    /** Why the process does not do its work yet; empty if it does, or stands by. Never waits. */
    Optional<String> hindrance();
}

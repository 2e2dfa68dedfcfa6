// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.bench;

import java.util.Optional;

/** What binds the pairs of a run: controllers in this process, or another process. */
interface MeasuredBinder extends AutoCloseable {
    /** A number that grows with what it does to volumes and claims. */
    long activity();

    /** What it has asked of the server until now; empty where only the server knows. */
    Optional<RecordingStore.Requests> requests();

    /** Whose processor time is measured. */
    ProcessHandle process();

    @Override
    void close();
}

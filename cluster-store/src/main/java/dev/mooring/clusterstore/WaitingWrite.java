// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WriteRequest;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A write on its way to the medium. Everything but the construction is guarded by the store's write lock. */
final class WaitingWrite {
    private final WriteRequest request;
    private final Function<Writes, Written> action;
    private final Optional<String> lost;
    private @Nullable StoreResult<Written> result;
    private @Nullable Throwable defect;

    /**
     * Makes a write that waits.
     *
     * @param lost what its client gets in place of success; empty for the true answer
     */
    WaitingWrite(WriteRequest request, Function<Writes, Written> action, Optional<String> lost) {
        this.request = request;
        this.action = action;
        this.lost = lost;
    }

    WriteRequest request() {
        return request;
    }

    Function<Writes, Written> action() {
        return action;
    }

    boolean isAnswered() {
        return result != null || defect != null;
    }

    void answer(StoreResult<Written> answer) {
        result = answer;
    }

    void answer(Throwable ownDefect) {
        defect = ownDefect;
    }

    /** What the write did; empty if it failed. */
    Optional<Written> written() {
        return result == null ? Optional.empty() : result.value();
    }

    /** The answer to the client. Throws what the write threw, if that was a defect. */
    StoreResult<Written> told() {
        if (defect instanceof Error error) {
            throw error;
        }
        if (defect instanceof RuntimeException exception) {
            throw exception;
        }
        if (result == null) {
            throw new IllegalStateException("not carried out yet: " + request);
        }
        StoreResult<Written> known = result;
        boolean hidden = lost.isPresent() && known.failure().isEmpty();
        return hidden ? StoreResult.failed(Failure.UNKNOWN, lost.orElseThrow()) : known;
    }

    boolean hasDefect() {
        return defect != null;
    }
}

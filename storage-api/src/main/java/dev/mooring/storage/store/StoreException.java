// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import org.apiguardian.api.API;

/** A request that had to succeed did not; thrown by {@link StoreResult#orThrow()}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StoreException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** What is known about the request. It is not meant to be written to a stream. */
    @SuppressWarnings("serial")
    private final StoreResult.Failed<?> failed;

    StoreException(StoreResult.Failed<?> failed) {
        super(failed.reason() + ": " + failed.message());
        this.failed = failed;
    }

    /** What is known about the request. */
    public StoreResult.Failed<?> failed() {
        return failed;
    }
}

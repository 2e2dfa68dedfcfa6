// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;

/** A rule said no: leaves the middle of a request for {@link StoreCore}, which answers with it. Never reaches a client. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Failure failure;
    private final String text;

    Refused(Failure failure, String text) {
        super(text, null, false, false);
        this.failure = failure;
        this.text = text;
    }

    <T> StoreResult<T> asResult() {
        return StoreResult.failed(failure, text);
    }
}

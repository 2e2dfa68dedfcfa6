// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** A call that had to succeed did not; thrown by {@link Outcome#orThrow}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class OutcomeException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** What became of the call. It is not meant to be written to a stream. */
    @SuppressWarnings("serial")
    private final Outcome<?> outcome;

    OutcomeException(Outcome<?> outcome) {
        super(outcome.message());
        this.outcome = outcome;
    }

    /** What became of the call; never a success. */
    public Outcome<?> outcome() {
        return outcome;
    }
}

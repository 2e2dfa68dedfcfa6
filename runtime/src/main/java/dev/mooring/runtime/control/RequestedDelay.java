// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult;
import java.time.Duration;
import java.util.Optional;

/** The least wait before the next try that a store or plugin asked for. */
final class RequestedDelay {
    private RequestedDelay() {}

    static Duration of(EffectResult result) {
        Optional<Duration> asked =
                result.match(stored -> askedBy(stored.result()), performed -> askedBy(performed.answer()));
        return asked.orElse(Duration.ZERO);
    }

    private static Optional<Duration> askedBy(StoreResult<?> answer) {
        return answer.match(ok -> Optional.empty(), StoreResult.Failed::retryAfter);
    }

    private static Optional<Duration> askedBy(Outcome<?> answer) {
        return answer.match(
                done -> Optional.empty(),
                refused -> Optional.empty(),
                uncertain -> Optional.empty(),
                Outcome.Deferred::retryAfter,
                elsewhere -> Optional.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Duration;
import java.util.Optional;

/** The least wait before the next try that a store or plugin asked for. */
final class RequestedDelay {
    private RequestedDelay() {}

    static Duration of(EffectResult result) {
        Optional<Duration> asked = result.match(
                stored -> stored.result().retryAfter(),
                performed -> performed.answer().retryAfter());
        return asked.orElse(Duration.ZERO);
    }
}

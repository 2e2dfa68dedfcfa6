// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.storage.document.Document;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * The wait that a server asks for. It is a minute at most, whatever the server says: a wrong number must not blind a program for days, and a
 * server that is still busy says so again. A date is passed over, as Kubernetes sends none.
 */
final class RetryAfter {
    static final Duration LONGEST = Duration.ofMinutes(1);

    private RetryAfter() {}

    /** What the header {@code Retry-After} says, in seconds. */
    static Optional<Duration> of(HttpResponse<?> response) {
        return Optional.ofNullable(response.header("Retry-After"))
                .map(String::strip)
                .filter(text -> text.matches("\\d+"))
                .map(text -> text.length() > 9 ? LONGEST : bounded(Long.parseLong(text)));
    }

    /** What a {@code Status} says in {@code details.retryAfterSeconds}. */
    static Optional<Duration> of(Document status) {
        return status.at("details", "retryAfterSeconds")
                .filter(Long.class::isInstance)
                .map(seconds -> bounded((Long) seconds));
    }

    private static Duration bounded(long seconds) {
        return Duration.ofSeconds(Math.max(0, Math.min(LONGEST.toSeconds(), seconds)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import java.time.Duration;
import java.util.Optional;

/** What the server answered. */
final class Reply {
    private final int code;
    private final Optional<Duration> retryAfter;
    private final byte[] body;

    /**
     * Holds an answer.
     *
     * @param code the HTTP status
     * @param retryAfter the wait that it asked for
     * @param body the body; not copied, and never changed
     */
    Reply(int code, Optional<Duration> retryAfter, byte[] body) {
        this.code = code;
        this.retryAfter = retryAfter;
        this.body = body;
    }

    int code() {
        return code;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }

    byte[] body() {
        return body;
    }

    boolean isSuccess() {
        return code >= 200 && code < 300;
    }

    /** Whether the server says that another address answers it. */
    boolean isRedirect() {
        return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
    }
}

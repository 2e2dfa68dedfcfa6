// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import java.time.Duration;
import java.util.Optional;

/**
 * What the server answered.
 *
 * @param code the HTTP status
 * @param retryAfter the wait that it asked for
 * @param body the body
 */
record Reply(int code, Optional<Duration> retryAfter, String body) {
    boolean isSuccess() {
        return code >= 200 && code < 300;
    }
}

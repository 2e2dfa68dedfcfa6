// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import dev.mooring.testkit.host.PlainCall;
import java.time.Duration;
import java.time.Instant;

/** A call that has the connection made, before the kit begins to count. */
record FirstCall(Instant deadline) implements PlainCall {
    FirstCall() {
        this(Instant.now().plus(Duration.ofMinutes(1)));
    }
}

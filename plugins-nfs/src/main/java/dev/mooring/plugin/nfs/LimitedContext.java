// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.time.Instant;

/**
 * A part of a call that may not take all of the time that is left.
 *
 * @param call the whole call
 * @param deadline when this part of it has to end
 */
record LimitedContext(OperationContext call, Instant deadline) implements ForwardingContext {
    static OperationContext within(OperationContext call, Duration limit) {
        Instant end = call.clock().instant().plus(limit);
        return new LimitedContext(call, end.isBefore(call.deadline()) ? end : call.deadline());
    }
}

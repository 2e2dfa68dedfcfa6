// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.ForwardingContext;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import java.util.function.BooleanSupplier;

/**
 * The context of a piece of work that may go on after its call was given up: it is cancelled then, and tells nothing any more.
 *
 * @param awaited whether the call still waits for the work
 */
record AwaitedContext(OperationContext call, BooleanSupplier awaited) implements ForwardingContext {
    @Override
    public boolean cancelled() {
        return !awaited.getAsBoolean() || call.cancelled();
    }

    @Override
    public void report(Notice notice) {
        if (awaited.getAsBoolean()) {
            call.report(notice);
        }
    }
}

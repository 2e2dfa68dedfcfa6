// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass within a call. */
interface Patience {
    /** Waits, or until the call is cancelled. */
    void await(OperationContext context, Duration time);

    /** Really waits. */
    Patience REAL = (context, time) -> {
        CountDownLatch cancelled = new CountDownLatch(1);
        context.onCancel(cancelled::countDown);
        try {
            if (cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };
}

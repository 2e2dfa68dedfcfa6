// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a moment pass while the kernel does something by itself. */
interface Pause {
    /** Between two looks. */
    Duration LOOK = Duration.ofMillis(50);

    /** Passes the moment, or less of it if the call is cancelled. */
    void pass(OperationContext context, Duration moment);

    /** Real time. */
    Pause REAL = (context, moment) -> {
        CountDownLatch cancelled = new CountDownLatch(1);
        context.onCancel(cancelled::countDown);
        try {
            // whether it was cancelled is asked by whoever waits
            boolean early = cancelled.await(moment.toMillis(), TimeUnit.MILLISECONDS);
            if (early) {
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };
}

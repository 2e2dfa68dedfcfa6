// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/** Lets time pass within a call, while the kernel or a server does something by itself. Replaceable, so that tests need not wait. */
@FunctionalInterface
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Pause {
    /** Passes the time, or less of it if the call is cancelled or its thread is interrupted; that can be asked afterwards. */
    void pass(OperationContext context, Duration time);

    /** Real time. */
    Pause REAL = (context, time) -> {
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

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A system call that may hang in the kernel, for which the caller waits only until its deadline. The call itself cannot be ended: its
 * thread, a daemon, stays until the kernel answers.
 */
final class BoundedCall {
    /** A call without a result. */
    @FunctionalInterface
    interface Body {
        void run() throws KernelException;
    }

    private BoundedCall() {}

    /** Empty if there was no answer in time; else the failure, or empty for a success. */
    static Optional<Optional<KernelException>> within(OperationContext context, Body body) {
        FutureTask<Optional<KernelException>> task = new FutureTask<>(() -> {
            try {
                body.run();
                return Optional.empty();
            } catch (KernelException e) {
                return Optional.of(e);
            }
        });
        Thread thread = new Thread(task, "mooring-umount");
        thread.setDaemon(true);
        thread.start();
        return await(task, Duration.between(context.clock().instant(), context.deadline()));
    }

    private static Optional<Optional<KernelException>> await(
            FutureTask<Optional<KernelException>> task, Duration limit) {
        try {
            return Optional.of(task.get(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import dev.mooring.storage.spi.OperationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a driver said of all its volumes, which answers for a while: each volume would otherwise make the driver list them all again.
 * Thread-safe: one caller lists, and others have nothing meanwhile.
 *
 * @param <T> what is kept
 */
final class KeptListing<T> {
    private final Function<T, Duration> goodFor;
    private final AtomicBoolean listing = new AtomicBoolean();
    private volatile Optional<Kept<T>> last = Optional.empty();

    private record Kept<T>(T answer, Instant until) {}

    /**
     * Keeps nothing yet.
     *
     * @param goodFor how long an answer is kept
     */
    KeptListing(Function<T, Duration> goodFor) {
        this.goodFor = goodFor;
    }

    /**
     * The answer that is kept, or a new one.
     *
     * @param list asks the driver
     * @return empty while another caller lists
     */
    Optional<T> get(OperationContext context, Supplier<T> list) {
        return current(context).or(() -> listedNow(context, list));
    }

    private Optional<T> current(OperationContext context) {
        Instant now = context.clock().instant();
        return last.filter(kept -> now.isBefore(kept.until())).map(Kept::answer);
    }

    private Optional<T> listedNow(OperationContext context, Supplier<T> list) {
        if (!listing.compareAndSet(false, true)) {
            return Optional.empty();
        }
        try {
            return current(context).or(() -> {
                T answer = list.get();
                last = Optional.of(new Kept<>(answer, context.clock().instant().plus(goodFor.apply(answer))));
                return Optional.of(answer);
            });
        } finally {
            listing.set(false);
        }
    }
}

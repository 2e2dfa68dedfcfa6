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
 * What a driver said of all its volumes, which answers for a while: each volume would otherwise make the driver list them all again. Each
 * caller says how old an answer may be for it. Thread-safe: one caller lists, and others have nothing meanwhile.
 *
 * @param <T> what is kept
 */
final class KeptListing<T> {
    private final AtomicBoolean listing = new AtomicBoolean();
    private volatile Optional<Kept<T>> last = Optional.empty();

    private record Kept<T>(T answer, Instant since) {}

    /**
     * The answer that is kept, or a new one.
     *
     * @param goodFor how long an answer serves this caller
     * @param list asks the driver
     * @return empty while another caller lists
     */
    Optional<T> get(OperationContext context, Function<T, Duration> goodFor, Supplier<T> list) {
        return current(context, goodFor).or(() -> listedNow(context, goodFor, list));
    }

    private Optional<T> current(OperationContext context, Function<T, Duration> goodFor) {
        Instant now = context.clock().instant();
        return last.filter(kept -> now.isBefore(kept.since().plus(goodFor.apply(kept.answer()))))
                .map(Kept::answer);
    }

    private Optional<T> listedNow(OperationContext context, Function<T, Duration> goodFor, Supplier<T> list) {
        if (!listing.compareAndSet(false, true)) {
            return Optional.empty();
        }
        try {
            return current(context, goodFor).or(() -> {
                T answer = list.get();
                last = Optional.of(new Kept<>(answer, context.clock().instant()));
                return Optional.of(answer);
            });
        } finally {
            listing.set(false);
        }
    }
}

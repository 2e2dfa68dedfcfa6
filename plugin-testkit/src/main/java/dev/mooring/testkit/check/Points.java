// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.watch.Trouble;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** At which changes of a call trouble is tried. */
final class Points {
    /** A call with more changes than this is tried at the first ones only. */
    private static final int MOST_CHANGES = 60;

    private Points() {}

    /**
     * All changes, of which the caller tries as many as the call has; or, where that takes too long, a few of them, evenly chosen, and
     * others for every kind of trouble.
     *
     * @param call names the call
     * @param counting how many changes the call makes, tried out
     */
    static List<Integer> of(Bench bench, String call, Trouble trouble, IntSupplier counting) {
        int wanted = bench.subject().points();
        if (wanted >= MOST_CHANGES) {
            return IntStream.rangeClosed(1, MOST_CHANGES).boxed().toList();
        }
        int changes = Math.min(MOST_CHANGES, bench.known("changes of " + call, counting));
        int tried = Math.max(1, Math.min(wanted, changes));
        List<Trouble> kinds = List.of(Trouble.values());
        int kind = kinds.indexOf(trouble);
        return IntStream.range(0, tried)
                .map(i -> (i * kinds.size() + kind) * changes / (tried * kinds.size()) + 1)
                .boxed()
                .toList();
    }
}

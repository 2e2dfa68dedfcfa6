// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Steps one after the other, up to the first that does not succeed. Pure. */
final class Steps {
    private Steps() {}

    static <T> Outcome<Nothing> each(Iterable<T> all, Function<T, Outcome<Nothing>> step) {
        for (T one : all) {
            Outcome<Nothing> outcome = step.apply(one);
            if (!outcome.isDone()) {
                return outcome;
            }
        }
        return Outcome.done();
    }

    static <T, R> Outcome<List<R>> collect(Iterable<T> all, Function<T, Outcome<R>> step) {
        List<R> results = new ArrayList<>();
        for (T one : all) {
            Outcome<R> outcome = step.apply(one);
            if (!outcome.isDone()) {
                return outcome.failed();
            }
            outcome.result().ifPresent(results::add);
        }
        return Outcome.done(results);
    }

    /** The first result that is there. */
    static <T, R> Outcome<Optional<R>> first(Iterable<T> all, Function<T, Outcome<Optional<R>>> step) {
        for (T one : all) {
            Outcome<Optional<R>> outcome = step.apply(one);
            if (!outcome.isDone() || outcome.result().orElseThrow().isPresent()) {
                return outcome;
            }
        }
        return Outcome.done(Optional.empty());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps of an end, of which each is done whatever became of those before it. Not thread-safe. */
final class Closing implements Runnable {
    private final List<Runnable> steps = new ArrayList<>();

    /** The next step. */
    void add(Runnable step) {
        steps.add(step);
    }

    /** A step before all others, as what was begun last ends first. */
    void addFirst(Runnable step) {
        steps.add(0, step);
    }

    /** Does all steps because of a failure, to which it adds what fails now. */
    void runAfter(Exception why) {
        try {
            run();
        } catch (RuntimeException | Error failed) {
            why.addSuppressed(failed);
        }
    }

    /** Does all steps in their order, then throws what failed first, with whatever failed after it. */
    @Override
    public void run() {
        @Nullable Throwable first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error failed) {
                if (first == null) {
                    first = failed;
                } else if (first != failed) {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first instanceof RuntimeException failed) {
            throw failed;
        } else if (first instanceof Error failed) {
            throw failed;
        }
    }
}

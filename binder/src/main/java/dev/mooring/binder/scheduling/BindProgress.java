// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far the bind of a pod's volumes is.
 *
 * @param assumption what is to come true
 * @param volumes volumes that were seen to name their claim
 * @param claims claims that were seen to have their node
 * @param startedNanos monotonic time of the beginning
 */
record BindProgress(Assumption assumption, Set<String> volumes, Set<ObjectKey> claims, long startedNanos) {
    BindProgress {
        volumes = Collections.unmodifiableSet(new TreeSet<>(volumes));
        claims = Collections.unmodifiableSet(new TreeSet<>(claims));
    }

    static BindProgress beginning(Assumption assumption, long nowNanos) {
        return new BindProgress(assumption, Set.of(), Set.of(), nowNanos);
    }

    Duration elapsed(long nowNanos) {
        return Duration.ofNanos(nowNanos - startedNanos);
    }
}

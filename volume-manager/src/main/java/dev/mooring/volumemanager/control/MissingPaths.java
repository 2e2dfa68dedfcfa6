// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.storage.spi.Staging;
import java.time.Duration;
import java.util.Optional;

/** What staged volumes lack, and when it is asked for: first after a while, then with the usual back-off. Pure. */
record MissingPaths(PluginRegistry plugins) {
    /** How long nothing is tried again: what did not answer a moment ago seldom answers now. */
    static final Duration FIRST = Duration.ofSeconds(30);

    /** The reason of the event that names what is missing. */
    static final String MISSING = "VolumePathMissing";

    /** The reason of the event that says that nothing is missing any more. */
    static final String WHOLE = "VolumePathsComplete";

    /** For people, what a staged volume lacks; empty if nothing, or if nothing was called for it. */
    Optional<String> of(Stage record) {
        return record.stagingPath()
                .flatMap(path -> plugins.capability(record.volumeId().plugin(), Staging.class)
                        .flatMap(plugin -> plugin.missing(record.state())));
    }

    /** How long it has to be waited before the first try; empty if not any more. */
    static Optional<Duration> wait(StageState state, Time now) {
        return state.lacking()
                .map(since -> FIRST.minusNanos(now.monotonicNanos() - since))
                .filter(left -> !left.isNegative() && !left.isZero());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether what the Node's status shows as in use can be relied upon: a report that is on its way may take a volume out that the caches
 * still show. Derived from the states of {@link NodeReport}; confined to the decider.
 */
public final class InUseReport {
    private final List<Consumer<List<String>>> listeners = new ArrayList<>();
    private Optional<List<String>> underway = Optional.empty();

    /** Asks to be told of every report that has been settled: what it left in use. */
    void onSettled(Consumer<List<String>> listener) {
        listeners.add(listener);
    }

    /** Whether no write that might still come leaves the volume out. */
    boolean isAcknowledged(String name) {
        return underway.filter(names -> !names.contains(name)).isEmpty();
    }

    /** Learns which report may still come; absent if none can. */
    void learn(Optional<List<String>> names) {
        Optional<List<String>> settled =
                underway.filter(before -> !Optional.of(before).equals(names));
        underway = names;
        settled.ifPresent(before -> listeners.forEach(listener -> listener.accept(before)));
    }
}

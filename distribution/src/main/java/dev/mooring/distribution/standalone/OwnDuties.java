// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.clusterstore.duty.KindDuties;
import dev.mooring.clusterstore.statefulset.StatefulSetDuty;
import dev.mooring.distribution.wiring.ControllerChoice;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import java.util.Optional;

/**
 * What a standalone server does beside the controllers of volumes: the duties of kinds that users define, and StatefulSets.
 *
 * @param kinds the duties of defined kinds
 * @param statefulSets empty if they are switched off
 */
record OwnDuties(KindDuties kinds, Optional<StatefulSetDuty> statefulSets) {
    /**
     * Starts them.
     *
     * @param closing is given what closes each of them
     */
    static OwnDuties start(
            EmbeddedClusterStore store, ControllerChoice controllers, EventSink events, Closing closing) {
        KindDuties kinds = KindDuties.start(store, RuntimeOptions.defaults(), controllers::runs);
        closing.addFirst(kinds::close);
        Optional<StatefulSetDuty> statefulSets = controllers.runs(ControllerChoice.STATEFUL_SETS)
                ? Optional.of(StatefulSetDuty.start(store, events, TimeSource.system()))
                : Optional.empty();
        statefulSets.ifPresent(sets -> closing.addFirst(sets::close));
        return new OwnDuties(kinds, statefulSets);
    }

    /** What ended one of them; empty while all work. */
    Optional<Throwable> failure() {
        return kinds.failure().or(() -> statefulSets.flatMap(StatefulSetDuty::failure));
    }

    void close() {
        Closing closing = new Closing();
        closing.add(kinds::close);
        statefulSets.ifPresent(sets -> closing.add(sets::close));
        closing.run();
    }
}

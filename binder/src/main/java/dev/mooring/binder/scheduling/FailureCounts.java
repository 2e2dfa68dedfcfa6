// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Failures by stage. Written by the decider, read by any thread. */
final class FailureCounts {
    private final Map<SchedulingStage, LongAdder> counts = new EnumMap<>(SchedulingStage.class);

    FailureCounts() {
        for (SchedulingStage stage : SchedulingStage.values()) {
            counts.put(stage, new LongAdder());
        }
    }

    void add(SchedulingStage stage) {
        LongAdder count = counts.get(stage);
        if (count != null) {
            count.increment();
        }
    }

    Map<SchedulingStage, Long> snapshot() {
        Map<SchedulingStage, Long> copy = new EnumMap<>(SchedulingStage.class);
        counts.forEach((stage, count) -> copy.put(stage, count.sum()));
        return Collections.unmodifiableMap(copy);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.LoopListener;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Counts decisions per key, so that a world that does not come to rest is noticed and can say who keeps it awake. */
final class Busiest {
    private static final int SHOWN = 3;

    private final Map<Who, Integer> decisions = new HashMap<>();
    private int most;

    void clear() {
        decisions.clear();
        most = 0;
    }

    /** How often the busiest key was decided. */
    int most() {
        return most;
    }

    private void count(Who who) {
        most = Math.max(most, decisions.merge(who, 1, Integer::sum));
    }

    String describe() {
        return decisions.entrySet().stream()
                .sorted(Map.Entry.<Who, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(SHOWN)
                .map(entry -> entry.getKey() + " (" + entry.getValue() + " decisions)")
                .collect(Collectors.joining(", "));
    }

    /** What listens to the loop of a process. */
    LoopListener of(String process, WorldObserver observer) {
        return new LoopListener() {
            @Override
            public void onDecision(String controller, Key key, Decision decision) {
                count(new Who(process, controller, key));
            }

            @Override
            public void onHeldBack(String controller, Key key, Effect effect) {
                count(new Who(process, controller, key));
            }

            @Override
            public void onTimer(String controller, Key key) {
                observer.onTimer(process, controller, key);
            }

            @Override
            public void onDefect(String controller, Key key, RuntimeException defect) {
                observer.onDefect(process, controller, key, defect);
            }
        };
    }

    private record Who(String process, String controller, Key key) {
        @Override
        public String toString() {
            return process + ": " + controller + ": " + key;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.List;

/**
 * How a random world went.
 *
 * @param seed what decided it
 * @param acts what was done to it, in order, for people
 * @param violations broken safety invariants; none in a good world
 * @param unsettled what should have come to pass after the faults had ended, and did not
 * @param defects exceptions of controllers
 * @param calls how many calls to back-ends were made
 */
public record WorldReport(
        long seed,
        List<String> acts,
        List<String> violations,
        List<String> unsettled,
        List<String> defects,
        int calls) {
    /** Copies the lists. */
    public WorldReport {
        acts = List.copyOf(acts);
        violations = List.copyOf(violations);
        unsettled = List.copyOf(unsettled);
        defects = List.copyOf(defects);
    }

    /** Whether nothing is wrong. */
    public boolean good() {
        return violations.isEmpty() && unsettled.isEmpty() && defects.isEmpty();
    }

    /** For people: what is wrong, and what led to it. */
    public String describe() {
        StringBuilder text = new StringBuilder("seed " + seed);
        violations.forEach(violation -> text.append("\n  violated ").append(violation));
        unsettled.forEach(line -> text.append("\n  unsettled ").append(line));
        defects.forEach(defect -> text.append("\n  defect ").append(defect));
        acts.forEach(act -> text.append("\n    ").append(act));
        return text.toString();
    }
}

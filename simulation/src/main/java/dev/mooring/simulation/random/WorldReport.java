// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * How a random world went. Two plays of one seed are equal.
 *
 * @param seed what decided it
 * @param acts what was done to it, in order; never null
 * @param violations what is wrong, each beginning with the rule that is broken and a colon; empty in a good world; never null
 * @param lastEvents what happened before something was wrong for the first time, a line each, the latest last; empty in a good world;
 *     never null
 * @param faults how often faults of each class struck; never null
 * @param events how much happened: watch events, decisions, effects, timers
 * @param hash of everything that was written and called, in order
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorldReport(
        long seed,
        List<Act> acts,
        List<String> violations,
        List<String> lastEvents,
        Map<FaultClass, Integer> faults,
        long events,
        long hash) {
    /** Copies the collections. */
    public WorldReport {
        acts = List.copyOf(acts);
        violations = List.copyOf(violations);
        lastEvents = List.copyOf(lastEvents);
        Map<FaultClass, Integer> counts = new EnumMap<>(FaultClass.class);
        counts.putAll(faults);
        faults = Collections.unmodifiableMap(counts);
    }

    /** Whether nothing is wrong. */
    public boolean good() {
        return violations.isEmpty();
    }

    /** With what was played beside it: if that is not good, its acts and what is wrong there are added. */
    WorldReport with(WorldReport beside) {
        WorldReport told = beside.good() ? this : beside;
        Map<FaultClass, Integer> all = new EnumMap<>(FaultClass.class);
        all.putAll(faults);
        beside.faults.forEach((fault, count) -> all.merge(fault, count, Integer::sum));
        return new WorldReport(
                seed,
                told.acts,
                told.violations,
                told.lastEvents,
                all,
                events + beside.events,
                31 * hash + beside.hash);
    }

    /** With something else that is wrong. */
    WorldReport violating(List<String> more) {
        return new WorldReport(
                seed,
                acts,
                Stream.concat(violations.stream(), more.stream()).toList(),
                lastEvents,
                faults,
                events,
                hash);
    }

    /** The rules that are broken, in order of their first appearance. */
    public List<String> rules() {
        return violations.stream().map(WorldReport::ruleOf).distinct().toList();
    }

    static String ruleOf(String violation) {
        int colon = violation.indexOf(':');
        return colon < 0 ? violation : violation.substring(0, colon);
    }

    /** For people: what is wrong, what led to it, and what happened last before it was. */
    public String describe() {
        StringBuilder text = new StringBuilder("seed " + seed);
        violations.forEach(violation -> text.append("\n  violated ").append(violation));
        acts.forEach(act -> text.append("\n    ").append(act.what()));
        lastEvents.forEach(event -> text.append("\n  ").append(event));
        return text.toString();
    }
}

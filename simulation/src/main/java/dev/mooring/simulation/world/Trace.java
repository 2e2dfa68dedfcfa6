// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What happened since the start of a step, in order. A repeated event counts once. Confined to the world's thread. */
public final class Trace {
    private final Set<EventEntry> events = new LinkedHashSet<>();
    private final List<WriteEntry> writes = new ArrayList<>();
    private final List<ReadEntry> reads = new ArrayList<>();
    private final List<CallEntry> calls = new ArrayList<>();
    private final Set<String> defects = new LinkedHashSet<>();
    private Consumer<WriteEntry> refusals = write -> {};
    private long timers;

    /** Forgets everything: a new step begins. */
    public void clear() {
        events.clear();
        writes.clear();
        reads.clear();
        calls.clear();
        defects.clear();
        timers = 0;
    }

    /** Adds an event. */
    public void add(EventEntry event) {
        events.add(event);
    }

    /** Adds a write. */
    public void add(WriteEntry write) {
        writes.add(write);
        if (!write.outcome().equals("ok")) {
            refusals.accept(write);
        }
    }

    /** Reports, from now on, every write that is not answered with success. */
    public void showRefused(Consumer<WriteEntry> hearer) {
        refusals = hearer;
    }

    /** Adds a read. */
    public void add(ReadEntry read) {
        reads.add(read);
    }

    /** Adds a call. */
    public void add(CallEntry call) {
        calls.add(call);
    }

    /** Adds a defect of the control plane. */
    public void addDefect(String description) {
        defects.add(description);
    }

    /** A timer of a controller went off. */
    public void addTimer() {
        timers++;
    }

    /** How many timers of controllers and agents went off. */
    public long timers() {
        return timers;
    }

    /** The events, each once, in the order of their first appearance. */
    public List<EventEntry> events() {
        return List.copyOf(events);
    }

    /** The writes of controllers and agents that the store accepted or refused. */
    public List<WriteEntry> writes() {
        return List.copyOf(writes);
    }

    /** The reads of single objects by controllers and agents; what they list and watch is not in it. */
    public List<ReadEntry> reads() {
        return List.copyOf(reads);
    }

    /** The calls. */
    public List<CallEntry> calls() {
        return List.copyOf(calls);
    }

    /** The defects. */
    public List<String> defects() {
        return List.copyOf(defects);
    }

    /** Events for people. */
    public record EventEntry(String kind, String namespace, String name, String type, String reason, String message) {}

    /** A write. */
    public record WriteEntry(
            String verb, String kind, String namespace, String name, String subresource, String outcome) {}

    /** A read of one object. */
    public record ReadEntry(String kind, String namespace, String name) {}

    /** A call. */
    public record CallEntry(String plugin, String operation, String volume, String node, String outcome) {}
}

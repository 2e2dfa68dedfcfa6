// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The last things that happened to each object, as far as there is room: if it becomes scarce, the object goes to which nothing has
 * happened for the longest time. Thread-safe.
 */
final class LifeStore {
    /** About what an entry takes beside its text, and an object beside its entries, in bytes. */
    private static final long ENTRY = 120;

    private static final long OBJECT = 250;
    private static final int MOST_ENTRIES = 60;
    /** The controllers and the node's agent see the same changes, a moment apart. */
    private static final Duration SAME = Duration.ofSeconds(5);

    private static final int LOOKED_BACK = 4;

    private final long room;

    // Guarded by this; the object to which something happened last comes last.
    private final Map<Subject, Deque<LifeEntry>> lines = new LinkedHashMap<>(16, 0.75f, true);
    private long taken;

    LifeStore(long room) {
        this.room = room;
    }

    /** Whose life it is: objects of one name that follow each other share it. */
    record Subject(PageKind kind, ObjectKey key) {}

    synchronized void add(Subject subject, LifeEntry entry) {
        Deque<LifeEntry> line = lines.get(subject);
        if (line == null) {
            line = new ArrayDeque<>(2);
            lines.put(subject, line);
            taken += size(subject);
        }
        if (isKnown(line, entry)) {
            return;
        }
        LifeEntry last = line.peekLast();
        if (last != null && last.says(entry)) {
            line.removeLast();
            line.addLast(last.again(entry));
            return;
        }
        line.addLast(entry);
        taken += size(entry);
        if (line.size() > MOST_ENTRIES) {
            taken -= size(line.removeFirst());
        }
        makeRoom();
    }

    private static boolean isKnown(Deque<LifeEntry> line, LifeEntry entry) {
        if (entry.source() != LifeEntry.Source.CHANGE) {
            return false;
        }
        Iterator<LifeEntry> newest = line.descendingIterator();
        for (int looked = 0; looked < LOOKED_BACK && newest.hasNext(); looked++) {
            LifeEntry each = newest.next();
            if (each.says(entry)
                    && Duration.between(each.at(), entry.at()).abs().compareTo(SAME) < 0) {
                return true;
            }
        }
        return false;
    }

    private void makeRoom() {
        Iterator<Map.Entry<Subject, Deque<LifeEntry>>> oldest = lines.entrySet().iterator();
        while (taken > room && oldest.hasNext()) {
            Map.Entry<Subject, Deque<LifeEntry>> gone = oldest.next();
            oldest.remove();
            taken -= size(gone.getKey());
            gone.getValue().forEach(entry -> taken -= size(entry));
        }
    }

    private static long size(Subject subject) {
        return OBJECT + 2L * subject.key().name().length();
    }

    private static long size(LifeEntry entry) {
        return ENTRY + 2L * entry.text().length();
    }

    /** What a source tells of each object, in lower case. */
    synchronized Map<Subject, String> texts(LifeEntry.Source source) {
        Map<Subject, String> texts = new HashMap<>();
        lines.forEach((subject, line) -> line.stream()
                .filter(entry -> entry.source() == source)
                .forEach(entry -> texts.merge(subject, entry.text().toLowerCase(Locale.ROOT) + "\n", String::concat)));
        return texts;
    }

    /** What happened to an object, the newest first. */
    synchronized List<LifeEntry> of(Subject subject) {
        List<LifeEntry> entries = new ArrayList<>(lines.getOrDefault(subject, new ArrayDeque<>(0)));
        Collections.reverse(entries);
        return entries;
    }

    /** About how many bytes it takes. */
    synchronized long taken() {
        return taken;
    }
}

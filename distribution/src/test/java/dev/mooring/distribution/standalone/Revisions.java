// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** What each revision of a server's whole life means, over all its lives; says what does not fit. Thread-safe. */
final class Revisions {
    private final Map<Long, String> meanings = new ConcurrentHashMap<>();
    private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    private final AtomicLong highest = new AtomicLong();
    private final List<String> problems = new CopyOnWriteArrayList<>();

    /** A client was told that a revision made this. */
    void told(long revision, String meaning) {
        highest.accumulateAndGet(revision, Math::max);
        String before = meanings.putIfAbsent(revision, meaning);
        if (before != null && !before.equals(meaning)) {
            problem("revision " + revision + " is " + before + " and " + meaning);
        }
    }

    /** The writer was told. */
    void acknowledged(long revision, String meaning) {
        told(revision, meaning);
        if (!acknowledged.add(revision)) {
            problem("revision " + revision + " was given twice: " + meaning);
        }
    }

    void problem(String what) {
        problems.add(what);
    }

    List<String> problems() {
        return problems;
    }

    Set<Long> acknowledged() {
        return acknowledged;
    }

    long highest() {
        return highest.get();
    }
}

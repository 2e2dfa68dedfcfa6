// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.watch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How much waits for slow clients, for each and for all together. Thread-safe. */
public final class Backlog {
    /** One client may be shown much at once when its watch begins. */
    private static final long MOST_FOR_ONE = 32L << 20;

    private final long mostForAll;
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicInteger clients = new AtomicInteger();

    Backlog(long mostForAll) {
        this.mostForAll = mostForAll;
    }

    /** A limit that fits the memory of this process. */
    static Backlog ofThisProcess() {
        return new Backlog(Math.max(MOST_FOR_ONE, Runtime.getRuntime().maxMemory() / 8));
    }

    void begun() {
        clients.incrementAndGet();
    }

    void ended() {
        clients.decrementAndGet();
    }

    void changed(long bytes) {
        waiting.addAndGet(bytes);
    }

    /** How many bytes wait at present. */
    long waiting() {
        return waiting.get();
    }

    /** Whether a client for which so much waits already cannot have more: it has its share, and all have too much together. */
    boolean isTooMuch(long already, int more) {
        long share = mostForAll / Math.max(1, clients.get());
        return already + more > MOST_FOR_ONE || (waiting.get() + more > mostForAll && already + more > share);
    }
}

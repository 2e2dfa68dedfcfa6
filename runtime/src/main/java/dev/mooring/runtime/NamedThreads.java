// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads whose names say what they do. */
final class NamedThreads {
    private NamedThreads() {}

    static ThreadFactory daemons() {
        return work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        };
    }

    static ThreadFactory named(ThreadFactory factory, String prefix) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = factory.newThread(work);
            thread.setName(prefix + "-" + count.incrementAndGet());
            return thread;
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A lock for each target that is being worked on. There are as many as that: a fixed number would have one target wait for another one that
 * does not answer, and one for each that was ever seen would stay for ever. Thread-safe.
 */
final class TargetLocks {
    private final Map<String, Shared> locks = new ConcurrentHashMap<>();

    /** A lock, and how many have it or wait for it. */
    private record Shared(ReentrantLock lock, int users) {
        Shared(int users) {
            this(new ReentrantLock(true), users);
        }

        Shared with(int more) {
            return new Shared(lock, users + more);
        }
    }

    /** Has the action see to the lock of a target, which is the same one for all that use it at a time. */
    <T> T with(String iqn, Function<ReentrantLock, T> action) {
        Shared shared = locks.merge(iqn, new Shared(1), (there, first) -> there.with(1));
        try {
            return action.apply(shared.lock());
        } finally {
            locks.computeIfPresent(iqn, (name, there) -> there.users() == 1 ? null : there.with(-1));
        }
    }

    int size() {
        return locks.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Announces what an object waits for once it has waited for {@link Defaults#LONG_WAIT}: the one place that turns "waits since, for what"
 * into events, for all controllers. A decision says which objects it concerns ({@link Decision#concerns}). If nothing of its own is under
 * way, it says what they wait for ({@link Decision#waitsFor}). Otherwise the loop knows: the effect in flight, the last failure of what
 * backs off, or the target that is busy.
 *
 * <p>Each cause is announced once while the wait lasts: the first one at the limit, a later one when it has lasted as long itself. An event
 * about the object in the key's own decision counts as the announcement. Only an object that waits has a timer, and only until the
 * announcement. Confined to the decider.
 */
final class LongWaits {
    private static final int REMEMBERED_CAUSES = 16;
    private static final Comparator<Due> ORDER =
            Comparator.comparingLong(Due::atNanos).thenComparingLong(Due::sequence);

    private final TreeSet<Due> timers = new TreeSet<>(ORDER);
    private long sequence;

    /** When the wait of a key has to be announced. */
    private record Due(long atNanos, long sequence, WorkItem item) {}

    /** An object, without the event about it. */
    private record About(Kind<?> kind, ObjectKey object, String uid) {
        static About of(Concern concern) {
            return new About(concern.kind(), concern.object(), concern.uid());
        }

        static About of(Announcement news) {
            return new About(news.kind(), news.object(), news.uid());
        }
    }

    /** What the objects of one key wait for, and since when. */
    static final class Wait {
        private List<Concern> concerns = List.of();
        private String why = "";
        private long whySinceNanos;
        private Map<About, Waiter> waiters = Map.of(); // most keys have none

        @Nullable
        private Due due;

        boolean isEmpty() {
            return waiters.isEmpty();
        }
    }

    private static final class Waiter {
        private long sinceNanos;
        private final Set<String> told = new LinkedHashSet<>();

        Waiter(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }

        void tell(String why) {
            told.add(why);
            if (told.size() > REMEMBERED_CAUSES) {
                told.remove(told.iterator().next());
            }
        }

        /** When a cause has to be announced; the end of time if it was. */
        long dueNanos(String why, long whySinceNanos) {
            if (told.contains(why)) {
                return Long.MAX_VALUE;
            }
            return (told.isEmpty() ? sinceNanos : Math.max(sinceNanos, whySinceNanos)) + Defaults.LONG_WAIT.toNanos();
        }
    }

    /** A term begins: what earlier waits were for may have come meanwhile, so all waits begin again. */
    void begin(long nowNanos) {
        for (Due due : List.copyOf(timers)) {
            Wait wait = due.item().wait;
            wait.whySinceNanos = nowNanos;
            wait.waiters.values().forEach(waiter -> waiter.sinceNanos = nowNanos);
            schedule(due.item(), nowNanos);
        }
    }

    /** A decision was applied. */
    void applied(WorkItem item, Decision decision, long nowNanos) {
        if (update(item, decision, cause(item, decision, nowNanos), nowNanos)) {
            for (Effect effect : decision.effects()) {
                if (effect instanceof Effect.Announce announce) {
                    Waiter waiter = item.wait.waiters.get(About.of(announce.announcement()));
                    if (waiter != null) {
                        waiter.tell(item.wait.why);
                    }
                }
            }
            schedule(item, nowNanos);
        }
    }

    /** A decision was thrown away and will be made again. */
    void heldBack(WorkItem item, Decision decision, Effect held, long nowNanos) {
        String failure = item.failureOf(held);
        if (update(item, decision, failure.isEmpty() ? WaitText.heldBack(held) : failure, nowNanos)) {
            schedule(item, nowNanos);
        }
    }

    /** Objects wait as well for what is in flight of a key, such as one that took the name of another one. */
    void joined(WorkItem item, List<Concern> concerns, long nowNanos) {
        Wait wait = item.wait;
        if (concerns.isEmpty() || wait.why.isEmpty()) {
            return;
        }
        wait.concerns = concerns;
        waitersAre(wait, concerns, nowNanos);
        schedule(item, nowNanos);
    }

    /** Only concerned objects wait; who waits already has waited since then. */
    private static void waitersAre(Wait wait, List<Concern> concerns, long nowNanos) {
        if (concerns.isEmpty()) {
            wait.waiters = Map.of();
            return;
        }
        if (wait.waiters.isEmpty()) {
            wait.waiters = new HashMap<>(2);
        }
        Set<About> waiting = new HashSet<>();
        concerns.forEach(concern -> waiting.add(About.of(concern)));
        wait.waiters.keySet().retainAll(waiting);
        waiting.forEach(about -> wait.waiters.computeIfAbsent(about, added -> new Waiter(nowNanos)));
    }

    /** What the objects wait for after a decision; empty if for nothing. */
    private static String cause(WorkItem item, Decision decision, long nowNanos) {
        if (decision.waitsFor().isPresent()) {
            return decision.waitsFor().get();
        }
        for (Effect effect : decision.effects()) {
            if (!(effect instanceof Effect.Announce)) {
                String failure = item.failureOf(effect);
                return failure.isEmpty() ? WaitText.inFlight(effect) : failure;
            }
        }
        boolean tried = decision.wakeAfter().isPresent()
                || !item.backoffs.waits(nowNanos).isEmpty();
        return tried ? item.standingFailure() : "";
    }

    /** Whether an object waits, or did. */
    private static boolean update(WorkItem item, Decision decision, String why, long nowNanos) {
        Wait wait = item.wait;
        wait.concerns = decision.concerns();
        if (!why.equals(wait.why)) {
            wait.why = why;
            wait.whySinceNanos = nowNanos;
        }
        if (wait.concerns.isEmpty() && wait.isEmpty()) {
            return false;
        }
        waitersAre(wait, why.isEmpty() ? List.of() : wait.concerns, nowNanos);
        return true;
    }

    private void schedule(WorkItem item, long nowNanos) {
        Wait wait = item.wait;
        if (wait.due != null) {
            timers.remove(wait.due);
            wait.due = null;
        }
        long next = Long.MAX_VALUE;
        for (Waiter waiter : wait.waiters.values()) {
            next = Math.min(next, waiter.dueNanos(wait.why, wait.whySinceNanos));
        }
        if (next != Long.MAX_VALUE) {
            wait.due = new Due(Math.max(next, nowNanos), sequence++, item);
            timers.add(wait.due);
        }
    }

    /** When the next announcement is due. */
    OptionalLong next() {
        return timers.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(timers.first().atNanos());
    }

    /**
     * Hands out the announcements that are due.
     *
     * @param teller is given each event, and the key whose objects wait
     */
    void fire(long nowNanos, BiConsumer<WorkItem, Announcement> teller) {
        while (!timers.isEmpty() && timers.first().atNanos() <= nowNanos) {
            WorkItem item = timers.pollFirst().item();
            Wait wait = item.wait;
            wait.due = null;
            List<Announcement> news = new ArrayList<>();
            for (Concern concern : wait.concerns) {
                Waiter waiter = wait.waiters.get(About.of(concern));
                if (waiter != null && waiter.dueNanos(wait.why, wait.whySinceNanos) <= nowNanos) {
                    waiter.tell(wait.why);
                    news.add(concern.waiting(wait.why));
                }
            }
            schedule(item, nowNanos);
            news.forEach(each -> teller.accept(item, each));
        }
    }
}

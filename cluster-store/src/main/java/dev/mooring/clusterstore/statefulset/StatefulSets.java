// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.statefulset;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of StatefulSets, as kube-controller-manager has it, for a store without Kubernetes behind it: pods and claims with names that
 * stay, made and ended in order, and updated by revision. It does nothing by itself: {@link StatefulSetDuty} gives it a thread, a program
 * with a thread of its own calls {@link #work}. It must not run beside another one. Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class StatefulSets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatefulSets.class);
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final TimeSource time;
    private final WatchedObjects known;
    private final SetWriter writer;
    private final Set<ObjectKey> concerned = new LinkedHashSet<>();
    private final Map<ObjectKey, Failing> failing = new HashMap<>();
    private final Map<ObjectKey, Instant> waking = new HashMap<>();
    private Optional<Failing> unfollowed = Optional.empty();

    /**
     * Something that failed.
     *
     * @param waited how long it was waited before the next try
     * @param untilNanos when that is, by the monotonic clock
     */
    private record Failing(Duration waited, long untilNanos) {
        static Failing once(long nanos) {
            return new Failing(FIRST_WAIT, nanos + FIRST_WAIT.toNanos());
        }

        Failing again(long nanos) {
            Duration twice = waited.multipliedBy(2);
            Duration next = twice.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : twice;
            return new Failing(next, nanos + next.toNanos());
        }

        boolean isOver(long nanos) {
            return untilNanos - nanos <= 0;
        }
    }

    /**
     * Makes a controller that has looked at nothing yet.
     *
     * @param store never closed by the controller; never null
     * @param events takes the events for people; never null
     * @param time the clock by which pods are ready for so long; never null
     * @param wake called by any thread when there may be work; must return at once; never null
     */
    public StatefulSets(DocumentStore store, EventSink events, TimeSource time, Runnable wake) {
        this.time = time;
        this.known = new WatchedObjects(store, concerned::add, wake);
        this.writer = new SetWriter(store, known, events);
    }

    /** Does what there is to do now; answers whether that was anything. */
    public boolean work() {
        Time now = time.now();
        boolean any = known.takeNews();
        if (unfollowed.filter(each -> !each.isOver(now.monotonicNanos())).isPresent()) {
            return any;
        }
        unfollowed = follow(now);
        if (unfollowed.isPresent()) {
            return any;
        }
        for (ObjectKey set : due(now)) {
            concerned.remove(set);
            waking.remove(set);
            any |= tryToWork(set, now);
        }
        return any;
    }

    private Optional<Failing> follow(Time now) {
        if (known.follow()) {
            return Optional.empty();
        }
        return Optional.of(unfollowed
                .map(each -> each.again(now.monotonicNanos()))
                .orElseGet(() -> Failing.once(now.monotonicNanos())));
    }

    /** What failed is tried again after a time, or when an object changes: that may be what it needs. */
    private List<ObjectKey> due(Time now) {
        Stream<ObjectKey> woken = waking.entrySet().stream()
                .filter(entry -> !entry.getValue().isAfter(now.wall()))
                .map(Map.Entry::getKey);
        Stream<ObjectKey> again = failing.entrySet().stream()
                .filter(entry -> entry.getValue().isOver(now.monotonicNanos()))
                .map(Map.Entry::getKey);
        return Stream.of(concerned.stream(), woken, again)
                .flatMap(keys -> keys)
                .distinct()
                .toList();
    }

    /** A set that cannot be worked on does not keep the others waiting. */
    private boolean tryToWork(ObjectKey key, Time now) {
        try {
            return work(key, now);
        } catch (RuntimeException e) {
            LOG.error("StatefulSet {}/{} cannot be worked on; it is tried again", key.namespace(), key.name(), e);
            failed(key, now);
            return true;
        }
    }

    private void failed(ObjectKey key, Time now) {
        long nanos = now.monotonicNanos();
        Failing before = failing.get(key);
        failing.put(key, before == null ? Failing.once(nanos) : before.again(nanos));
    }

    private boolean work(ObjectKey key, Time now) {
        Optional<SetObjects> objects = known.of(key);
        if (objects.isEmpty()) {
            return failing.remove(key) != null;
        }
        Document set = objects.get().set();
        StatefulSetPlan plan = StatefulSetPlan.of(objects.get(), now.wall());
        boolean succeeded = true;
        for (SetAct act : plan.acts()) {
            succeeded &= writer.carryOut(act, set);
        }
        boolean isShown = plan.set().equals(set);
        // While one act follows the other there is always a newer status than the one to be shown; a long row of acts
        // shows how far it is.
        if (!isShown && (plan.acts().isEmpty() || plan.isCut() || !succeeded)) {
            succeeded &= writer.show(plan.set());
        }
        plan.wake().ifPresent(instant -> waking.put(key, instant));
        if (succeeded) {
            failing.remove(key);
        } else {
            failed(key, now);
        }
        return !plan.acts().isEmpty() || !isShown;
    }

    /** How long it is until there is something to do, if nothing happens; empty for ever. */
    public Optional<Duration> nextDue() {
        Time now = time.now();
        long nanos = now.monotonicNanos();
        // No set is worked on before all is followed, however long it has been due.
        Stream<Failing> failed = unfollowed.isPresent() ? unfollowed.stream() : failing.values().stream();
        Stream<Duration> again = failed.map(each -> Duration.ofNanos(each.untilNanos() - nanos));
        Stream<Duration> woken = unfollowed.isPresent()
                ? Stream.empty()
                : waking.values().stream().map(instant -> Duration.between(now.wall(), instant));
        return Stream.concat(again, woken)
                .map(due -> due.isNegative() ? Duration.ZERO : due)
                .min(Comparator.naturalOrder());
    }

    /** Ends its watches. */
    @Override
    public void close() {
        known.close();
    }
}

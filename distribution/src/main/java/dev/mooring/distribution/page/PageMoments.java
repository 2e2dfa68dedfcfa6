// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.record.RecordEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The moment that is shown, the same for all who look. The decider is asked when something has changed, and at most once a second,
 * however many look. Thread-safe.
 */
final class PageMoments {
    static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration FRESH = Duration.ofSeconds(1);
    /** What takes too long is found out by the clock alone. */
    private static final Duration OLD = Duration.ofSeconds(30);

    private static final Kept NOTHING = new Kept(Optional.empty(), Optional.empty(), List.of(), 0);

    private final PageWorld world;
    private final TimeSource time;
    /** Tells moments of this process from those of the one before, which a page may still show. */
    private final String process;

    // Guarded by this.
    private Kept kept = NOTHING;
    private long asked;
    private long taken;
    private boolean answered;
    private long number;

    PageMoments(PageWorld world, TimeSource time) {
        this.world = world;
        this.time = time;
        this.process = Long.toString(time.now().wall().toEpochMilli(), Character.MAX_RADIX);
        this.asked = time.now().monotonicNanos() - FRESH.toNanos();
    }

    private record Kept(
            Optional<ControllerRuntime> decider, Optional<PageMoment> moment, List<RecordEntry> mounts, long changes) {}

    /** The deciders do not answer. */
    static final class Silence extends Exception {
        private static final long serialVersionUID = 1;

        Silence(String message) {
            super(message);
        }
    }

    /**
     * What there is now.
     *
     * @return empty while another process decides
     * @throws Silence if the controllers do not answer in time
     */
    synchronized Optional<PageMoment> now() throws Silence {
        Optional<ControllerRuntime> decider = world.deciding().get();
        if (decider.isEmpty()) {
            kept = NOTHING;
            return Optional.empty();
        }
        long now = time.now().monotonicNanos();
        boolean same = kept.decider().equals(decider);
        if (same && now - asked < FRESH.toNanos()) {
            if (!answered) {
                throw new Silence("the controllers do not answer");
            }
            return kept.moment();
        }
        long changes = world.lifeLines().changes();
        List<RecordEntry> mounts = List.copyOf(world.mounts().get());
        boolean unchanged = same && answered && changes == kept.changes() && mounts.equals(kept.mounts());
        if (!unchanged || now - taken >= OLD.toNanos()) {
            answered = false;
            kept = new Kept(decider, kept.moment(), mounts, changes);
            PageObjects objects = ask(decider.get());
            String version = process + "." + ++number;
            PageMoment moment =
                    new PageMoment(version, objects, mounts, world.clock().instant());
            kept = new Kept(decider, Optional.of(moment), mounts, changes);
            taken = time.now().monotonicNanos();
            answered = true;
        }
        asked = time.now().monotonicNanos();
        return kept.moment();
    }

    private PageObjects ask(ControllerRuntime decider) throws Silence {
        try {
            return decider.ask(PageObjects::of).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            asked = time.now().monotonicNanos();
            throw new Silence("the controllers do not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Silence("the process is being stopped");
        }
    }
}

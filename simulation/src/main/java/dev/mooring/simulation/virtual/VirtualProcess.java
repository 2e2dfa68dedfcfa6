// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.LoopListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One process of a {@link VirtualWorld}: a control loop with its watches, its pending effects and its hanging calls. It can die at any
 * moment and start again with nothing in memory, in a later leader epoch. Confined to the world's thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VirtualProcess {
    private final ProcessSpec spec;
    private final VirtualClock clock;
    private final WorldObserver observer;
    private final LoopListener listener;
    private long epoch;
    private long stops;
    private @Nullable ProcessRun life;
    private final List<ProcessRun> retired = new ArrayList<>();
    private final Stopped stopped = new Stopped();
    private boolean vacant;

    VirtualProcess(ProcessSpec spec, VirtualClock clock, WorldObserver observer, LoopListener listener) {
        this.spec = spec;
        this.clock = clock;
        this.observer = observer;
        this.listener = listener;
    }

    /** The name; never null. */
    public String name() {
        return spec.name();
    }

    /** Whether it lives. */
    public boolean running() {
        return life != null;
    }

    /** Whether it lives, and its watches show what there is. */
    public boolean follows() {
        return life != null && life.follows();
    }

    /** How often it was started. */
    public long epoch() {
        return epoch;
    }

    /** How often it was stopped as by SIGSTOP. */
    public long stops() {
        return stops;
    }

    /** Dies if it lives, and starts with nothing in memory. */
    public void restart() {
        restart(0, "");
    }

    /**
     * Dies if it lives, and starts from lists that are old, as from a cache of the API that lags behind. Its watches show nothing until
     * {@link #releaseWatches}.
     *
     * @param staleBy how many changes of each kind its lists do not show yet; 0 for lists and watches that are up to date
     */
    public void restart(int staleBy) {
        restart(staleBy, "");
    }

    /**
     * The same with one list that is old, and a watch that shows nothing; all others are up to date.
     *
     * @param staleBy how many changes the list does not show yet
     * @param kind the kind's name; empty for all
     */
    public void restart(int staleBy, String kind) {
        kill();
        life = new ProcessRun(spec, ++epoch, clock, observer, listener, new ProcessRun.Stale(kind, staleBy));
    }

    /**
     * Another instance of it begins to lead, with nothing in memory, while what the old one has sent to the store is still on its way.
     * Does no more than {@link #restart} if it is dead.
     */
    public void handOver() {
        ProcessRun old = life;
        if (old != null) {
            observer.onInterruption(name());
            old.retire();
            retired.add(old);
        }
        stopped.endThoseThatLed(epoch); // no process takes over while the other's lease runs
        vacant = false;
        life = new ProcessRun(spec, ++epoch, clock, observer, listener, ProcessRun.Stale.NOTHING);
    }

    /** Its watches of a kind show nothing until {@link #releaseWatches}; an empty name means every kind. Nothing if it is dead. */
    public void holdWatches(String kind) {
        disturb(kind, Feed::hold);
    }

    /** Its watches show what has waited. Nothing if it is dead. */
    public void releaseWatches() {
        disturb("", Feed::release);
    }

    /** Its watches of a kind are too slow: what waits is never shown, everything is listed again. Nothing if it is dead. */
    public void loseWatches(String kind) {
        disturb(kind, Feed::lose);
    }

    /** Its watches of a kind show once more what they showed last. Nothing if it is dead. */
    public void repeatWatches(String kind) {
        disturb(kind, Feed::repeat);
    }

    private void disturb(String kind, Consumer<Feed<?>> disturbance) {
        if (life != null) {
            life.disturb(kind, disturbance);
        }
    }

    /** Dies at once, also if it is stopped: what it has asked for and is not done yet is never done. Does nothing if it is dead. */
    public void kill() {
        if (life != null) {
            observer.onInterruption(name());
            life.end();
            life = null;
        }
        retired.clear();
        stopped.endThoseThatLed(epoch);
        vacant = false;
    }

    /** A stopped process that was not replaced leads no more. A process that goes on in another's term ends. */
    void endStopped() {
        stopped.endAll();
        vacant = false;
    }

    /** Stops as a whole, as by SIGSTOP; empty if it is dead. */
    Optional<ProcessRun> stop() {
        ProcessRun alive = life;
        if (alive == null) {
            return Optional.empty();
        }
        observer.onInterruption(name());
        stops++;
        life = null;
        vacant = true;
        stopped.add(alive);
        return Optional.of(alive);
    }

    /** The lease of a life that was stopped has run out: another instance begins to lead unless one has already. */
    void takeOver(ProcessRun old) {
        if (vacant && old.tenure().number() == epoch && old.tenure().isVacant()) {
            old.abandonCalls();
            vacant = false;
            life = new ProcessRun(spec, ++epoch, clock, observer, listener, ProcessRun.Stale.NOTHING);
        }
    }

    /**
     * A life that was stopped goes on, not knowing how long it was.
     *
     * @return whether it will find that it leads no more
     */
    boolean goOn(ProcessRun old) {
        if (!stopped.has(old)) {
            return false;
        }
        old.tenure().renewsAgain();
        if (old.tenure().isHeld()) {
            stopped.remove(old);
            vacant = false;
            life = old;
            return false;
        }
        stopped.wake(old);
        return true;
    }

    /** A life that went on has found that it leads no more. */
    void resign(ProcessRun old) {
        stopped.end(old);
    }

    /** Whether what is being done now is done by an instance in whose place another has begun to lead. */
    public boolean actsOutOfTerm() {
        return stopped.acting()
                .filter(acting -> acting.tenure().number() < epoch)
                .isPresent();
    }

    /** What it knows of the cluster; empty if it is dead. */
    public Optional<Caches> caches() {
        return Optional.ofNullable(life).map(alive -> alive.loop().caches());
    }

    int deliver(Random random) {
        return (life == null ? 0 : life.deliver(random)) + stopped.deliver(random);
    }

    boolean decide() {
        return (life != null && life.decide()) || stopped.decide();
    }

    int pending() {
        int count = life == null ? 0 : life.pending();
        for (ProcessRun old : retired) {
            count += old.pending();
        }
        return count + stopped.pending();
    }

    List<String> pendingEffects() {
        List<String> all = new ArrayList<>();
        retired.forEach(old -> all.addAll(old.describePending()));
        all.addAll(stopped.describePending());
        if (life != null) {
            all.addAll(life.describePending());
        }
        return all;
    }

    void carryOut(int index) {
        int rest = index;
        for (ProcessRun old : List.copyOf(retired)) {
            if (rest < old.pending()) {
                carryOutLate(old, rest);
                return;
            }
            rest -= old.pending();
        }
        if (rest < stopped.pending()) {
            stopped.carryOut(rest);
            return;
        }
        rest -= stopped.pending();
        if (life != null) {
            life.carryOut(rest);
        }
    }

    private void carryOutLate(ProcessRun old, int index) {
        try {
            old.arrive(index);
        } catch (ProcessDeath death) {
            retired.remove(old);
        }
        if (old.pending() == 0) {
            retired.remove(old);
        }
    }

    boolean fireDue() {
        boolean late = stopped.fireDue();
        return (life != null && life.fireDue()) || late;
    }

    OptionalLong nextDueNanos() {
        long next = stopped.nextDueNanos();
        if (life != null) {
            next = Math.min(next, life.nextDueNanos().orElse(Long.MAX_VALUE));
        }
        return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.LoopListener;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
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
    private @Nullable Life life;

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

    /** How often it was started. */
    public long epoch() {
        return epoch;
    }

    /** Dies if it lives, and starts with nothing in memory. */
    public void restart() {
        kill();
        life = new Life(spec, ++epoch, clock, observer, listener);
    }

    /** Dies at once: what it has asked for and is not done yet is never done. Does nothing if it is dead. */
    public void kill() {
        if (life != null) {
            life.end();
            life = null;
        }
    }

    /** What it knows of the cluster; empty if it is dead. */
    public Optional<Caches> caches() {
        return Optional.ofNullable(life).map(alive -> alive.loop().caches());
    }

    int deliver(Random random) {
        return life == null ? 0 : life.deliver(random);
    }

    boolean decide() {
        return life != null && life.decide();
    }

    int pending() {
        return life == null ? 0 : life.pending();
    }

    void carryOut(int index) {
        if (life != null) {
            life.carryOut(index);
        }
    }

    boolean fireDue() {
        return life != null && life.fireDue();
    }

    OptionalLong nextDueNanos() {
        return life == null ? OptionalLong.empty() : life.nextDueNanos();
    }
}

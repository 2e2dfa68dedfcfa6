// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lives of a process that were stopped while they led: some stand still, some have gone on in another's term and do not know yet that
 * they lead no more. Confined to the world's thread.
 */
final class Stopped {
    private final List<ProcessRun> still = new ArrayList<>();
    private final List<ProcessRun> awake = new ArrayList<>();
    private @Nullable ProcessRun acting;

    void add(ProcessRun life) {
        life.tenure().renewsNoMore();
        still.add(life);
    }

    boolean has(ProcessRun life) {
        return still.contains(life) || awake.contains(life);
    }

    void remove(ProcessRun life) {
        still.remove(life);
        awake.remove(life);
    }

    void wake(ProcessRun life) {
        still.remove(life);
        awake.add(life);
    }

    void end(ProcessRun life) {
        if (has(life)) {
            life.end();
            remove(life);
        }
    }

    /** Ends the processes that no other process has replaced yet. */
    void endThoseThatLed(long epoch) {
        all().stream().filter(life -> life.tenure().number() == epoch).forEach(this::end);
    }

    void endAll() {
        all().forEach(this::end);
    }

    private List<ProcessRun> all() {
        List<ProcessRun> all = new ArrayList<>(still);
        all.addAll(awake);
        return all;
    }

    /** The life whose effect is being carried out now. */
    Optional<ProcessRun> acting() {
        return Optional.ofNullable(acting);
    }

    int deliver(Random random) {
        int delivered = 0;
        for (ProcessRun life : awake) {
            delivered += life.deliver(random);
        }
        return delivered;
    }

    boolean decide() {
        for (ProcessRun life : awake) {
            if (life.decide()) {
                return true;
            }
        }
        return false;
    }

    int pending() {
        int count = 0;
        for (ProcessRun life : awake) {
            count += life.pending();
        }
        return count;
    }

    List<String> describePending() {
        List<String> all = new ArrayList<>();
        awake.forEach(life -> all.addAll(life.describePending()));
        return all;
    }

    void carryOut(int index) {
        int rest = index;
        for (ProcessRun life : List.copyOf(awake)) {
            if (rest < life.pending()) {
                int effect = rest;
                act(life, each -> each.carryOut(effect));
                return;
            }
            rest -= life.pending();
        }
    }

    /** Only the process that acts dies of what it does. */
    private void act(ProcessRun life, Consumer<ProcessRun> deed) {
        acting = life;
        try {
            deed.accept(life);
        } catch (ProcessDeath death) {
            end(life);
        } finally {
            acting = null;
        }
    }

    boolean fireDue() {
        boolean[] fired = new boolean[1];
        for (ProcessRun life : List.copyOf(awake)) {
            act(life, each -> fired[0] |= each.fireDue());
        }
        return fired[0];
    }

    /** When something of one of them is due; {@link Long#MAX_VALUE} if nothing is. */
    long nextDueNanos() {
        long next = Long.MAX_VALUE;
        for (ProcessRun life : awake) {
            next = Math.min(next, life.nextDueNanos().orElse(Long.MAX_VALUE));
        }
        return next;
    }
}

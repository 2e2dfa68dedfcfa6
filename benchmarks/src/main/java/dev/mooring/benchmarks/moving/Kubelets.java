// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The agents of all nodes: what a node uses is written before it is mounted, and taken back after it is unmounted (semantics/attach-and-mount
 * §1.10). Either each change is written at once, or, as Kubernetes' do, at the next tick of ten seconds, with loops of 100 ms around
 * mounting (§3.1).
 */
final class Kubelets {
    private static final Duration STATUS_TICK = Duration.ofSeconds(10);
    private static final Duration LOOP = Duration.ofMillis(100);

    /** The part of a Node's status that agents and controller share. */
    interface Status {
        /** Whether the controller lists a volume as attached to a node. */
        boolean lists(int node, int volume);

        /** Writes what a node uses. */
        void write(int node, Set<Integer> inUse);
    }

    private final Agenda agenda;
    private final MovingSetting setting;
    private final Status status;
    private final boolean ticking;
    private final IntConsumer onMounted;
    private final Machine[] machines;

    private static final class Machine {
        final Set<Integer> inUse = new TreeSet<>();
        final Set<Integer> unmounted = new TreeSet<>();
        Set<Integer> shown = Set.of();
        boolean writing;
        long phase;
    }

    /**
     * @param ticking whether they work in the rhythm of Kubernetes' own
     * @param onMounted is told the volume
     */
    Kubelets(Agenda agenda, MovingSetting setting, Status status, boolean ticking, IntConsumer onMounted) {
        this.agenda = agenda;
        this.setting = setting;
        this.status = status;
        this.ticking = ticking;
        this.onMounted = onMounted;
        Random random = new Random(2);
        machines = new Machine[setting.nodes()];
        for (int i = 0; i < machines.length; i++) {
            machines[i] = new Machine();
            machines[i].phase = (long) (random.nextDouble() * STATUS_TICK.toNanos());
        }
    }

    /** A volume is there, and all kubelets know it. */
    void begin(int node, int volume) {
        machines[node].inUse.add(volume);
        machines[node].shown = Set.copyOf(machines[node].inUse);
    }

    /** A pod with a volume comes to a node. */
    void want(int node, int volume) {
        machines[node].inUse.add(volume);
        machines[node].unmounted.add(volume);
        write(node);
    }

    /** The pod of a mounted volume goes from a node. */
    void release(int node, int volume) {
        agenda.after(looped(setting.mount()), () -> {
            machines[node].inUse.remove(volume);
            write(node);
        });
    }

    /** The controller has changed what it lists for a node. */
    void listed(int node) {
        Machine machine = machines[node];
        for (int volume : Set.copyOf(machine.unmounted)) {
            if (machine.shown.contains(volume) && status.lists(node, volume)) {
                machine.unmounted.remove(volume);
                // a live read confirms it, then it is mounted
                agenda.after(looped(setting.request().plus(setting.mount())), () -> onMounted.accept(volume));
            }
        }
    }

    private Duration looped(Duration duration) {
        return ticking ? duration.plus(LOOP.dividedBy(2)) : duration;
    }

    private void write(int node) {
        Machine machine = machines[node];
        if (machine.writing || machine.shown.equals(machine.inUse)) {
            return;
        }
        machine.writing = true;
        agenda.after(ticking ? untilTick(machine) : Duration.ZERO, () -> {
            Set<Integer> now = Set.copyOf(machine.inUse);
            agenda.after(setting.request(), () -> {
                machine.writing = false;
                machine.shown = now;
                status.write(node, now);
                listed(node);
                write(node);
            });
        });
    }

    private Duration untilTick(Machine machine) {
        long tick = STATUS_TICK.toNanos();
        return Duration.ofNanos(tick - Math.floorMod(agenda.now() - machine.phase, tick));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import dev.mooring.benchmarks.moving.MovingSetting.Move;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The attach-detach controller of Kubernetes with the time that it takes (semantics/attach-and-mount §1.7, §1.12): one loop that looks at
 * everything, 100 ms after it was last through; the Node is written within the loop, one after the other; an operation of its own for
 * each volume, without bound, that looks after 500 ms and then ever less often whether the attacher is through. No limit to its requests
 * and no lost time between them, which favours it.
 */
final class PeerWorld {
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration FIRST_LOOK = Duration.ofMillis(500);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(7);
    private static final double FACTOR = 1.05;

    private final Agenda agenda = new Agenda();
    private final Tally tally = new Tally();
    private final MovingSetting setting;
    private final Attacher attacher;
    private final Kubelets kubelets;
    /** Where each volume is wanted. */
    private final int[] desired;
    /** What is known to be attached or was tried: the node by volume, or several while one moves. */
    private final Map<Integer, TreeMap<Integer, Boolean>> moving = new TreeMap<>();

    private final Map<Integer, Set<Integer>> inUse = new HashMap<>();
    private final Set<Long> listed = new HashSet<>();
    private final Set<Integer> dirty = new TreeSet<>();
    private final Set<Integer> pending = new HashSet<>();
    private long begun;

    PeerWorld(MovingSetting setting, boolean ticking) {
        this.setting = setting;
        attacher = new Attacher(agenda, setting, tally);
        kubelets = new Kubelets(agenda, setting, new Nodes(), ticking, volume -> tally.moved(agenda.now() - begun));
        desired = new int[setting.volumes()];
        for (int volume = 0; volume < desired.length; volume++) {
            desired[volume] = setting.home(volume);
            inUse.computeIfAbsent(desired[volume], node -> new HashSet<>()).add(volume);
            listed.add(key(desired[volume], volume));
            kubelets.begin(desired[volume], volume);
        }
    }

    private static long key(int node, int volume) {
        return ((long) node << 32) | volume;
    }

    /** Moves them all and answers what it took. */
    Tally run() {
        begun = agenda.now();
        for (Move move : setting.moves()) {
            // Only what moves is kept by name; that the loop looks at all others as well is counted, not done.
            TreeMap<Integer, Boolean> at = new TreeMap<>();
            at.put(move.from(), true);
            moving.put(move.volume(), at);
            desired[move.volume()] = move.to();
            kubelets.release(move.from(), move.volume());
            kubelets.want(move.to(), move.volume());
        }
        agenda.after(PERIOD.dividedBy(2), this::pass);
        while (!isOver()) {
            if (!agenda.next(Long.MAX_VALUE)) {
                throw new IllegalStateException("only " + tally.arrived() + " pods got their volumes");
            }
        }
        return tally;
    }

    private boolean isOver() {
        return tally.arrived() == setting.moving() && pending.isEmpty() && dirty.isEmpty();
    }

    // ---- the loop ----

    private void pass() {
        tally.looks += 2L * desired.length;
        detachPass(new ArrayDeque<>(moving.keySet()));
    }

    /** One after the other, since each may have to wait for a write. */
    private void detachPass(Deque<Integer> rest) {
        while (!rest.isEmpty()) {
            int volume = rest.remove();
            List<Integer> unwanted = moving.getOrDefault(volume, new TreeMap<>()).keySet().stream()
                    .filter(node -> node != desired[volume])
                    .filter(node -> !inUse.getOrDefault(node, Set.of()).contains(volume))
                    .toList();
            if (!unwanted.isEmpty() && !pending.contains(volume)) {
                int node = unwanted.get(0);
                patch(() -> {
                    listed.remove(key(node, volume));
                    detach(volume, node);
                    detachPass(rest);
                });
                return;
            }
        }
        attachPass();
    }

    private void attachPass() {
        moving.forEach((volume, at) -> {
            int node = desired[volume];
            boolean elsewhere = at.entrySet().stream().anyMatch(entry -> entry.getKey() != node && entry.getValue());
            boolean there = at.getOrDefault(node, false);
            if (!there && !elsewhere && !pending.contains(volume)) {
                attach(volume, node);
            }
        });
        flush(new ArrayDeque<>(dirty));
    }

    private void flush(Deque<Integer> nodes) {
        if (nodes.isEmpty()) {
            agenda.after(PERIOD, this::pass);
            return;
        }
        int node = nodes.remove();
        dirty.remove(node);
        List<Integer> now = new ArrayList<>();
        moving.forEach((volume, at) -> {
            if (at.getOrDefault(node, false) && desired[volume] == node) {
                now.add(volume);
            }
        });
        patch(() -> {
            now.forEach(volume -> listed.add(key(node, volume)));
            kubelets.listed(node);
            flush(nodes);
        });
    }

    private void patch(Runnable then) {
        agenda.after(setting.request(), () -> {
            tally.controllerWrites++;
            tally.statusPatches++;
            then.run();
        });
    }

    // ---- operations ----

    private void detach(int volume, int node) {
        pending.add(volume);
        agenda.after(setting.request(), () -> {
            tally.controllerReads++;
            agenda.after(setting.request(), () -> {
                tally.controllerWrites++;
                boolean[] gone = {false};
                attacher.detach(() -> gone[0] = true);
                look(gone, FIRST_LOOK, () -> {
                    moving.getOrDefault(volume, new TreeMap<>()).remove(node);
                    pending.remove(volume);
                });
            });
        });
    }

    private void attach(int volume, int node) {
        pending.add(volume);
        agenda.after(setting.request(), () -> {
            tally.controllerWrites++;
            boolean[] attached = {false};
            attacher.attach(() -> {}, () -> attached[0] = true);
            look(attached, FIRST_LOOK, () -> {
                moving.getOrDefault(volume, new TreeMap<>()).put(node, true);
                pending.remove(volume);
                dirty.add(node);
            });
        });
    }

    /** Sleeps, looks, and sleeps a little longer. */
    private void look(boolean[] done, Duration sleep, Runnable then) {
        agenda.after(sleep, () -> {
            if (done[0]) {
                then.run();
                return;
            }
            Duration longer = Duration.ofNanos((long) (sleep.toNanos() * FACTOR));
            look(done, longer.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : longer, then);
        });
    }

    private final class Nodes implements Kubelets.Status {
        @Override
        public boolean lists(int node, int volume) {
            return listed.contains(key(node, volume));
        }

        @Override
        public void write(int node, Set<Integer> now) {
            tally.nodeWrites++;
            inUse.put(node, now);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.moving;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The attacher of a driver, the same beside both controllers (semantics/attach-and-mount §1.12): so many workers, each of which marks an
 * attachment, calls the storage, and shows what came of it.
 */
final class Attacher {
    private final Agenda agenda;
    private final MovingSetting setting;
    private final Tally tally;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int busy;

    Attacher(Agenda agenda, MovingSetting setting, Tally tally) {
        this.agenda = agenda;
        this.setting = setting;
        this.tally = tally;
    }

    /** Attaches when a worker is free: its finalizer first, then the call, then the status. */
    void attach(Runnable mark, Runnable show) {
        begin(() -> write(mark, () -> agenda.after(setting.call(), () -> write(show, this::end))));
    }

    /** Detaches when a worker is free: the call, then its finalizer goes, and the attachment with it. */
    void detach(Runnable release) {
        begin(() -> agenda.after(setting.call(), () -> write(release, this::end)));
    }

    private void write(Runnable write, Runnable then) {
        Duration request = setting.request();
        agenda.after(request, () -> {
            tally.attacherWrites++;
            write.run();
            then.run();
        });
    }

    private void begin(Runnable job) {
        if (busy == setting.workers()) {
            waiting.add(job);
            return;
        }
        busy++;
        job.run();
    }

    private void end() {
        busy--;
        Runnable next = waiting.poll();
        if (next != null) {
            begin(next);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.subject.PluginSubject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The machines of the tests: one for each, or one for all of them until a test fails on it. For one test at a time if it is shared. */
public final class Machines implements AutoCloseable {
    private final PluginSubject subject;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private Optional<Machine> shared = Optional.empty();
    private boolean warm;

    /** None is made yet. */
    public Machines(PluginSubject subject) {
        this.subject = subject;
    }

    /** A machine with the plugin, for one test. On a warm one a volume has lived already, so that what a plugin keeps for good is there. */
    public Bench take(boolean wanted) {
        Bench bench = new Bench(subject, machine(), numbers);
        if (wanted && !isWarm()) {
            try {
                bench.warmUp();
                warmed();
            } catch (RuntimeException | Error failure) {
                back(bench, false);
                throw failure;
            }
        }
        return bench;
    }

    private synchronized Machine machine() {
        Machine machine = shared.orElseGet(subject::machine);
        shared = subject.sharesMachine() ? Optional.of(machine) : Optional.empty();
        return machine;
    }

    private synchronized boolean isWarm() {
        return warm;
    }

    private synchronized void warmed() {
        warm = subject.sharesMachine();
    }

    /** Gives a machine back after a test. */
    public void back(Bench bench, boolean passed) {
        bench.end();
        if (!subject.sharesMachine() || !passed) {
            synchronized (this) {
                shared = Optional.empty();
                warm = false;
            }
            bench.machine().close();
        }
    }

    @Override
    public void close() {
        Optional<Machine> last;
        synchronized (this) {
            last = shared;
            shared = Optional.empty();
        }
        last.ifPresent(Machine::close);
    }
}

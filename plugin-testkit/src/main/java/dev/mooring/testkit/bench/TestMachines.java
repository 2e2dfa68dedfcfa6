// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.subject.PluginSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The machines of the tests: one for each, or one for all of them until a test fails on it. For one test at a time if it is shared. */
public final class TestMachines implements AutoCloseable {
    private final PluginSubject subject;
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private Optional<Machine> shared = Optional.empty();
    private final Prerequisites prerequisites = new Prerequisites();
    /** Held while ordinary volumes are tried out, which happens once and on other threads. */
    private final Object first = new Object();

    private boolean warm;
    private boolean triedOut;

    /** None is made yet. */
    public TestMachines(PluginSubject subject) {
        this.subject = subject;
    }

    /**
     * Makes a check that calls the plugin. Before the first one, an ordinary volume of each mode lives once: what that cannot do is known
     * from then on.
     *
     * @param about names the check, for people
     * @param check what is done, with a supervisor for {@link #take}
     */
    public void supervised(String about, Consumer<Supervisor> check) {
        ordinary();
        prerequisites.mayBegin();
        run(about, check);
    }

    private void run(String about, Consumer<Supervisor> check) {
        Duration limit = subject.callLimit().multipliedBy(2);
        Supervisor.run(about, limit, prerequisites::hung, check);
    }

    /** What ordinary volumes cannot do. */
    public Prerequisites prerequisites() {
        ordinary();
        return prerequisites;
    }

    private void ordinary() {
        synchronized (first) {
            if (!triedOut) {
                triedOut = true;
                List<VolumeMode> modes = new ArrayList<>();
                run("modes", supervisor -> {
                    Bench bench = take(false, supervisor);
                    modes.addAll(Trial.modes(bench));
                    back(bench, true);
                });
                modes.forEach(this::tryOut);
            }
        }
    }

    private void tryOut(VolumeMode mode) {
        try {
            run("an ordinary volume", supervisor -> {
                Bench bench = take(false, supervisor);
                bench.life(Bench.FIRST, mode).tryOut();
                back(bench, prerequisites.failures().isEmpty());
            });
        } catch (BrokenRule hung) {
            prerequisites.neverEnds(hung);
        }
    }

    /** A machine with the plugin, for one test. On a warm one a volume has lived already, so that what a plugin keeps for good is there. */
    public Bench take(boolean wanted, Supervisor supervisor) {
        Bench bench = new Bench(subject, machine(), numbers, prerequisites, supervisor);
        supervisor.whenGivenUp(() -> abandon(bench.machine()));
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

    /** A machine on which a call did not end is not used again; it is not closed either, since the call may still work on it. */
    private synchronized void abandon(Machine machine) {
        if (shared.filter(machine::equals).isPresent()) {
            shared = Optional.empty();
            warm = false;
        }
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
            abandon(bench.machine());
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

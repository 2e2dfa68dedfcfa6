// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.watch;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.Made;
import dev.mooring.storage.spi.host.PinnedPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Counts what a plugin changes on its host, lets trouble happen at one change, and remembers what was asked. Thread-safe. */
public final class HostWatch {
    private final Map<PinnedPath, String> open = new LinkedHashMap<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<String> writableMounts = new ArrayList<>();
    private Trouble trouble = Trouble.NONE;
    private int at;
    private int changes;
    private boolean dead;
    private String struck = "";
    private Runnable cancel = () -> {};

    /**
     * Sets what happens from now on.
     *
     * @param what what happens
     * @param change at which change, from 1
     * @param cancelling how the running call is cancelled
     */
    public synchronized void arm(Trouble what, int change, Runnable cancelling) {
        trouble = what;
        at = change;
        changes = 0;
        struck = "";
        cancel = cancelling;
    }

    /** The machine is there again: nothing happens any more, and the kernel has closed what was open. */
    public synchronized void restart() {
        boolean died = dead;
        arm(Trouble.NONE, 0, () -> {});
        dead = false;
        if (died) {
            open.keySet().forEach(PinnedPath::close);
            open.clear();
        }
    }

    /** What is set to happen. */
    public synchronized Trouble trouble() {
        return trouble;
    }

    /** Whether the machine has died and was not started again. */
    public synchronized boolean died() {
        return dead;
    }

    /** What ends a call on a machine that has died. */
    public MachineDied death() {
        return new MachineDied();
    }

    /** At which change the trouble happened; empty if it did not come to that. */
    public synchronized String struck() {
        return struck;
    }

    /** How many changes there were since trouble was set. */
    public synchronized int changes() {
        return changes;
    }

    /** What is open. */
    public synchronized List<String> open() {
        return List.copyOf(open.values());
    }

    /** All tools that were run. */
    public synchronized List<Command> commands() {
        return List.copyOf(commands);
    }

    /** All mounts that were asked for without read-only. */
    public synchronized List<String> writableMounts() {
        return List.copyOf(writableMounts);
    }

    /** Forgets the mounts so far. */
    public synchronized void forgetMounts() {
        writableMounts.clear();
    }

    synchronized void command(Command command) {
        commands.add(command);
    }

    synchronized void mounting(boolean readOnly, String what) {
        if (!readOnly) {
            writableMounts.add(what);
        }
    }

    synchronized PinnedPath opened(PinnedPath path) {
        open.put(
                path,
                path.resolved()
                        .map(Object::toString)
                        .recover(failed -> Outcome.done(failed.message()))
                        .orThrow());
        return path;
    }

    synchronized void closed(PinnedPath path) {
        open.remove(path);
    }

    /** A question to the host. */
    <T> Outcome<T> look(Supplier<Outcome<T>> question) {
        alive();
        return question.get();
    }

    /**
     * A change of the world.
     *
     * @param what for people
     * @param effect the change
     */
    public <T> Outcome<T> change(String what, Supplier<Outcome<T>> effect) {
        alive();
        Trouble now = strike(what);
        switch (now) {
            case CRASH_BEFORE -> throw die();
            case CANCEL -> cancel.run();
            case DEFER -> {
                return Outcome.deferred("the kit lets the host be busy: " + what);
            }
            case MISS -> {
                return uncertain(what);
            }
            default -> {}
        }
        Outcome<T> outcome = effect.get();
        if (now == Trouble.CRASH_AFTER) {
            throw die();
        }
        if (now == Trouble.FORGET && outcome.isDone()) {
            outcome.result().ifPresent(this::letGo);
            return uncertain(what);
        }
        return outcome;
    }

    private static <T> Outcome<T> uncertain(String what) {
        return Outcome.uncertain("the kit lets the host be uncertain: " + what);
    }

    private void letGo(Object unanswered) {
        if (unanswered instanceof Made made) {
            made.path().close();
        }
    }

    private synchronized Trouble strike(String what) {
        if (++changes != at) {
            return Trouble.NONE;
        }
        struck = what;
        return trouble;
    }

    private synchronized void alive() {
        if (dead) {
            throw new MachineDied();
        }
    }

    private synchronized MachineDied die() {
        dead = true;
        return new MachineDied();
    }
}

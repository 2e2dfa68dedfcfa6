// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.virtual;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import org.apiguardian.api.API;

/**
 * Processes that share a clock. {@link #settle} lets them work until nothing can be done now; {@link #advance} lets time pass.
 *
 * <p>The order of work: first all watch events are delivered, in order within a kind; then every ready key is decided, in the order of
 * the control loop's ranks; then one pending effect, chosen by the seed, is carried out; and so on. Writes and calls take no time.
 * Timers and the deadlines of hanging calls go off only by {@link #advance}, each at its time. Another seed changes the order of what
 * happens at one time, never the times.
 *
 * <p>Confined to one thread.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VirtualWorld {
    /** How often one key may be decided before the world comes to rest. */
    private static final int MOST_DECISIONS = 10_000;

    /** How much may be done altogether. */
    private static final int MOST_ACTIONS = 20_000_000;

    /** How soon a process looks at its lease. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private final VirtualClock clock;
    private final WorldObserver observer;
    private final Random random;
    private final int mostDecisions;
    private IntUnaryOperator chooser;
    private final Map<String, VirtualProcess> processes = new TreeMap<>();
    private final List<BooleanSupplier> duties = new ArrayList<>();
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparingLong(Task::sequence));
    private final Busiest busiest = new Busiest();
    private long sequence;
    private int actions;
    private long events;
    private boolean lastWasEffect;
    private Runnable afterEach = () -> {};

    /**
     * Makes an empty world.
     *
     * @param clock the clock that this world moves
     * @param seed decides every choice
     * @param observer hears what happens
     */
    public VirtualWorld(VirtualClock clock, long seed, WorldObserver observer) {
        this(clock, seed, observer, MOST_DECISIONS);
    }

    VirtualWorld(VirtualClock clock, long seed, WorldObserver observer, int mostDecisions) {
        this.clock = clock;
        this.observer = observer;
        this.random = new Random(seed);
        this.mostDecisions = mostDecisions;
        this.chooser = random::nextInt;
    }

    /** The clock; never null. */
    public VirtualClock clock() {
        return clock;
    }

    /**
     * Adds a process that does not live yet; {@link VirtualProcess#restart} starts it.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public VirtualProcess add(ProcessSpec spec) {
        VirtualProcess process = new VirtualProcess(spec, clock, observer, busiest.of(spec.name(), observer));
        if (processes.putIfAbsent(spec.name(), process) != null) {
            throw new IllegalArgumentException("there is a process " + spec.name() + " already");
        }
        return process;
    }

    /** The process of a name. */
    public Optional<VirtualProcess> process(String name) {
        return Optional.ofNullable(processes.get(name));
    }

    /** Kills a process for good. Does nothing if there is none of that name. */
    public void remove(String name) {
        VirtualProcess process = processes.remove(name);
        if (process != null) {
            process.kill();
        }
    }

    /**
     * Adds work of the world itself, such as starting a process for a new object. It is asked before every round.
     *
     * @param duty does what there is to do and answers whether that was anything
     */
    public void addDuty(BooleanSupplier duty) {
        duties.add(duty);
    }

    /**
     * Has something done after every effect that was carried out, such as looking at the world.
     *
     * @param look called on the world's thread; it changes nothing of the world
     */
    public void afterEach(Runnable look) {
        Runnable before = afterEach;
        afterEach = () -> {
            before.run();
            look.run();
        };
    }

    /**
     * Lets the caller, in place of the seed, choose which effect is carried out next: to try every order, say.
     *
     * @param newChooser answers, of how many pending effects it is asked, with the index of one, from 0
     */
    public void chooseBy(IntUnaryOperator newChooser) {
        chooser = newChooser;
    }

    /** The effects that may be carried out next, for people and comparisons, in the order in which a chooser counts them. */
    public List<String> pendingEffects() {
        List<String> all = new ArrayList<>();
        processes.values().forEach(process -> all.addAll(process.pendingEffects()));
        return all;
    }

    /** How much has happened: watch events delivered, decisions made, effects carried out, timers gone off, duties done. */
    public long events() {
        return events + actions;
    }

    /**
     * Works until so many effects were carried out, or nothing can be done now: what comes next comes in the middle of it.
     *
     * @throws LivelockException if that does not come to an end
     */
    public void work(int effects) {
        begin();
        for (int left = effects; left > 0; ) {
            int before = actions;
            if (!prepare(before) && !carryOutOne()) {
                return;
            }
            left -= lastWasEffect ? 1 : 0;
            checkRest();
        }
    }

    private void begin() {
        events += actions;
        actions = 0;
        busiest.clear();
    }

    private void checkRest() {
        if (restless()) {
            throw new LivelockException("no rest after " + actions + " actions at " + Durations.format(clock.elapsed())
                    + "; busiest: " + busiest.describe());
        }
    }

    /**
     * Stops a process as a whole, as by SIGSTOP: its timers, decisions, writes and calls. Fifteen seconds later, when its lease has run
     * out, another instance begins to lead. Then it goes on with what it had asked for, hears what its watches have shown meanwhile, and
     * decides, until it finds two seconds later that it leads no more; if its lease has not run out, it goes on as if nothing had been.
     *
     * @param process a process that lives; otherwise nothing happens
     * @param length how long it is stopped
     */
    public void pause(VirtualProcess process, Duration length) {
        process.stop().ifPresent(life -> {
            after(SimulatedTenure.LEASE, () -> process.takeOver(life));
            after(length, () -> {
                if (process.goOn(life)) {
                    after(NOTICED, () -> process.resign(life));
                }
            });
        });
    }

    /** What is stopped, and what goes on though it leads no more, ends. */
    public void endPauses(VirtualProcess process) {
        process.endStopped();
    }

    /** Does something when so much time has passed from now; what became needless meanwhile is the task's own matter. */
    public void after(Duration delay, Runnable work) {
        tasks.add(new Task(clock.nanos() + delay.toNanos(), sequence++, work));
    }

    /**
     * Works until nothing can be done now.
     *
     * @throws LivelockException if that does not come to an end
     */
    public void settle() {
        begin();
        while (round()) {
            checkRest();
        }
    }

    /**
     * Settles, lets time pass, and settles again. What falls due on the way happens at its time.
     *
     * @throws LivelockException if the world does not come to rest at some time
     */
    public void advance(Duration duration) {
        settle();
        long until = Math.addExact(clock.nanos(), duration.toNanos());
        for (long due = nextDueNanos(); due <= until; due = nextDueNanos()) {
            clock.moveTo(due);
            settle();
        }
        clock.moveTo(until);
    }

    /** How long it is until something is due that waits for time to pass; zero if it is due now, empty if nothing waits. */
    public Optional<Duration> nextDue() {
        long next = nextDueNanos();
        return next == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, next - clock.nanos())));
    }

    private boolean restless() {
        return busiest.most() > mostDecisions || actions > MOST_ACTIONS;
    }

    private long nextDueNanos() {
        long next = tasks.isEmpty() ? Long.MAX_VALUE : tasks.peek().atNanos();
        for (VirtualProcess process : processes.values()) {
            next = Math.min(next, process.nextDueNanos().orElse(Long.MAX_VALUE));
        }
        return next;
    }

    /** One round; answers whether anything was done. */
    private boolean round() {
        return prepare(actions) || carryOutOne();
    }

    /** Everything but effects; answers whether there was anything to do. */
    private boolean prepare(int before) {
        lastWasEffect = false;
        fireDue();
        for (BooleanSupplier duty : duties) {
            count(duty.getAsBoolean());
        }
        for (VirtualProcess process : List.copyOf(processes.values())) {
            actions += process.deliver(random);
        }
        for (VirtualProcess process : List.copyOf(processes.values())) {
            while (!restless() && process.decide()) {
                actions++;
            }
        }
        return actions != before;
    }

    private void fireDue() {
        while (!tasks.isEmpty() && tasks.peek().atNanos() <= clock.nanos()) {
            tasks.remove().work().run();
            actions++;
        }
        for (VirtualProcess process : List.copyOf(processes.values())) {
            guarded(process, () -> count(process.fireDue()));
        }
    }

    private void count(boolean done) {
        if (done) {
            actions++;
        }
    }

    private boolean carryOutOne() {
        int pending =
                processes.values().stream().mapToInt(VirtualProcess::pending).sum();
        if (pending == 0) {
            return false;
        }
        int chosen = chooser.applyAsInt(pending);
        for (VirtualProcess process : List.copyOf(processes.values())) {
            if (chosen < process.pending()) {
                int index = chosen;
                guarded(process, () -> process.carryOut(index));
                break;
            }
            chosen -= process.pending();
        }
        actions++;
        lastWasEffect = true;
        afterEach.run();
        return true;
    }

    private static void guarded(VirtualProcess process, Runnable work) {
        try {
            work.run();
        } catch (ProcessDeath death) {
            process.restart();
        }
    }

    private record Task(long atNanos, long sequence, Runnable work) {}
}

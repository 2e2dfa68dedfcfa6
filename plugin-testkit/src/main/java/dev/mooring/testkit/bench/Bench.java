// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.subject.PluginSubject;
import dev.mooring.testkit.watch.HostWatch;
import dev.mooring.testkit.watch.MachineDied;
import dev.mooring.testkit.watch.Trouble;
import dev.mooring.testkit.watch.WatchedHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** One machine with one plugin, everything that is said there, and what exists. Thread-safe where several volumes are used at once. */
public final class Bench {
    /** The label by which volumes say on which node they are. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    private static final int PERMISSIONS = 0777;

    /** The number of a volume that no check uses. */
    static final int FIRST = 90;

    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ash", "ksh", "zsh", "busybox", "env");

    private final PluginSubject subject;
    private final Machine machine;
    private final HostWatch watch = new HostWatch();
    private final WatchedHost host;
    private final Threads threads = Threads.now();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<String> chatter = new AtomicReference<>("");
    private final ReportedTexts told = new ReportedTexts();
    private final Map<String, Integer> numbers;
    private final Prerequisites prerequisites;
    private final Supervisor supervisor;
    private StoragePlugin plugin;
    private Optional<String> left = Optional.empty();

    /** A machine as it is. */
    Bench(
            PluginSubject subject,
            Machine machine,
            Map<String, Integer> numbers,
            Prerequisites prerequisites,
            Supervisor supervisor) {
        this.subject = subject;
        this.numbers = numbers;
        this.prerequisites = prerequisites;
        this.supervisor = supervisor;
        this.machine = machine;
        this.host = new WatchedHost(watch, machine.host());
        this.plugin = made(subject, machine);
        make(pods());
        make(staging());
        told.listen();
        supervisor.whenGivenUp(this::end);
    }

    private static StoragePlugin made(PluginSubject subject, Machine machine) {
        return Objects.requireNonNull(subject.plugin(machine), "plugin(Machine) of the test answered null");
    }

    /** Lets volumes live on the machine, so that what a plugin keeps for good is there. */
    void warmUp() {
        warm(FIRST);
        warm(1);
    }

    /** Lets a volume live once in each mode. Of one that exists without the plugin there may be records for good, as of the data on a disk. */
    public void warm(int number) {
        if (number == FIRST || plugin().capability(Provisioning.class).isEmpty()) {
            for (VolumeMode mode : Trial.modes(this)) {
                life(number, mode).asFarAsPossible();
            }
        }
    }

    /** What the author said of the plugin. */
    public PluginSubject subject() {
        return subject;
    }

    /** The machine. */
    public Machine machine() {
        return machine;
    }

    /** Notes that something stays on the machine, since ordinary volumes cannot be undone. */
    synchronized void leave(String undoing) {
        left = Optional.of(undoing);
    }

    /** What could not be done to take a volume away; empty if nothing stays on the machine. */
    public synchronized Optional<String> left() {
        return left;
    }

    /** What ordinary volumes cannot do. */
    Prerequisites prerequisites() {
        return prerequisites;
    }

    /** The plugin as it is after the last start. */
    public synchronized StoragePlugin plugin() {
        return plugin;
    }

    /** Who watches what the plugin does. */
    public HostWatch watch() {
        return watch;
    }

    /** The host as the plugin sees it. */
    public HostServices host() {
        return host;
    }

    /** How many changes of the world an action makes. */
    public int changesOf(Runnable action) {
        watch.arm(Trouble.NONE, 0, () -> {});
        action.run();
        return watch.changes();
    }

    /** A number that is the same in all tests of a plugin, and is found out once. */
    public int known(String what, IntSupplier finding) {
        return numbers.computeIfAbsent(what, name -> finding.getAsInt());
    }

    /** The life of a volume, in the mode that every check can use. */
    public VolumeLife life(int number) {
        return life(number, Trial.usual(this));
    }

    /** The life of a volume. */
    public VolumeLife life(int number, VolumeMode mode) {
        return new VolumeLife(this, number, mode);
    }

    /** Starts everything again: another object of the plugin, and no trouble any more. */
    public synchronized void restart() {
        watch.restart();
        plugin = made(subject, machine);
    }

    /** A call on the usual node. */
    KitContext context(CallRecord record, Duration limit) {
        return new KitContext(this, record, limit, Optional.of(subject.node()), host);
    }

    KitContext context(CallRecord record) {
        return context(record, subject.callLimit());
    }

    /** A call on another node, with the same disks. */
    KitContext elsewhere(CallRecord record, NodeRef node) {
        return new KitContext(this, record, subject.callLimit(), Optional.of(node), host);
    }

    /** A call for which there is no machine. */
    KitContext nowhere(CallRecord record) {
        return new KitContext(this, record, subject.callLimit(), Optional.empty(), HostServices.none());
    }

    /** Whether the plugin works where its data is. */
    public boolean isOfNode() {
        return plugin().describe().reclaimPlace() == Place.NODE;
    }

    /** The labels of a node. Its hostname is not its name, as Kubernetes does not ask for that. */
    public Map<String, String> nodeLabels(NodeRef node) {
        Map<String, String> labels = new TreeMap<>(subject.nodeLabels(node));
        labels.putIfAbsent(HOSTNAME, "host-of-" + node.name());
        return labels;
    }

    Path pods() {
        return machine.directory().resolve("pods");
    }

    Path staging() {
        return machine.directory().resolve("staging");
    }

    private Path state() {
        return machine.host()
                .stateDirectory(plugin().describe().name())
                .result()
                .orElse(machine.directory());
    }

    /** A directory that is no volume, where pods' volumes are. */
    public Path foreignPlace() {
        Path place = pods().resolve("kit-foreign").resolve("volumes");
        make(place);
        return place;
    }

    void make(Path directory) {
        Outcome<?> made = machine.host()
                .files()
                .openOrMake(directory, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                .map(found -> {
                    found.path().close();
                    return found.isNew();
                });
        if (!made.isDone()) {
            throw new IllegalStateException("the kit cannot make " + directory + ": " + Answers.text(made));
        }
    }

    /**
     * Makes a call of the plugin and looks at how it ends.
     *
     * @param what the call, for people
     * @throws MachineDied if the machine died of the trouble that was set
     */
    public <T> Outcome<T> call(String what, Supplier<Outcome<T>> action) {
        Trouble trouble = watch.trouble();
        prerequisites.mayCall(what, trouble);
        running.incrementAndGet();
        supervisor.begins(what, () -> prerequisites.hung(what, trouble));
        Outcome<T> outcome;
        try {
            outcome = action.get();
        } catch (MachineDied died) {
            throw died;
        } catch (RuntimeException | Error defect) {
            if (defect instanceof VirtualMachineError && !(defect instanceof StackOverflowError)) {
                throw defect; // this machine's, not the plugin's
            }
            diedMeanwhile();
            told.threw(what, defect);
            throw new BrokenRule(
                    Rule.OUTCOME_ALWAYS, what + " threw " + defect.getClass().getName(), defect);
        } finally {
            supervisor.ends();
            running.decrementAndGet();
        }
        diedMeanwhile();
        if (outcome == null) {
            throw new BrokenRule(Rule.OUTCOME_ALWAYS, what + " answered null");
        }
        said(what, Answers.text(outcome));
        if (running.get() == 0 && !watch.open().isEmpty()) {
            throw new BrokenRule(Rule.EVERYTHING_CLOSED, "after " + what + " these are still open: " + watch.open());
        }
        return outcome;
    }

    /** A plugin that catches everything has not survived. */
    private void diedMeanwhile() {
        if (watch.died()) {
            throw watch.death();
        }
    }

    /** Remembers a text that other people can read. */
    void said(String where, String text) {
        told.said(where, text);
    }

    /** Remembers that a call has reported more than becomes events; a plugin that catches everything has not survived. */
    void tooManyNotices(String call, Notice last) {
        chatter.compareAndSet(
                "", call + " reported more than " + Notice.MOST_OF_ONE_WORK + " different notices, the last: " + last);
    }

    /** The secrets of the volumes; what is looked up is remembered. */
    Secrets secrets() {
        return told.watched(subject.secrets());
    }

    /** What is seen at a path: its mount, if it is a mount point. */
    public Optional<MountEntry> mountAt(Path path) {
        return machine.host().mounts().table().result().flatMap(table -> table.top(path));
    }

    /** Whether something is at a path. */
    public boolean exists(Path path) {
        Outcome<Boolean> found = machine.host()
                .files()
                .open(path, LinkRule.REFUSE)
                .map(held -> {
                    held.close();
                    return true;
                });
        return !VolumeLife.isRefused(found, Refusal.NOT_FOUND);
    }

    /** Writes a small file as a pod does. */
    public Outcome<Nothing> write(Path directory, String name, String text) {
        return machine.host().files().open(directory, LinkRule.FOLLOW).then(held -> {
            try (held) {
                return held.writeFile(name, text.getBytes(StandardCharsets.UTF_8), 0644);
            }
        });
    }

    /** Reads a small file as a pod does; empty if it is not there. */
    public Optional<String> read(Path directory, String name) {
        return machine.host()
                .files()
                .open(directory, LinkRule.FOLLOW)
                .then(held -> {
                    try (held) {
                        return held.readFile(name, 4096);
                    }
                })
                .result()
                .flatMap(content -> content)
                .map(content -> new String(content, StandardCharsets.UTF_8));
    }

    /** Sets the mode of a directory as a pod does. */
    public Outcome<Nothing> setMode(Path directory, int mode) {
        return machine.host().files().open(directory, LinkRule.FOLLOW).then(held -> {
            try (held) {
                return held.setMode(mode);
            }
        });
    }

    /** The mode of a directory as a pod sees it; empty if it cannot be told. */
    public Optional<Integer> mode(Path directory) {
        return machine.host()
                .files()
                .open(directory, LinkRule.FOLLOW)
                .then(held -> {
                    try (held) {
                        return held.facts();
                    }
                })
                .result()
                .map(facts -> facts.mode() & PERMISSIONS);
    }

    /** What exists now. */
    public Set<String> inventory() {
        Set<String> lines = new TreeSet<>(look().lines());
        lines.addAll(subject.backendInventory(machine));
        return lines;
    }

    private MachineInventory look() {
        return MachineInventory.of(machine.host(), machine.directory(), Set.of(pods(), staging()), state());
    }

    /** How two inventories differ, for people; empty if they do not. */
    public static String difference(Set<String> before, Set<String> after) {
        Set<String> more = new TreeSet<>(after);
        more.removeAll(before);
        Set<String> less = new TreeSet<>(before);
        less.removeAll(after);
        return (more.isEmpty() ? "" : "left over " + more) + (less.isEmpty() ? "" : " gone " + less);
    }

    /** Looks for secrets in everything that was said, written and run, and for shells. */
    public void inspect() {
        look().texts().forEach(text -> said("a file", text));
        watch.commands().forEach(command -> said("arguments", command.toString()));
        told.inspect();
        watch.commands().stream()
                .filter(command -> SHELLS.contains(command.tool()))
                .findFirst()
                .ifPresent(command -> {
                    throw new BrokenRule(Rule.NO_SHELL, "it ran " + command);
                });
        if (!chatter.get().isEmpty()) {
            throw new BrokenRule(Rule.FEW_NOTICES, chatter.get());
        }
        Optional<String> left = threads.left();
        if (left.isPresent()) {
            throw new BrokenRule(Rule.NO_THREAD_OR_PROCESS_LEFT, left.get());
        }
    }

    /** Nothing is watched any more; the machine stays. */
    void end() {
        told.close();
    }
}

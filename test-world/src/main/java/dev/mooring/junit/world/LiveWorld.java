// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.world;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.clusterstore.statefulset.StatefulSets;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.simulation.scenario.Story;
import dev.mooring.simulation.scenario.StoryPlayer;
import dev.mooring.simulation.virtual.VirtualClock;
import dev.mooring.simulation.world.CallFault;
import dev.mooring.simulation.world.MooringControlPlane;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.SimulatedPlugins;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.DeleteOptions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A simulated cluster that goes with the wall clock, and whose store others read and write at the same time, such as an API server. It has
 * one thread; all that is simulated happens there. Thread-safe.
 */
public final class LiveWorld implements AutoCloseable {
    private static final Duration EVENTUALLY = Duration.ofSeconds(60);
    private static final Duration LONGEST_ADVANCE = Duration.ofDays(3_650);
    /** What failed before is tried again meanwhile. */
    private static final Duration TO_GIVE_BACK = Duration.ofMinutes(3);
    /** What comes again and again without a meaning for others. */
    private static final Set<String> UNSEEN = Set.of("Event", "Lease");

    private final TimeSource wall = TimeSource.system();
    private final VirtualClock worldClock = new VirtualClock(wall.now().wall());
    private final LiveClock clock = new LiveClock(worldClock, wall);
    private final WorldThread thread = new WorldThread("mooring-world", this::turn);
    private final Quiet quiet = new Quiet(wall);
    private final SimulatedCluster cluster;
    private final StatefulSets statefulSets;
    private final StoryPlayer player;
    private final Explanations explanations;
    private final Set<String> defects = new LinkedHashSet<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Optional<Story> story;
    private final Optional<RealBackEnds> real;
    private final PluginRegistry plugins;

    private LiveWorld(WorldParts parts) {
        Kinds kinds = StoredKinds.withStandard();
        story = parts.scenario().map(file -> Story.read(file, kinds));
        real = parts.plugins().isEmpty()
                ? Optional.empty()
                : Optional.of(RealBackEnds.open(parts.plugins(), this::store));
        try {
            plugins = SimulatedPlugins.registry(
                    real.map(RealBackEnds::plugins).orElse(List.of()), Set.copyOf(parts.drivers()));
            MooringControlPlane plane = story.map(Story::plane)
                    .orElseGet(() -> new MooringControlPlane(plugins, Set.copyOf(MooringControlPlane.CONTROLLERS)));
            StoreOptions options = StoreOptions.of(kinds, clock, IdSource.random(new SecureRandom()))
                    .withDelivery(thread)
                    .withWrites(this::written);
            cluster = new SimulatedCluster(
                    options,
                    new LivePlane(plane, real, SimulatedPlugins.onNodes(plugins, Set.of())),
                    story.map(Story::seed).orElse(0L),
                    worldClock);
            cluster.addDuty(thread::deliver);
            real.ifPresent(backEnds -> cluster.show(backEnds.witness()));
            EventSink events = new StoreEventSink(cluster.documents().as("events"), clock);
            cluster.hear(events::announce);
            // What it hears of is delivered on this world's thread, which then looks at its duties.
            statefulSets = new StatefulSets(cluster.documents(), events, clock, () -> {});
            cluster.addDuty(statefulSets::work);
            player = new StoryPlayer(cluster, kinds);
            explanations = new Explanations(cluster.documents(), plugins, clock);
            thread.start();
        } catch (RuntimeException e) {
            real.ifPresent(RealBackEnds::close);
            throw e;
        }
    }

    /**
     * Starts a world.
     *
     * @throws dev.mooring.simulation.scenario.MalformedScenario if the scenario cannot be played
     * @throws AssertionError if an expectation of the scenario does not hold
     * @throws IllegalArgumentException if a class names a plugin that makes no volumes, or two plugins have one name
     * @throws IllegalStateException if this process cannot have the real back-ends that are wanted
     */
    public static LiveWorld start(WorldParts parts) {
        LiveWorld world = new LiveWorld(parts);
        boolean begun = false;
        try {
            world.thread.call(() -> world.begin(parts));
            world.story.ifPresent(world::play);
            begun = true;
            return world;
        } finally {
            if (!begun) {
                world.close();
            }
        }
    }

    private boolean begin(WorldParts parts) {
        DocumentStore admin = cluster.documents().as("world");
        for (int number = 1; number <= parts.nodes(); number++) {
            admin.create(Kinds.NODE, FirstObjects.node(number)).orThrow();
        }
        boolean isDefault = true;
        for (String described : parts.storageClasses()) {
            int equals = described.indexOf('=');
            String name = equals < 0 ? described : described.substring(0, equals);
            StoragePlugin maker = maker(equals < 0 ? SimulatedPlugins.SIM : described.substring(equals + 1));
            admin.create(Kinds.STORAGE_CLASS, FirstObjects.storageClass(name, maker, isDefault))
                    .orThrow();
            isDefault = false;
        }
        cluster.start();
        return true;
    }

    private StoragePlugin maker(String name) {
        List<StoragePlugin> makers = plugins.all().stream()
                .filter(plugin -> plugin.capability(Provisioning.class).isPresent())
                .toList();
        return makers.stream()
                .filter(plugin -> plugin.describe().name().value().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no plugin '" + name + "' that makes volumes; there are: "
                                + makers.stream()
                                        .map(plugin -> plugin.describe().name().value())
                                        .collect(Collectors.joining(", "))));
    }

    private void play(Story story) {
        List<String> failures = inStandingTime(() -> player.play(story));
        if (!failures.isEmpty()) {
            throw new AssertionError("the scenario does not end as expected:\n  " + String.join("\n  ", failures));
        }
    }

    private void written(WriteRecord write) {
        if (write.revision().isPresent() && !UNSEEN.contains(write.kind())) {
            quiet.written(write);
        }
    }

    private Optional<Duration> turn() {
        if (clock.stands()) {
            cluster.settle();
        } else {
            cluster.advance(clock.ahead());
        }
        takeDown();
        return clock.stands() ? Optional.empty() : nextDue().map(this::fromNow);
    }

    /** How long it is by the cluster's clock until something is due. */
    private Optional<Duration> nextDue() {
        return Stream.concat(cluster.nextDue().stream(), statefulSets.nextDue().map(clock.ahead()::plus).stream())
                .min(Comparator.naturalOrder());
    }

    private Duration fromNow(Duration due) {
        Duration left = due.minus(clock.ahead());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void takeDown() {
        synchronized (defects) {
            defects.addAll(cluster.trace().defects());
        }
        cluster.trace().clear();
    }

    /** The cluster's objects. */
    public DocumentStore store() {
        return cluster.documents();
    }

    /** The time of objects, nodes and back-offs. */
    public InstantSource clock() {
        return clock;
    }

    /** Explains what waits. */
    public Explanations explanations() {
        return explanations;
    }

    /** What our own controllers threw so far; empty unless Mooring has a fault. */
    public List<String> defects() {
        synchronized (defects) {
            return List.copyOf(defects);
        }
    }

    /**
     * Waits until neither the cluster nor one of its clients writes any more.
     *
     * @throws IllegalStateException if that does not come to an end
     */
    public void settle() {
        quiet.await(Quiet.SETTLED, this::work);
    }

    /**
     * Waits until assertions hold: they are looked at whenever nothing was written for a moment.
     *
     * @throws AssertionError or what else they throw, if they do not hold in time
     */
    public void eventually(Runnable assertions) {
        long start = wall.now().monotonicNanos();
        while (true) {
            Quiet.sleep(Quiet.BETWEEN_STEPS);
            quiet.await(Quiet.BETWEEN_STEPS, this::work);
            try {
                assertions.run();
                return;
            } catch (AssertionError | RuntimeException e) {
                if (wall.now().monotonicNanos() - start > EVENTUALLY.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private void work() {
        thread.call(() -> true); // a turn follows
        thread.call(() -> true); // it is over
    }

    /**
     * Lets time pass, from one thing that is due to the next. After a step in which an object changed clients have a moment to react.
     *
     * @throws IllegalArgumentException if the duration is negative or longer than ten years
     */
    public synchronized void advance(Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST_ADVANCE) > 0) {
            throw new IllegalArgumentException(
                    "time advances by 0 to " + LONGEST_ADVANCE.toDays() + " days, not by " + duration);
        }
        quiet.await(Quiet.BETWEEN_STEPS, this::work);
        Duration until = thread.call(() -> stopClock().plus(duration));
        try {
            while (thread.call(() -> step(until))) {
                quiet.await(Quiet.BETWEEN_STEPS, this::work);
            }
        } finally {
            thread.call(() -> goOn(duration));
        }
        quiet.await(Quiet.BETWEEN_STEPS, this::work);
    }

    private Duration stopClock() {
        cluster.advance(clock.ahead());
        clock.stop();
        return cluster.elapsed();
    }

    private boolean goOn(Duration advanced) {
        clock.goOn(advanced);
        return true;
    }

    /** Goes on to the next change, or to the end; answers whether something changed before the end. */
    private boolean step(Duration until) {
        long before = quiet.writes();
        while (quiet.writes() == before) {
            Duration left = until.minus(cluster.elapsed());
            if (left.isZero()) {
                return false;
            }
            Duration due = nextDue().orElse(left);
            cluster.advance(due.compareTo(left) < 0 ? due : left);
        }
        return true;
    }

    /**
     * Plays a step of a scenario. Clients cannot react before its end.
     *
     * @return which of its expectations do not hold
     * @throws dev.mooring.simulation.scenario.MalformedScenario if it is no step, or asks for what cannot be
     */
    public List<String> play(Document step) {
        return inStandingTime(() -> player.play(step));
    }

    private synchronized List<String> inStandingTime(Callable<List<String>> work) {
        return thread.call(() -> {
            Duration before = stopClock();
            takeDown();
            try {
                return work.call();
            } finally {
                goOn(cluster.elapsed().minus(before));
            }
        });
    }

    /** What there is now, as a scenario. */
    public String asScenario(String namespace) {
        return StateAsScenario.write(cluster.documents(), namespace);
    }

    /** Makes calls go wrong; {@code among} is asked on the world's thread. */
    public void declare(CallFault fault, Predicate<Call> among) {
        thread.call(() -> {
            cluster.declare(fault, among);
            return true;
        });
    }

    /** From now on all calls and writes go well, and what is down starts. */
    public void endFaults() {
        thread.call(() -> {
            cluster.endFaults();
            return true;
        });
    }

    /** The nodes that have a machine. */
    public List<String> nodes() {
        return thread.call(() -> {
            cluster.machines().keep();
            return cluster.machines().names();
        });
    }

    /** A machine dies with all its mounts. */
    public void stopNode(String name) {
        thread.call(() -> {
            cluster.machines().stop(name);
            return true;
        });
    }

    /** A machine boots, or its agent starts again. */
    public void startNode(String name) {
        thread.call(() -> {
            cluster.machines().restart(name);
            return true;
        });
    }

    /** The back-ends that are no simulation; empty for none. */
    public Optional<RealBackEnds> real() {
        return real;
    }

    /** What the world ended by; empty if it runs. */
    public Optional<Throwable> failure() {
        return thread.failure();
    }

    /**
     * Ends the world and its thread. What is real is given back first: pods and claims are deleted, and with them volumes whose policy is
     * Delete.
     *
     * @throws IllegalStateException if something real stays; the message says what
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            if (real.isPresent() && failure().isEmpty()) {
                giveBack();
            }
        } finally {
            thread.close();
            statefulSets.close();
            cluster.documents().close();
            real.ifPresent(RealBackEnds::close);
        }
    }

    private void giveBack() {
        endFaults();
        for (Kind<?> kind : List.of(StoredKinds.STATEFUL_SET, Kinds.POD, Kinds.PERSISTENT_VOLUME_CLAIM)) {
            for (Document object : store().listDocuments(kind).orThrow().items()) {
                ObjectKey key = ObjectKey.of(
                        object.text("metadata", "namespace").orElse(""),
                        object.text("metadata", "name").orElse(""));
                store().deleteObject(kind, key, DeleteOptions.DEFAULT);
            }
        }
        try {
            settle();
            advance(TO_GIVE_BACK);
        } catch (IllegalStateException restless) {
            // an object that does not go, such as by a finalizer of others; what is mounted is unmounted all the same
            return;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.registration;

import dev.mooring.csi.CsiEndpoint;
import dev.mooring.csi.CsiTransport;
import dev.mooring.plugin.csi.driver.Driver;
import dev.mooring.plugin.csi.driver.Drivers;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.plugin.DriverHost.NodeSetup;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the drivers of a node registered: those whose sockets appear in {@code plugins_registry}, of which the kernel tells, and those that
 * the operator named. It looks at the whole directory whenever something in it changes, so that no notice can be lost. A driver that hangs
 * holds up no other one's registration.
 *
 * <p>A driver whose socket goes is not called any more. The node's objects go on naming it for a while: schedulers and provisioners would
 * otherwise turn away from the node whenever a driver is updated (semantics/csi §5.4).
 */
public final class DriverRegistry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverRegistry.class);
    private static final Duration LONGEST_REST = Duration.ofMinutes(10);
    /** How long the node's objects name a driver that has gone. */
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** How long closing waits for a try. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private static final String COMPONENT = "kubelet";

    private final NodeSetup setup;
    private final InstantSource clock;
    private final CsiTransport transport;
    private final Drivers drivers;
    private final NodeEntry entry;
    private final SocketRegistration sockets;
    private final Path directory;
    private final WatchService watch;
    /** A thread for each try, which ends with it: the next one may be minutes away. */
    private final ExecutorService calls = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            0,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> thread("mooring-csi-registration", task));

    private final Map<Path, Attempts> registered = new TreeMap<>();
    private final Map<String, Attempts> named = new TreeMap<>();
    private final Map<String, Instant> left = new HashMap<>();
    private final AllocatableUpdates updates;
    private final FullNode fullNode;
    private final Map<Path, WatchKey> watched = new HashMap<>();
    /** Released whenever there may be something to do. */
    private final Semaphore changes = new Semaphore(0);

    private volatile Optional<Thread> looking = Optional.empty();

    /**
     * A registry that has not begun.
     *
     * @param drivers where drivers are put that can be called
     */
    public DriverRegistry(NodeSetup setup, CsiTransport transport, Drivers drivers, InstantSource clock) {
        this.setup = setup;
        this.clock = clock;
        this.updates = new AllocatableUpdates(clock);
        this.fullNode = new FullNode(
                setup.store(),
                setup.node().name(),
                CompletableFuture.delayedExecutor(FullNode.AGAIN.toNanos(), TimeUnit.NANOSECONDS, calls),
                this::full,
                this::anyMayBeFull);
        this.transport = transport;
        this.drivers = drivers;
        this.entry = new NodeEntry(
                setup.node(), setup.host(), clock, new DriverEntries(setup.store(), setup.node()), drivers);
        this.sockets = new SocketRegistration(transport, entry, drivers, setup.metrics());
        this.directory = setup.root().resolve("plugins_registry");
        try {
            this.watch = FileSystems.getDefault().newWatchService();
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("CSI drivers cannot be registered in " + directory, e);
        }
    }

    /**
     * Begins.
     *
     * @param driverCame run by another thread whenever a driver can be called that could not be called before
     */
    public void start(Runnable driverCame) {
        looking = Optional.of(thread("mooring-csi-registry", () -> run(driverCame)));
        looking.get().start();
        thread("mooring-csi-registry-watch", this::watch).start();
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void run(Runnable driverCame) {
        // those of an earlier process that do not come back
        List<String> former = entry.entered();
        synchronized (this) {
            former.forEach(name -> left.put(name, clock.instant()));
        }
        try {
            while (true) {
                Duration rest = look(driverCame);
                boolean unused = changes.tryAcquire(Math.max(1, rest.toMillis()), TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("the registration of CSI drivers has ended");
        }
    }

    private void watch() {
        try {
            while (true) {
                WatchKey changed = watch.take();
                changed.pollEvents();
                changed.reset();
                changes.release();
            }
        } catch (InterruptedException | ClosedWatchServiceException ended) {
            LOG.debug("the directory {} is not watched any more", directory);
        }
    }

    /** Brings the tries in line with the sockets, begins what is due, and tells how long nothing will be. */
    private synchronized Duration look(Runnable driverCame) {
        try {
            RegistrySockets now = RegistrySockets.in(directory);
            while (follow(now)) {
                now = RegistrySockets.in(
                        directory); // nothing tells of a socket that came before its directory was watched
            }
            Map<Path, String> sockets = now.sockets();
            List<Path> gone = new ArrayList<>(registered.keySet());
            gone.removeIf(socket -> registered
                    .getOrDefault(socket, new Attempts("", clock))
                    .isOf(sockets.getOrDefault(socket, "none")));
            gone.forEach(this::leave);
            sockets.forEach(
                    (socket, identity) -> registered.computeIfAbsent(socket, fresh -> new Attempts(identity, clock)));
        } catch (IOException e) {
            LOG.warn("the directory {} cannot be looked at: {}", directory, e.toString());
        }
        registered.forEach((socket, attempts) -> begin(attempts, () -> sockets.register(socket), driverCame));
        setup.endpoints()
                .forEach((name, endpoint) -> begin(
                        named.computeIfAbsent(name, fresh -> new Attempts("", clock)),
                        () -> configured(name, endpoint),
                        driverCame));
        updates.take().forEach(this::update);
        forgetTheLongGone();
        return rest();
    }

    /** Whether a directory is watched from now on. */
    private boolean follow(RegistrySockets now) throws IOException {
        boolean more = false;
        for (Path found : now.directories()) {
            WatchKey key = watched.get(found);
            if (key == null || !key.isValid()) {
                more = true;
                watched.put(
                        found,
                        found.register(
                                watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE));
            }
        }
        watched.keySet().retainAll(now.directories());
        return more;
    }

    private void leave(Path socket) {
        Attempts attempts = registered.remove(socket);
        if (attempts != null) {
            attempts.driver().ifPresent(driver -> {
                LOG.info("CSI driver {} has gone: its socket {} was removed", driver.name(), socket);
                entry.leave(driver);
                left.put(driver.name(), clock.instant());
                updates.left(driver.name());
            });
        }
    }

    private void begin(Attempts attempts, Supplier<Outcome<Driver>> attempt, Runnable driverCame) {
        if (attempts.due().filter(due -> !due.isAfter(clock.instant())).isPresent()) {
            attempts.begin();
            calls.execute(() -> {
                Outcome<Driver> outcome = tried(attempt);
                ended(attempts, outcome);
                if (outcome.isDone()) {
                    driverCame.run();
                }
                changes.release();
            });
        }
    }

    private synchronized void ended(Attempts attempts, Outcome<Driver> outcome) {
        attempts.end(outcome).ifPresent(this::tell);
        boolean isWanted = registered.containsValue(attempts) || named.containsValue(attempts);
        outcome.result().ifPresent(driver -> {
            if (isWanted) {
                left.remove(driver.name());
                updates.registered(driver.name());
                driver.onFull(() -> full(driver.name()));
                LOG.info("CSI driver {} is registered: {}", driver.name(), driver.endpoint());
            } else {
                // its socket went while it was being registered
                entry.leave(driver);
                left.put(driver.name(), clock.instant());
            }
        });
    }

    private void full(String driver) {
        synchronized (this) {
            updates.full(driver);
        }
        changes.release();
    }

    private void anyMayBeFull() {
        synchronized (this) {
            updates.anyMayBeFull();
        }
        changes.release();
    }

    private static Outcome<Driver> tried(Supplier<Outcome<Driver>> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException defect) {
            LOG.warn("a CSI driver was not registered", defect);
            return Outcome.deferred("a defect: " + defect);
        }
    }

    private Outcome<Driver> configured(String name, String endpoint) {
        CsiEndpoint parsed = CsiEndpoint.parse(endpoint);
        Optional<String> unsafe = SocketPlace.problem(parsed);
        if (unsafe.isPresent()) {
            return Outcome.refused(Refusal.INVALID, "driver " + name + ": " + unsafe.get());
        }
        Driver driver = new Driver(name, transport.connect(parsed), setup.metrics());
        Outcome<Driver> entered = entry.enter(driver).map(done -> driver);
        if (!entered.isDone()) {
            driver.close();
        }
        return entered;
    }

    private void tell(String problem) {
        LOG.warn("a CSI driver is not registered: {}", problem);
        setup.events()
                .announce(new Announcement(
                        Kinds.NODE,
                        ObjectKey.cluster(setup.node().name()),
                        setup.node().uid(),
                        true,
                        "CSIDriverNotRegistered",
                        problem,
                        COMPONENT));
    }

    private void update(String driver) {
        calls.execute(() -> {
            Optional<Duration> period = entry.period(driver);
            if (period.isPresent()) {
                // first, so that an attachment that finds no room after the answer is heard
                fullNode.watch();
                entry.update(driver);
            }
            synchronized (this) {
                updates.done(driver, period);
            }
            changes.release();
        });
    }

    private void forgetTheLongGone() {
        Instant before = clock.instant().minus(GRACE);
        List<String> names = left.entrySet().stream()
                .filter(gone -> gone.getValue().isBefore(before))
                .map(Map.Entry::getKey)
                .toList();
        for (String name : names) {
            left.remove(name);
            if (drivers.named(name).isEmpty()) {
                calls.execute(() -> {
                    Outcome<?> forgotten = entry.forget(name);
                    if (!forgotten.isDone()) {
                        synchronized (this) {
                            left.putIfAbsent(name, clock.instant());
                        }
                    }
                });
            }
        }
    }

    private Duration rest() {
        List<Instant> due = new ArrayList<>();
        registered.values().forEach(attempts -> attempts.due().ifPresent(due::add));
        named.values().forEach(attempts -> attempts.due().ifPresent(due::add));
        left.values().forEach(since -> due.add(since.plus(GRACE)));
        updates.next().filter(Instant.MAX::isAfter).ifPresent(due::add);
        Optional<Instant> first = due.stream().min(Instant::compareTo);
        Duration rest =
                first.map(next -> Duration.between(clock.instant(), next)).orElse(LONGEST_REST);
        return rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException e) {
            LOG.debug("a watch was not closed", e);
        }
        fullNode.close();
        // first who begins tries, then the tries: what they use is closed next
        looking.ifPresent(Thread::interrupt);
        try {
            if (looking.isPresent()) {
                looking.get().join(LONGEST_END.toMillis());
            }
            calls.shutdownNow();
            if (!calls.awaitTermination(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("a CSI driver is still being registered");
            }
        } catch (InterruptedException e) {
            calls.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

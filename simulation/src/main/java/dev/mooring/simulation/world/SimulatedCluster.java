// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteRecord;
import dev.mooring.clusterstore.customresources.CustomResources;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.simulation.virtual.CallAnswer;
import dev.mooring.simulation.virtual.ProcessSpec;
import dev.mooring.simulation.virtual.VirtualClock;
import dev.mooring.simulation.virtual.VirtualProcess;
import dev.mooring.simulation.virtual.VirtualWorld;
import dev.mooring.simulation.world.Strikes.Strike;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.WriteRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A whole simulated cluster: a store with the API server's rules, the control plane's processes, machines, back-ends, and a record of
 * what happens. Nothing outlives it. Confined to one thread.
 */
public final class SimulatedCluster {
    /** The client name of the controllers' writes. */
    public static final String CONTROLLERS = "controllers";

    /** The client name of the agents' writes. */
    public static final String AGENTS = "agents";

    /** The client name of the writes of what runs beside the control plane. */
    private static final String SIDECARS = "sidecars";

    private static final String DUTIES = "duties";

    /** How long a late write is under way: longer than any wait between tries, shorter than a request may live. */
    private static final Duration LATE = Duration.ofSeconds(20);

    /** Kinds that are not shown. */
    private static final Set<String> HIDDEN = Set.of("Event", "Lease");

    private final Kinds kinds;
    private final MemoryClusterStore store;
    private final UserApi users;
    private final Trace trace = new Trace();
    private final Strikes strikes = new Strikes();
    private final WriteFaults writeFaults = new WriteFaults();
    private final SimulatedBackends backends;
    private final VirtualClock clock;
    private final VirtualWorld world;
    private final Machines machines;
    private final VirtualProcess controllers;
    private final VirtualProcess duties;
    private final Map<String, VirtualProcess> sidecars = new TreeMap<>();
    private final List<Consumer<Announcement>> hearers = new ArrayList<>();
    private final List<Consumer<WriteRequest>> writeWitnesses = new ArrayList<>();
    private List<Kind<?>> followed;
    private CustomResources defined;
    private boolean restless;
    private Optional<WriteRecord> lastWrite = Optional.empty();

    /**
     * Makes a cluster in which nothing runs yet.
     *
     * @param kinds the kinds of objects
     * @param plane what is simulated
     * @param seed decides every choice
     */
    public SimulatedCluster(Kinds kinds, SimulatedControlPlane plane, long seed) {
        this(kinds, plane, seed, new VirtualClock());
    }

    private SimulatedCluster(Kinds kinds, SimulatedControlPlane plane, long seed, VirtualClock clock) {
        this(StoreOptions.of(kinds, clock, new SeededIds(seed)), plane, seed, clock);
    }

    /**
     * Makes a cluster in which nothing runs yet, on a store that others write to as well.
     *
     * @param options what the store is made of; what it delivers to watches has to be delivered on the cluster's thread
     * @param plane what is simulated
     * @param seed decides every choice
     * @param clock the world's
     */
    public SimulatedCluster(StoreOptions options, SimulatedControlPlane plane, long seed, VirtualClock clock) {
        this.kinds = options.kinds();
        this.clock = clock;
        this.store = new MemoryClusterStore(options.withWrites(write -> {
                    lastWrite = Optional.of(write);
                    options.writes().onWrite(write);
                })
                .withValidation(SimulatedVolumeRules.in(options.validation())));
        this.followed = kinds.all();
        this.defined = store.customResources();
        this.users = new StoreUsers(store);
        this.backends = new SimulatedBackends(plane::success, plane::carriedOut, trace, plane::fileSystems, clock);
        this.world = new VirtualWorld(clock, seed, new Recorder(trace, hearers, strikes));
        writeFaults.makeLater(this::makeLater);
        writeFaults.tell(strikes::count);
        backends.tellStrikes(strikes::count);
        ProcessStore processStore = new ProcessStore(
                store.as(CONTROLLERS),
                writeFaults,
                trace,
                request -> writeWitnesses.forEach(each -> each.accept(request)));
        ProcessStore agentStore = new ProcessStore(store.as(AGENTS), writeFaults, trace);
        this.controllers =
                world.add(new ProcessSpec(CONTROLLERS, plane::controllers, processStore, backends, plane.fences()));
        // As in Kubernetes, these are not the volume controllers': they neither die with them nor is what they write
        // theirs.
        this.duties = world.add(
                new ProcessSpec(DUTIES, () -> plane.duties(store.kinds()), store.as(DUTIES), SimulatedCluster::noCall));
        world.addDuty(this::followKinds);
        this.machines = new Machines(world, plane, store, agentStore, backends, strikes);
        world.addDuty(machines::keep);
        ProcessStore sidecarStore = new ProcessStore(store.as(SIDECARS), writeFaults, trace);
        plane.sidecars()
                .forEach((name, programs) ->
                        sidecars.put(name, world.add(new ProcessSpec(name, programs, sidecarStore, backends))));
    }

    /** Controllers know their kinds from their start, so the duties begin again when a kind is defined or removed. */
    private boolean followKinds() {
        CustomResources now = store.customResources();
        if (now == defined || !duties.running()) {
            return false;
        }
        defined = now;
        List<Kind<?>> all = store.kinds().all();
        if (all.equals(followed)) {
            return false;
        }
        followed = all;
        duties.restart();
        return true;
    }

    /** Drops requests that outlive their process: with a lease no process takes over while requests of the old one may still arrive. */
    private void makeLater(Runnable write) {
        Map<String, Long> before = starts();
        world.after(LATE, () -> {
            if (starts().equals(before)) {
                write.run();
            }
        });
    }

    private Map<String, Long> starts() {
        Map<String, Long> all = new HashMap<>();
        all.put(CONTROLLERS, startsOf(controllers));
        sidecars.forEach((name, sidecar) -> all.put(name, startsOf(sidecar)));
        machines.names()
                .forEach(node ->
                        world.process("node/" + node).ifPresent(agent -> all.put(agent.name(), startsOf(agent))));
        return all;
    }

    /**
     * Names the lives of the controllers and of the agents on machines that are up, as long as all of them run and follow their watches.
     *
     * @return another number whenever one of them began again, or went on after it had been stopped; 0 while one does not run or hears nothing
     */
    public long undisturbedLives() {
        long sum = controllers.follows() ? 31 * controllers.epoch() + controllers.stops() : 0;
        for (String node : sum == 0 ? List.<String>of() : machines.names()) {
            Optional<VirtualProcess> agent = world.process("node/" + node);
            if (machines.isUp(node)) {
                if (agent.filter(VirtualProcess::follows).isEmpty()) {
                    return 0;
                }
                sum = 31 * sum + agent.get().epoch();
            }
        }
        return sum;
    }

    private static long startsOf(VirtualProcess process) {
        return 2 * process.epoch() + (process.running() ? 0 : 1);
    }

    private static CallAnswer noCall(Call call, CallTicket ticket) {
        throw new IllegalStateException("a duty of the store called " + call.operation());
    }

    /** Starts the controllers. */
    public void start() {
        duties.restart();
        controllers.restart();
    }

    /** What users do. */
    public UserApi users() {
        return users;
    }

    /** What happened since the trace was last cleared. */
    public Trace trace() {
        return trace;
    }

    /** What really went wrong so far. */
    public Strikes strikes() {
        return strikes;
    }

    /** The machines. */
    public Machines machines() {
        return machines;
    }

    /** Names what is on the storage of a volume: another name once all of it has gone; 0 if nothing has happened to it. */
    public long contentOf(String volume) {
        return backends.contentOf(volume);
    }

    /** What the back-ends hold. */
    public BackendVolumes volumes() {
        return backends.volumes();
    }

    /** Shows every call of controllers and agents from now on to a witness. */
    public void show(CallWitness witness) {
        backends.show(witness);
    }

    /** Shows every write of the controllers from now on to a witness, before it is sent. */
    public void showWrites(Consumer<WriteRequest> witness) {
        writeWitnesses.add(witness);
    }

    /** The cluster's objects as they are, for checks; not a way for the control plane. */
    public ClusterStore store() {
        return store;
    }

    /** The same store in whole documents, for an API server; thread-safe. */
    public DocumentStore documents() {
        return store;
    }

    /** Has work of the world itself done, such as what others hand in; see {@link VirtualWorld#addDuty}. */
    public void addDuty(BooleanSupplier duty) {
        world.addDuty(duty);
    }

    /** Declares a fault of calls. */
    public void declare(CallFault fault) {
        backends.declare(fault);
    }

    /** Declares a fault of some of the calls that it speaks of. */
    public void declare(CallFault fault, Predicate<Call> among) {
        backends.declare(fault, among);
    }

    /** Declares a fault of a write. */
    public void declare(WriteFault fault) {
        writeFaults.declare(fault);
    }

    /** The controllers die and stay down. */
    public void stopControllers() {
        controllers.kill();
    }

    /** The controllers die, if they live, and start with nothing in memory. */
    public void restartControllers() {
        controllers.restart();
    }

    /** Another instance of the controllers begins to lead while writes of the old one are still on their way. */
    public void handOverControllers() {
        controllers.handOver();
    }

    /**
     * The process of the controllers is stopped, and goes on later; if its lease has run out meanwhile, another has begun to lead.
     *
     * @param length how long it is stopped
     */
    public void pauseControllers(Duration length) {
        world.pause(controllers, length);
    }

    /** Whether what the controllers are doing is done by an instance in whose place another leads. */
    public boolean actsOutOfTerm() {
        return controllers.actsOutOfTerm();
    }

    /** The process of a program that runs beside the control plane; empty if there is none of that name. */
    public Optional<VirtualProcess> sidecar(String name) {
        return Optional.ofNullable(sidecars.get(name));
    }

    /** The processes of the control plane and beside it: {@code controllers}, {@code node/NAME}, or that of a sidecar. */
    public Optional<VirtualProcess> process(String name) {
        return world.process(name);
    }

    /** Sets the wall clock forward or back. */
    public void jumpClock(Duration jump) {
        clock.jump(jump);
        strikes.count(Strike.MACHINE);
    }

    /**
     * Faults end: calls and writes succeed, watches show what there is, and everything that is down starts, except machines with a taint
     * that says they are off.
     */
    public void endFaults() {
        backends.endFaults();
        writeFaults.end();
        for (String node : machines.names()) {
            if (!machines.isUp(node) && !isSaidToBeOff(node)) {
                machines.restart(node);
            }
            world.process("node/" + node).ifPresent(VirtualProcess::releaseWatches);
        }
        sidecars.values().stream().filter(sidecar -> sidecar.epoch() > 0).forEach(SimulatedCluster::heal);
        world.endPauses(controllers);
        heal(controllers);
    }

    private boolean isSaidToBeOff(String node) {
        return store.get(Kinds.NODE, ObjectKey.cluster(node)).value().stream().anyMatch(Node::hasOutOfServiceTaint);
    }

    private static void heal(VirtualProcess process) {
        if (process.running()) {
            process.releaseWatches();
        } else {
            process.restart();
        }
    }

    /** Reports every event for people from now on. */
    public void hear(Consumer<Announcement> hearer) {
        hearers.add(hearer);
    }

    /** From now on NFS and hostPath destroy only what they made, as the real plugins do. */
    public void destroyOwnOnly() {
        backends.destroyOwnOnly();
    }

    /** Lets the caller choose which effect is carried out next, and which write and call goes wrong. */
    public void chooseBy(
            IntUnaryOperator effect,
            Supplier<Optional<WriteFault.Outcome>> write,
            Function<Call, Optional<CallFault>> call) {
        world.chooseBy(effect);
        writeFaults.ask(write);
        backends.ask(call);
    }

    /** The effects that may be carried out next. */
    public List<String> pendingEffects() {
        return world.pendingEffects();
    }

    /** How much has happened. */
    public long events() {
        return world.events();
    }

    /** Has something done after every effect. */
    public void afterEachEffect(Runnable look) {
        world.afterEach(look);
    }

    /** The write that the store has answered last. */
    public Optional<WriteRecord> lastWrite() {
        return lastWrite;
    }

    /** Whether a back-end has lied about a volume. */
    public boolean liedAbout(String volume) {
        return backends.liedAbout(volume);
    }

    /** Works until so many effects were carried out, or it is quiet. */
    public void work(int effects) {
        world.work(effects);
    }

    /** Lets everything work until it is quiet. */
    public void settle() {
        world.settle();
    }

    /** Settles, lets time pass, settles. */
    public void advance(Duration duration) {
        world.advance(duration);
    }

    /** How long it is until something is due; see {@link VirtualWorld#nextDue}. */
    public Optional<Duration> nextDue() {
        return world.nextDue();
    }

    /** How much time has passed. */
    public Duration elapsed() {
        return clock.elapsed();
    }

    /** The world did not come to rest: it is not to be played any further. */
    public void giveUp() {
        restless = true;
    }

    /** Whether the world was given up. */
    public boolean restless() {
        return restless;
    }

    /** All objects that are shown, by kind, namespace and name. */
    public List<Document> objects() {
        List<Document> objects = new ArrayList<>();
        kinds.all().stream()
                .filter(kind -> !HIDDEN.contains(kind.name()))
                .sorted(Comparator.comparing(Kind::name))
                .forEach(kind ->
                        objects.addAll(store.listDocuments(kind).orThrow().items()));
        return objects;
    }

    /** The kind of an object. */
    public Optional<Kind<?>> kindOf(Document object) {
        return kinds.byKindName(object.text("kind").orElse(""));
    }

    /** The name of an object. */
    public static ObjectKey keyOf(Document object) {
        return ObjectKey.of(
                object.text("metadata", "namespace").orElse(""),
                object.text("metadata", "name").orElse(""));
    }
}

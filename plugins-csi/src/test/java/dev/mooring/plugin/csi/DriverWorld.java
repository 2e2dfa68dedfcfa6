// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.ProvisionerRole;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.controlplane.NodeAgent;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.DriverFacts;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Event;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMount;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.testkit.host.MemoryHost;
import dev.mooring.volumemanager.content.TokenIssuer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A store with all controllers and one node, whose machine is in memory and whose drivers are called by real sockets. */
final class DriverWorld implements AutoCloseable {
    static final String NODE = "n1";
    static final ObjectKey CLAIM = ObjectKey.of("default", "data");
    static final ObjectKey POD = ObjectKey.of("default", "web");

    final MemoryClusterStore store = new MemoryClusterStore(StoreOptions.of(
            Kinds.standard().and(Kinds.OF_SNAPSHOTS), InstantSource.system(), IdSource.random(new Random(7))));
    RecordLog records = new MemoryRecordLog();
    private final Path root;
    private final MemoryHost host;
    private final Map<String, String> endpoints;
    private final DriverHost drivers = new CsiHost();
    private final DriverHost.InControllers served;
    private final TokenIssuer issuer;
    private final DriverCallMetrics metrics = DriverCallMetrics.ofControllers();
    private volatile ControlPlane plane;
    private Optional<DriverHost.Beside> beside = Optional.empty();
    private Optional<ControlPlane> sidecar = Optional.empty();
    private boolean besideOthers;
    private final AtomicInteger hostsAsked = new AtomicInteger();
    final List<String> came = new CopyOnWriteArrayList<>();
    private Optional<NodeAgent> agent = Optional.empty();

    /**
     * A world with its controllers and its node.
     *
     * @param endpoints sockets of drivers by name, for the node and the controllers
     */
    DriverWorld(Path root, Map<String, String> endpoints) {
        this(root, endpoints, TokenIssuer.NONE);
    }

    /** The same, whose pods have tokens. */
    DriverWorld(Path root, Map<String, String> endpoints, TokenIssuer issuer) {
        this.issuer = issuer;
        this.root = root;
        this.host = new MemoryHost(root);
        this.endpoints = new TreeMap<>(endpoints);
        served = drivers.inControllers(store, endpoints, metrics);
        plane = plane();
        served.start(plugin -> {
            came.add(plugin.value());
            plane.runtime().pluginCame(plugin);
        });
        startNode();
    }

    /**
     * The same with a driver that is left to its side-car, which has to be started.
     *
     * @param endpoint the socket by which the node calls the driver
     */
    static DriverWorld leftToSidecars(Path root, String endpoint) {
        DriverWorld world = new DriverWorld(root, Map.of(), TokenIssuer.NONE);
        world.stopNode();
        world.endpoints.put(FakeDriver.NAME, endpoint);
        world.startNode();
        return world;
    }

    /** A process beside the driver of that socket begins. */
    DriverFacts startSidecar(String endpoint, SidecarRules rules, ProvisionerRole role) {
        DriverHost.Beside connected = drivers.beside(endpoint, metrics);
        DriverFacts facts = connected.facts(Duration.ofSeconds(30)).result().orElseThrow();
        beside = Optional.of(connected);
        sidecar = Optional.of(ControlPlane.builder(store)
                .plugins(connected.plugin(store, facts, rules))
                .binder(BinderOptions.DEFAULT.withMigrated(MigratedPlugins.NONE).besideAnother(role))
                .start());
        return facts;
    }

    void stopSidecar() {
        sidecar.ifPresent(ControlPlane::close);
        beside.ifPresent(DriverHost.Beside::close);
        sidecar = Optional.empty();
        beside = Optional.empty();
    }

    private ControlPlane plane() {
        BinderOptions options = BinderOptions.DEFAULT.with(BinderSwitch.SNAPSHOTS);
        return ControlPlane.builder(store)
                .plugins(served.plugins())
                .binder(besideOthers ? options.with(BinderSwitch.SNAPSHOTS_BESIDE_OTHERS) : options)
                .start();
    }

    /** From now on the controllers are not the only ones of the cluster. */
    void addOthers() {
        besideOthers = true;
        restartControllers();
    }

    void startNode() {
        agent = Optional.of(NodeAgent.builder(store, host, root)
                .records(records)
                .bootId("boot")
                .drivers(this::askedHost, endpoints)
                .tokens(issuer)
                .start(NODE));
    }

    private DriverHost askedHost() {
        hostsAsked.incrementAndGet();
        return drivers;
    }

    /** How often nodes asked for what calls drivers. */
    int hostsAsked() {
        return hostsAsked.get();
    }

    void stopNode() {
        agent.ifPresent(NodeAgent::close);
        agent = Optional.empty();
    }

    /** The node's process ends, and another one that knows nothing takes its place. */
    void replaceNode() {
        stopNode();
        records = new MemoryRecordLog();
    }

    /** Waits until the controllers have nothing to do. */
    void settle() {
        plane.whenQuiescent().join();
    }

    /** Waits until the node has nothing to do. */
    void settleNode() {
        agent.orElseThrow().whenQuiescent().join();
    }

    void restartControllers() {
        plane.close();
        plane = plane();
    }

    /** How often calls to drivers were answered with a code, in the controllers and on the node. */
    Map<String, Double> counted() {
        Map<String, Double> counted = new TreeMap<>();
        List<Metric> all = new ArrayList<>(agent.orElseThrow().metrics().join());
        all.add(metrics.collect());
        all.stream()
                .filter(metric -> metric.name().startsWith("csi_"))
                .flatMap(metric -> metric.samples().stream())
                .filter(sample -> sample.name().endsWith("_count"))
                .forEach(sample -> counted.put(
                        sample.name() + " " + String.join(" ", new TreeMap<>(sample.labels()).values()),
                        sample.value()));
        return counted;
    }

    Path root() {
        return root;
    }

    MemoryHost host() {
        return host;
    }

    // ---- objects ----

    void createClass(Map<String, String> parameters) {
        createClass(parameters, VolumeBindingMode.IMMEDIATE);
    }

    void createClass(Map<String, String> parameters, VolumeBindingMode binding) {
        store.create(
                        Kinds.STORAGE_CLASS,
                        new StorageClass(
                                ObjectMeta.named("fast"),
                                FakeDriver.NAME,
                                parameters,
                                Optional.of(ReclaimPolicy.DELETE),
                                List.of(),
                                Optional.of(true),
                                Optional.of(binding),
                                List.of()))
                .orThrow();
    }

    void createClaim(String size) {
        createClaim(CLAIM.name(), size, Optional.empty());
    }

    void createClaim(String name, String size, Optional<TypedObjectReference> source) {
        store.create(
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        PersistentVolumeClaim.of(
                                CLAIM.namespace(),
                                name,
                                PersistentVolumeClaimSpec.EMPTY
                                        .withStorageClassName(Optional.of("fast"))
                                        .withDataSource(source)
                                        .withDataSourceRef(source)
                                        .withRequestedStorage(Quantity.parse(size))
                                        .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))))
                .orThrow();
    }

    /** A claim that is to hold what {@link #claim} holds. */
    void createClone(String name, String size) {
        TypedObjectReference source = new TypedObjectReference("", "PersistentVolumeClaim", CLAIM.name(), "");
        createClaim(name, size, Optional.of(source));
    }

    PersistentVolumeClaim claim(String name) {
        return store.get(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(CLAIM.namespace(), name))
                .orThrow();
    }

    boolean isBound(String name) {
        return claim(name).status().phase() == ClaimPhase.BOUND;
    }

    void createPod() {
        createPod(spec -> spec);
    }

    /** A pod that has the claim, and something else of its own. */
    void createPod(UnaryOperator<PodSpec> change) {
        createPod(new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", CLAIM.name()))), change);
    }

    void createPod(VolumeSource source) {
        createPod(source, spec -> spec);
    }

    void createPod(VolumeSource source, UnaryOperator<PodSpec> change) {
        VolumeMount mount = new VolumeMount("data", "/data", false, "", "", Optional.empty());
        Container container = new Container("main", "registry.example.com/app:1", List.of(mount), List.of());
        store.create(
                        Kinds.POD,
                        Pod.of(
                                POD.namespace(),
                                POD.name(),
                                change.apply(PodSpec.EMPTY
                                        .withNodeName(NODE)
                                        .withVolumes(List.of(new PodVolume("data", Optional.of(source))))
                                        .withContainers(List.of(container)))))
                .orThrow();
    }

    void deletePod() {
        store.delete(Kinds.POD, POD, DeleteOptions.DEFAULT).orThrow();
    }

    void deleteClaim() {
        store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM, DeleteOptions.DEFAULT)
                .orThrow();
    }

    PersistentVolumeClaim claim() {
        return store.get(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM).orThrow();
    }

    boolean podRuns() {
        return store.get(Kinds.POD, POD)
                .value()
                .filter(pod -> pod.status().phase() == PodPhase.RUNNING)
                .isPresent();
    }

    boolean claimIsGone() {
        return store.get(Kinds.PERSISTENT_VOLUME_CLAIM, CLAIM).value().isEmpty();
    }

    boolean podIsGone() {
        return store.get(Kinds.POD, POD).value().isEmpty();
    }

    List<String> messages() {
        return store.list(Kinds.EVENT, ListOptions.ALL).orThrow().items().stream()
                .map(Event::message)
                .toList();
    }

    /** Waits until something is so. Where it never is, the test's own limit ends it, with what the events say. */
    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + " has not come; events: " + messages());
            }
            Thread.onSpinWait();
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        stopSidecar();
        stopNode();
        plane.close();
        served.close();
        store.close();
    }
}

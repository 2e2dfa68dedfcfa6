// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.metrics.LoopMetrics;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.DriverTokens;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreNotes;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.Adoption;
import dev.mooring.volumemanager.HostVolumes;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.NodeSignals;
import dev.mooring.volumemanager.VolumeManager;
import dev.mooring.volumemanager.calls.NodeCallHandler;
import dev.mooring.volumemanager.content.ContentFeed;
import dev.mooring.volumemanager.content.PodTokens;
import dev.mooring.volumemanager.content.TokenIssuer;
import dev.mooring.volumemanager.metrics.VolumeManagerMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Looks after the volumes of one node, as the kubelet's volume manager does: it mounts what the node's pods use, with plugins and with the
 * volumes that every node has (emptyDir, configMap, secret, downwardAPI, projected), and unmounts what no pod uses. Secrets and config maps
 * in use, and the mount table, wake it beside the store.
 *
 * <pre>{@code
 * try (NodeAgent agent = NodeAgent.builder(store, host, root).plugins(plugin).records(log).start("node-1")) {
 *     agent.whenQuiescent().join();
 * }
 * }</pre>
 *
 * <p>The whole wiring stands in the constructor. Closing ends the loop and leaves records and everything mounted as it is. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NodeAgent implements AutoCloseable {
    /** The label by which volumes name their node. */
    public static final String HOSTNAME = "kubernetes.io/hostname";

    private static final String NAME = "node";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final ControllerRuntime runtime;
    private final ContentFeed feed;
    private final RecordLog records;
    private final VolumeManagerMetrics metrics;
    private final LoopMetrics loop = new LoopMetrics(NAME);
    private final PluginRegistry plugins;
    private final NodeSignals signals = new NodeSignals();
    private final SetAside aside;
    private final DriverCallMetrics driverCalls = DriverCallMetrics.ofNode();
    private final Optional<NodeDrivers> drivers;

    private NodeAgent(Builder parts, NodeRef node) {
        feed = new ContentFeed(parts.store);
        PodTokens tokens = new PodTokens(parts.tokens, InstantSource.system(), NodeAgent::later, feed);
        DriverTokens driverTokens = (pod, account, audience, life) -> tokens.issued(pod, account, audience, life)
                .map(issued -> new DriverTokens.Given(issued.value(), issued.expires()));
        plugins = HostVolumes.with(parts.registry(), feed, tokens);
        records = parts.records;
        aside = new SetAside(parts.root);
        metrics = new VolumeManagerMetrics(plugins, node.name());
        NodeConfig config = NodeConfig.standalone(node, parts.bootId(), parts.root)
                .withSELinux(parts.host.capabilities().has(HostFeature.SELINUX))
                .withSnapshots(parts.snapshots);
        CallHandler calls = new NodeCallHandler(
                        node, parts.root, plugins, records, parts.host, new StoreSecrets(parts.store))
                .withNotes(volume -> StoreNotes.of(parts.store, volume));
        EventSink events = parts.sink(parts.store);
        drivers = parts.drivers.map(
                opened -> new NodeDrivers(opened, parts.setup(node, events, driverTokens, driverCalls)));
        Adoption.Result found = search(parts, config, events);
        runtime = new ControllerRuntime(
                parts.store,
                VolumeManager.controllers(config, plugins, records.replay(), signals, found),
                parts.options(NAME, calls, events, metrics, loop));
        feed.onChange(podUid -> inLoop(() -> signals.content().changed(podUid)));
        parts.mounts.ifPresent(table ->
                MountWatch.begin(table, change -> inLoop(() -> signals.mounts().changed(change))));
    }

    private Adoption.Result search(Builder parts, NodeConfig config, EventSink events) {
        boolean searched = false;
        try {
            drivers.flatMap(NodeDrivers::ofMounted).ifPresent(plugins::add);
            Adoption.Result found = UnrecordedMounts.search(parts, config, plugins, events);
            searched = true;
            return found;
        } finally {
            if (!searched) {
                drivers.ifPresent(NodeDrivers::close);
            }
        }
    }

    /** On a thread of the JDK's that is there only while something waits. */
    private static void later(Duration wait, Runnable work) {
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS).execute(work);
    }

    /**
     * Begins to describe an agent.
     *
     * @param store the cluster's objects; stays the caller's, who closes it after the agent; never null
     * @param host what this machine does, such as {@code LinuxHost}; never null
     * @param root below it volumes are mounted for pods; never null
     */
    public static Builder builder(ClusterStore store, HostServices host, Path root) {
        return new Builder(store, host, root);
    }

    /**
     * A Node that is not there yet, with the label by which volumes name it.
     *
     * @param labels more labels
     */
    public static Node newNode(String name, Map<String, String> labels) {
        Map<String, String> all = new TreeMap<>(labels);
        all.put(HOSTNAME, name);
        Node node = Node.of(name);
        return node.withMetadata(node.metadata().withLabels(all));
    }

    /** Describes an agent, and starts it. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder extends LoopBuilder<Builder> {
        final HostServices host;
        final Path root;
        RecordLog records = new MemoryRecordLog();
        private Optional<String> bootId = Optional.empty();
        private TokenIssuer tokens = TokenIssuer.NONE;
        private Optional<MountTableSource> mounts = Optional.empty();
        private boolean snapshots;
        private Optional<Supplier<DriverHost>> drivers = Optional.empty();
        private Map<String, String> endpoints = Map.of();

        private Builder(ClusterStore store, HostServices host, Path root) {
            super(store);
            this.host = host;
            this.root = root;
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * The node's memory, which outlives the agent: what stands in it is undone after a crash. Without one, everything is forgotten with
         * the process.
         *
         * @param log stays the caller's
         */
        public Builder records(RecordLog log) {
            records = log;
            return this;
        }

        /** Names the running boot of the machine; by default what its kernel says. */
        public Builder bootId(String id) {
            bootId = Optional.of(id);
            return this;
        }

        /** Makes the tokens of service accounts that pods show; without it such a volume waits, and its pod has an event. */
        public Builder tokens(TokenIssuer issuer) {
            tokens = issuer;
            return this;
        }

        /** Makes volumes from snapshots, too; the store has to serve {@code Kinds.OF_SNAPSHOTS}. */
        public Builder snapshots() {
            snapshots = true;
            return this;
        }

        /** Follows the mount table; without it a missing mount is noticed at the next look only. */
        public Builder mounts(MountTableSource table) {
            mounts = Optional.of(table);
            return this;
        }

        /**
         * Looks after CSI drivers: those that register in {@code plugins_registry} below the root, and those that are named here. Without it
         * volumes of drivers wait, and their pods have an event.
         *
         * @param host what calls them; asked for once, when the first driver comes
         * @param named sockets of drivers that do not register, by the drivers' names
         */
        public Builder drivers(Supplier<DriverHost> host, Map<String, String> named) {
            drivers = Optional.of(host);
            endpoints = Map.copyOf(named);
            return this;
        }

        private String bootId() {
            return bootId.orElseGet(
                    () -> host.sysfs().read(BOOT_ID).result().flatMap(id -> id).orElse("this"));
        }

        /**
         * Makes the Node object if it is not there, and starts.
         *
         * @throws UnknownMountsException if the cluster cannot say whose the mounts of this machine are
         */
        public NodeAgent start(String node) {
            Node there = store.get(Kinds.NODE, ObjectKey.cluster(node))
                    .value()
                    .orElseGet(() ->
                            store.create(Kinds.NODE, newNode(node, Map.of())).orThrow());
            return start(new NodeRef(node, there.metadata().uid()));
        }

        /**
         * Starts for a node whose object is there.
         *
         * @throws UnknownMountsException if the cluster cannot say whose the mounts of this machine are
         */
        public NodeAgent start(NodeRef node) {
            NodeAgent agent = new NodeAgent(this, node);
            agent.aside.tell();
            agent.runtime.start();
            agent.drivers.ifPresent(looking -> looking.begin(agent));
            return agent;
        }

        private DriverHost.NodeSetup setup(
                NodeRef node, EventSink events, DriverTokens tokensOfDrivers, DriverCallMetrics calls) {
            return new DriverHost.NodeSetup(store, host, node, root, endpoints, events, tokensOfDrivers, calls);
        }
    }

    private void inLoop(Runnable told) {
        Future<?> unused = post(told);
    }

    private CompletableFuture<?> post(Runnable told) {
        return runtime.ask(caches -> {
            told.run();
            return told;
        });
    }

    /**
     * Takes in one more plugin, such as that of CSI drivers once the first driver has come. What waits for it goes on.
     *
     * @throws IllegalArgumentException if another plugin has its name or serves one of its source types
     */
    public void add(StoragePlugin plugin) {
        plugins.add(plugin);
        driverCame();
    }

    /** Says that a driver behind a plugin has come, or has come back: what was deferred for it is tried at once. */
    public void driverCame() {
        inLoop(signals.drivers()::driverCame);
    }

    /**
     * Unmounts what no container uses, before the machine is shut down; see {@link dev.mooring.volumemanager.ShutdownSignal}. Closing comes after it.
     *
     * @param limit how long it may take
     * @return whether the node came to rest in time
     */
    public boolean leaveMachine(Duration limit) {
        try {
            post(signals.shutdown()::begins)
                    .thenCompose(told -> runtime.whenQuiescent())
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Waits until there is nothing to do; see {@link ControllerRuntime#whenQuiescent}. */
    public CompletableFuture<?> whenQuiescent() {
        return runtime.whenQuiescent();
    }

    /** What the agent ended by, other than by being closed; see {@link ControllerRuntime#failure}. */
    public Optional<Throwable> failure() {
        return runtime.failure();
    }

    /** The node's metrics with their values now; reads the records. */
    public CompletableFuture<List<Metric>> metrics() {
        Collection<RecordEntry> standing = RecordLog.standing(records.replay()).values();
        Metric left = aside.metric();
        return runtime.ask(caches -> {
            List<Metric> all = new ArrayList<>(metrics.collect(caches, standing));
            all.add(left);
            all.add(driverCalls.collect());
            all.addAll(loop.collect());
            return all;
        });
    }

    @Override
    public void close() {
        runtime.close();
        drivers.ifPresent(NodeDrivers::close);
        feed.close();
    }

    /**
     * Closes, and waits at most the given time for calls that do not end.
     *
     * @return whether everything had answered
     */
    public boolean close(Duration limit) {
        boolean clean = runtime.close(limit).clean();
        drivers.ifPresent(NodeDrivers::close);
        feed.close();
        return clean;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.node;

import dev.mooring.controlplane.NodeAgent;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.distribution.plugin.PluginsInUse;
import dev.mooring.distribution.wiring.MachineLimits;
import dev.mooring.distribution.wiring.NodeGraph;
import dev.mooring.distribution.wiring.NodeMounts;
import dev.mooring.distribution.wiring.NodePartsBuilder;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.host.linux.KernelRelease;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the volumes of one Node that no kubelet manages, until it is stopped, or finds that the Node belongs to another agent. What
 * is mounted stays, and is found again by the next start.
 */
public final class NodeProcess {
    private static final Logger LOG = LoggerFactory.getLogger(NodeProcess.class);
    private static final String LOG_FILE = "node.db";
    private static final Duration STOPPING = Duration.ofSeconds(8);

    private final NodeSettings settings;
    private final MachineFacts machine;
    private final TimeSource time;
    private final NodeStatusPage page;
    private final CountDownLatch started = new CountDownLatch(1);
    private final StopSignal signal = new StopSignal();

    /** Makes a process that has not begun. */
    public NodeProcess(NodeSettings settings) {
        this(settings, MachineFacts.ofThisMachine(), TimeSource.system());
    }

    NodeProcess(NodeSettings settings, MachineFacts machine, TimeSource time) {
        this.settings = settings;
        this.machine = machine;
        this.time = time;
        this.page = new NodeStatusPage(time, settings.lease());
    }

    /**
     * Runs until {@link #stop}.
     *
     * @return true if it was stopped; false if another agent has the Node now, or the agent has ended by itself
     * @throws NodeRefused if it is another agent's from the beginning; nothing has been done then
     * @throws PluginsInUse.NeededPluginUnusable if a plugin that cannot be used claims a volume of the cluster, or may have mounted
     *     what is mounted here; nothing has been done then
     * @throws LiveCluster.ClusterException if the cluster does not tell
     * @throws IOException if a file or an address cannot be used, or the kernel is too old; the message says which
     */
    public boolean run() throws IOException {
        Optional<OperationsEndpoint> shown = Optional.empty();
        MachineLimits.requireKernel(KernelRelease.running());
        keepPlaces();
        try (ClusterStore store = settings.cluster().get()) {
            shown = show();
            NodeClaim claim = claim(store);
            claim.refuseIfManaged(KubeletEvidence.onMachine(machine, mounts()));
            try (EmbeddedRecordLog records = EmbeddedRecordLog.open(files().resolve(LOG_FILE))) {
                // A driver that is not installed here may be that of other nodes.
                PluginsInUse inUse = new PluginsInUse(settings.plugins(), false);
                inUse.requireFor(store);
                inUse.requireFor(records);
                return serve(store, records, claim);
            }
        } finally {
            shown.ifPresent(OperationsEndpoint::close);
            settings.places().close();
            signal.stopped();
        }
    }

    private void keepPlaces() {
        OwnPlaces own = new OwnPlaces(settings.places(), "mooring node");
        own.keep(Map.of(settings.data(), "records and the state of plugins"));
        own.keepMounts(settings.kubelet());
        own.keepDirectoriesOf(settings.plugins().plugins());
    }

    private Optional<OperationsEndpoint> show() throws IOException {
        if (settings.operations().isEmpty()) {
            return Optional.empty();
        }
        OperationsEndpoint endpoint =
                OperationsEndpoint.start(settings.operations().get(), page);
        LOG.info("metrics and health on port {}", endpoint.port());
        return Optional.of(endpoint);
    }

    private Path files() throws IOException {
        try {
            Path data = Files.createDirectories(settings.data());
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
            return data;
        } catch (IOException e) {
            throw new IOException(
                    "the data directory " + settings.data() + " cannot be used: " + FileFailures.reason(e), e);
        }
    }

    private NodeClaim claim(ClusterStore store) throws IOException {
        NodeClaimant claimant =
                NodeClaimant.of(settings.node(), HolderName.in(files()), settings.version(), settings.lease(), machine);
        return new NodeClaim(store, claimant, time, page::tried);
    }

    /** Mounts in a directory of the agent's own belong to no other program. The next step finds out which they are. */
    private MountsOfNode mounts() throws IOException {
        Path log = files().resolve(LOG_FILE);
        boolean anything = settings.adopts() || settings.kubelet().startsWith(settings.data());
        Path kubelet = machine.real(settings.kubelet());
        if (!Files.exists(log)) {
            return new MountsOfNode(kubelet, anything, List.of());
        }
        try (EmbeddedRecordLog records = EmbeddedRecordLog.open(log)) {
            return MountsOfNode.of(
                    kubelet, anything, RecordLog.standing(records.replay()).values());
        }
    }

    private boolean serve(ClusterStore store, EmbeddedRecordLog records, NodeClaim claim) throws IOException {
        Optional<NodeRef> node = claim.take(signal);
        return node.isPresent() ? work(store, records, node.get(), claim) : signal.isAsked();
    }

    private boolean work(ClusterStore store, EmbeddedRecordLog records, NodeRef node, NodeClaim claim)
            throws IOException {
        Path root = Files.createDirectories(settings.kubelet());
        Optional<LinuxHost> linux = LinuxHost.ofThisMachine(new LinuxHostLayout(
                Files.createDirectories(settings.data().resolve("state")), root.resolve("orphans"), settings.places()));
        linux.ifPresent(host -> MachineLimits.tell(host.capabilities()));
        NodeMounts mounts = NodeMounts.of(linux, root);
        NodeAgent agent = NodeGraph.start(NodePartsBuilder.builder()
                .store(store)
                .plugins(settings.plugins().plugins())
                .host(linux.<HostServices>map(host -> host).orElseGet(HostServices::none))
                .records(records)
                .node(node)
                .bootId(machine.bootId())
                .root(root.toRealPath())
                .events(new StoreEventSink(store, time))
                .calls(UnaryOperator.identity())
                .tokens(ClusterTokens.of(store))
                .mounts(mounts.feed())
                .endpoints(settings.endpoints())
                .listener(LoopListener.NONE)
                .snapshots(false)
                .build());
        try {
            page.works(agent);
            started.countDown();
            LOG.info("looking after the volumes of node {}", node.name());
            while (signal.pause(claim.interval())) {
                if (!works(agent) || !claim.keep()) {
                    return false;
                }
            }
            return true;
        } finally {
            if (!agent.close(STOPPING)) {
                LOG.warn("something is still in flight");
            }
            mounts.close();
            LOG.info("stopped");
        }
    }

    /** An agent that looks after nothing any more must not show the Node as alive. */
    private static boolean works(NodeAgent agent) {
        Optional<String> sickness = Operations.sickness(agent.failure());
        sickness.ifPresent(why -> LOG.error("{}; this agent ends", why));
        return sickness.isEmpty();
    }

    /** Waits until volumes are looked after; for tests. */
    void awaitStart() throws InterruptedException {
        started.await();
    }

    /** Asks {@link #run} to end and waits for it, as long as a service is given to stop. */
    public void stop() {
        if (!signal.stop(STOPPING.plusSeconds(2))) {
            LOG.warn("something is still in flight");
        }
    }
}

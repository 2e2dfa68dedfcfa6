// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.apiserver.access.Credentials;
import dev.mooring.apiserver.file.PrivateFile;
import dev.mooring.apiserver.rest.ApiEndpoint;
import dev.mooring.apiserver.rest.Backups;
import dev.mooring.apiserver.token.ServiceAccountTokens;
import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.clusterstore.duty.DutyOptions;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.distribution.page.LifeLines;
import dev.mooring.distribution.page.PageActors;
import dev.mooring.distribution.page.PageHandler;
import dev.mooring.distribution.page.PageReads;
import dev.mooring.distribution.page.PageWorld;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.PluginsInUse;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.distribution.wiring.MachineLimits;
import dev.mooring.distribution.wiring.MachineShutdown;
import dev.mooring.distribution.wiring.NodeMounts;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.KernelRelease;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A cluster of one machine in this process: the objects in a file, all controllers, a small scheduler, this machine as the node, and the
 * endpoint for kubectl.
 *
 * <p>Closing lets go of everything within ten seconds; what is mounted stays, and is found again by the next start.
 */
public final class Standalone implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration NODE_LEASE = Duration.ofSeconds(40); // a kubelet's
    private static final Duration LEAVING = Duration.ofSeconds(60);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final OpenedData data;
    private final NodeMounts mounts;
    private final LocalCluster cluster;
    private final OwnDuties duties;
    private final StandaloneStatus status;
    private final ApiEndpoint endpoint;
    private final Optional<OperationsEndpoint> operations;
    private final String url;
    private final String loginUrl;
    private final KeptPlaces places;

    private Standalone(
            OpenedData data,
            NodeMounts mounts,
            LocalCluster cluster,
            OwnDuties duties,
            StandaloneStatus status,
            ApiEndpoint endpoint,
            Optional<OperationsEndpoint> operations,
            String url,
            String loginUrl,
            KeptPlaces places) {
        this.data = data;
        this.mounts = mounts;
        this.cluster = cluster;
        this.duties = duties;
        this.status = status;
        this.endpoint = endpoint;
        this.operations = operations;
        this.url = url;
        this.loginUrl = loginUrl;
        this.places = places;
    }

    /**
     * Starts a server. When this returns, it answers, and the kubeconfig is written.
     *
     * @throws IOException if a file cannot be used or the address is taken; the message says which. Nothing is left running
     * @throws dev.mooring.distribution.node.NodeRefused if another agent has the node
     */
    public static Standalone start(StandaloneOptions options, List<StoragePlugin> plugins) throws IOException {
        return start(options, InstalledPlugins.of(plugins));
    }

    /**
     * The same with plugins of which some cannot be used.
     *
     * @throws IOException as above
     * @throws PluginsInUse.NeededPluginUnusable if a volume that is there, or something mounted, may need one of those
     */
    public static Standalone start(StandaloneOptions options, InstalledPlugins plugins) throws IOException {
        return start(options, plugins, NODE_LEASE);
    }

    static Standalone start(StandaloneOptions options, InstalledPlugins plugins, Duration lease) throws IOException {
        MachineLimits.requireKernel(KernelRelease.running());
        OwnKubeconfig.requireReplaceable(options.kubeconfig());
        keepPlaces(options, plugins);
        DataFiles files = dataFiles(options);
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        Closing closing = new Closing();
        closing.addFirst(options.places()::close);
        try {
            OpenedData data = OpenedData.open(options, files, lease, IdSource.random(random), closing);
            EmbeddedClusterStore store = data.store();
            PluginsInUse inUse = new PluginsInUse(plugins, true);
            inUse.requireFor(store);
            inUse.requireFor(data.records());
            Credentials credentials =
                    Credentials.in(files.data().resolve("access"), names(options.address()), random, clock.instant());
            ServiceAccountTokens tokens =
                    new ServiceAccountTokens(store, credentials.signed(), clock, IdSource.random(random));
            StandaloneStatus status = new StandaloneStatus(data.claims());
            LifeLines lifeLines = new LifeLines(clock);
            PageActors actors = new TokenHolders(store, events(store), credentials::isToken);
            PageHandler page = new PageHandler(
                    world(status, plugins, data, lifeLines, actors, clock), credentials::isToken, random);
            // Before the claims: an earlier holder of the node finds out here that it is taken.
            ApiEndpoint endpoint = ApiEndpoint.builder(store, credentials, tokens, clock)
                    .backups(new Backups(files.data().resolve("backups"), store::backup))
                    .before(page)
                    .sickness(status::sickness)
                    .start(options.address(), options.port());
            closing.addFirst(endpoint::close);
            data.claims().take();
            Path root = Files.createDirectories(files.data().resolve("kubelet"));
            Optional<LinuxHost> host = linuxHost(options, files, root);
            NodeMounts mounts = NodeMounts.of(host, root);
            closing.addFirst(mounts::close);
            LocalParts parts = parts(options, root, host, data, plugins.plugins())
                    .withListener(lifeLines)
                    .withTokens(new PodTokenIssuer(store, tokens));
            LocalCluster cluster = LocalCluster.start(parts.withMounts(mounts.feed()));
            closing.addFirst(cluster::close);
            OwnDuties duties = OwnDuties.start(store, options.controllers(), events(store), closing);
            status.works(cluster, duties::failure);
            data.claims().keep(() -> cluster.failure().or(duties::failure).isEmpty());
            Optional<OperationsEndpoint> operations = operations(options, status);
            operations.ifPresent(shown -> closing.addFirst(shown::close));
            String url = "https://" + host(options.address()) + ":" + endpoint.port();
            write(options.kubeconfig(), credentials.kubeconfig(url));
            return new Standalone(
                    data,
                    mounts,
                    cluster,
                    duties,
                    status,
                    endpoint,
                    operations,
                    url,
                    url + page.loginPath(),
                    options.places());
        } catch (IOException | RuntimeException e) {
            closing.runAfter(e);
            throw e;
        }
    }

    private static DataFiles dataFiles(StandaloneOptions options) throws IOException {
        try {
            return DataFiles.in(options.data());
        } catch (IOException e) {
            options.places().close();
            throw e;
        }
    }

    private static void keepPlaces(StandaloneOptions options, InstalledPlugins plugins) {
        Path data = options.data().toAbsolutePath();
        OwnPlaces own = new OwnPlaces(options.places(), "mooring standalone");
        own.keep(Map.of(data, "objects, records, keys, tokens and backups"));
        own.keep(Map.of(options.kubeconfig().toAbsolutePath(), "the kubeconfig with the administrator's token"));
        own.keepMounts(data.resolve("kubelet"));
        own.keepDirectoriesOf(plugins.plugins());
    }

    /** Why the process should be started again; empty if it is well. Never waits; never null. */
    public Optional<String> sickness() {
        return status.sickness();
    }

    private static Optional<OperationsEndpoint> operations(StandaloneOptions options, StandaloneStatus status)
            throws IOException {
        return options.operations().isPresent()
                ? Optional.of(OperationsEndpoint.start(options.operations().get(), status))
                : Optional.empty();
    }

    private static PageWorld world(
            StandaloneStatus status,
            InstalledPlugins plugins,
            OpenedData data,
            LifeLines lifeLines,
            PageActors actors,
            InstantSource clock) {
        return new PageWorld(
                status::controllers,
                new PluginRegistry(plugins.plugins()),
                () -> RecordLog.standing(data.records().replay()).values(),
                lifeLines,
                PageReads.of(data.store()),
                actors,
                clock);
    }

    private static Optional<LinuxHost> linuxHost(StandaloneOptions options, DataFiles files, Path root)
            throws IOException {
        Path state = Files.createDirectories(files.data().resolve("state"));
        Optional<LinuxHost> host =
                LinuxHost.ofThisMachine(new LinuxHostLayout(state, root.resolve("orphans"), options.places()));
        host.ifPresent(linux -> MachineLimits.tell(linux.capabilities()));
        return host;
    }

    private static void write(Path kubeconfig, String text) throws IOException {
        try {
            PrivateFile.write(kubeconfig, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IOException("the kubeconfig " + kubeconfig + " cannot be written: " + FileFailures.reason(e), e);
        }
    }

    private static LocalParts parts(
            StandaloneOptions options,
            Path root,
            Optional<LinuxHost> linux,
            OpenedData data,
            List<StoragePlugin> plugins)
            throws IOException {
        HostServices host = linux.<HostServices>map(each -> each).orElseGet(HostServices::none);
        List<Controller> duties = new ArrayList<>(BackgroundDuties.ofFixedKinds(DutyOptions.DEFAULT));
        duties.add(VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        return LocalParts.of(data.store(), host, plugins, options.node(), root)
                .withEndpoints(options.endpoints())
                .withRecords(data.records(), bootId())
                .withEvents(events(data.store()))
                .withDuties(duties)
                .withChoice(options.controllers());
    }

    private static EventSink events(DocumentStore store) {
        return new StoreEventSink(store.as("events"), TimeSource.system());
    }

    private static String bootId() throws IOException {
        return Files.readString(BOOT_ID).strip();
    }

    private static List<String> names(InetAddress address) throws IOException {
        Set<String> names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "kubernetes", "kubernetes.default"));
        names.add(address.getHostAddress());
        if (address.isAnyLocalAddress()) {
            names.add(InetAddress.getLocalHost().getHostName());
            names.add(InetAddress.getLocalHost().getHostAddress());
        }
        return List.copyOf(names);
    }

    private static String host(InetAddress address) {
        if (address.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    /** Where it answers. */
    public String url() {
        return url;
    }

    /** The page's address with a ticket that logs in once, within 15 minutes after the start. */
    public String loginUrl() {
        return loginUrl;
    }

    /** The port where metrics and health are shown; absent if they are not. */
    public OptionalInt operationsPort() {
        return operations.map(shown -> OptionalInt.of(shown.port())).orElseGet(OptionalInt::empty);
    }

    /** Whatever fails is thrown when everything was closed. */
    @Override
    public void close() {
        Closing closing = new Closing();
        operations.ifPresent(shown -> closing.add(shown::close));
        closing.add(endpoint::close);
        closing.add(data.claims()::close);
        if (MachineShutdown.isUnderWay()) {
            closing.add(() -> cluster.leaveMachine(LEAVING));
        }
        closing.add(() -> cluster.close(PATIENCE));
        closing.add(duties::close);
        closing.add(mounts::close);
        closing.add(data.store()::close);
        closing.add(data.records()::close);
        closing.add(data.delivery()::shutdown);
        closing.add(places::close);
        closing.run();
    }
}

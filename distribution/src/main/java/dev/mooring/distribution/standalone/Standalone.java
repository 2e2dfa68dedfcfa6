// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.binder.scheduling.SchedulingOptions;
import dev.mooring.binder.scheduling.VolumeScheduling;
import dev.mooring.distribution.file.PrivateFile;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.distribution.page.PageHandler;
import dev.mooring.distribution.page.PageWorld;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.PluginsInUse;
import dev.mooring.distribution.standalone.access.Credentials;
import dev.mooring.distribution.standalone.rest.ApiEndpoint;
import dev.mooring.distribution.standalone.rest.Backups;
import dev.mooring.distribution.standalone.token.PodTokenIssuer;
import dev.mooring.distribution.standalone.token.ServiceAccountTokens;
import dev.mooring.distribution.wiring.LocalCluster;
import dev.mooring.distribution.wiring.LocalParts;
import dev.mooring.distribution.wiring.MachineLimits;
import dev.mooring.distribution.wiring.MachineShutdown;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.host.linux.MountTableFeed;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.FileFailures;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.duty.BackgroundDuties;
import dev.mooring.runtime.duty.DutyOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.runtime.store.DocumentStore;
import dev.mooring.runtime.store.IdSource;
import dev.mooring.runtime.store.StoreOptions;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import dev.mooring.store.embedded.EmbeddedRecordLog;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A cluster of one machine in this process: the objects in a file, all controllers, a small scheduler, this machine as the node, and the
 * endpoint for kubectl.
 *
 * <p>Closing lets go of everything within ten seconds; what is mounted stays, and is found again by the next start.
 */
public final class Standalone implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(6);
    private static final Duration LEAVING = Duration.ofSeconds(60);
    private static final List<String> NAMESPACES = List.of("default", "kube-node-lease", "kube-public", "kube-system");
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int DELIVERY_THREADS = 2;

    private final EmbeddedClusterStore store;
    private final EmbeddedRecordLog records;
    private final ExecutorService delivery;
    private final Optional<MountTableFeed> mounts;
    private final LocalCluster cluster;
    private final ApiEndpoint endpoint;
    private final Optional<OperationsEndpoint> operations;
    private final String url;

    private Standalone(
            EmbeddedClusterStore store,
            EmbeddedRecordLog records,
            ExecutorService delivery,
            Optional<MountTableFeed> mounts,
            LocalCluster cluster,
            ApiEndpoint endpoint,
            Optional<OperationsEndpoint> operations,
            String url) {
        this.store = store;
        this.records = records;
        this.delivery = delivery;
        this.mounts = mounts;
        this.cluster = cluster;
        this.endpoint = endpoint;
        this.operations = operations;
        this.url = url;
    }

    /**
     * Starts a server. When this returns, it answers, and the kubeconfig is written.
     *
     * @throws IOException if a file cannot be used or the address is taken; the message says which. Nothing is left running
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
        OwnKubeconfig.requireReplaceable(options.kubeconfig());
        Path data = directory(options.data());
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        Closing closing = new Closing();
        // Secrets lie in it: for its owner alone.
        Path files = directory(data.resolve("store"));
        Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rwx------"));
        try {
            ExecutorService delivery = Executors.newFixedThreadPool(DELIVERY_THREADS, Standalone::deliveryThread);
            closing.addFirst(delivery::shutdownNow);
            EmbeddedClusterStore store = EmbeddedClusterStore.open(
                    files.resolve("cluster.db"),
                    StoreOptions.of(Kinds.standard(), clock, IdSource.random(random))
                            .withDelivery(delivery));
            closing.addFirst(store::close);
            NAMESPACES.forEach(name -> namespace(store, name));
            EmbeddedRecordLog records = EmbeddedRecordLog.open(files.resolve("node.db"));
            closing.addFirst(records::close);
            PluginsInUse inUse = new PluginsInUse(plugins, true);
            inUse.requireFor(store);
            inUse.requireFor(records);
            Path root = Files.createDirectories(data.resolve("kubelet"));
            Path state = Files.createDirectories(data.resolve("state"));
            Optional<LinuxHost> host =
                    LinuxHost.ofThisMachine(new LinuxHostLayout(state, root.resolve("orphans"), List.of()));
            host.ifPresent(linux -> MachineLimits.tell(linux.capabilities()));
            Optional<MountTableFeed> mounts =
                    host.flatMap(linux -> linux.followMounts().result());
            mounts.ifPresent(feed -> closing.addFirst(feed::close));
            Credentials credentials =
                    Credentials.in(data.resolve("access"), names(options.address()), random, clock.instant());
            ServiceAccountTokens tokens =
                    new ServiceAccountTokens(store, credentials.signed(), clock, IdSource.random(random));
            LocalParts parts = parts(options, root, host, store, records, plugins.plugins())
                    .withTokens(new PodTokenIssuer(store, tokens));
            LocalCluster cluster =
                    LocalCluster.start(mounts.map(parts::withMounts).orElse(parts));
            closing.addFirst(cluster::close);
            Backups backups = new Backups(data.resolve("backups"), store::backup);
            PageHandler page = new PageHandler(world(cluster, plugins, records, clock), credentials::isToken, random);
            ApiEndpoint endpoint = ApiEndpoint.start(
                    store,
                    clock,
                    credentials,
                    tokens,
                    backups,
                    options.address(),
                    options.port(),
                    page,
                    () -> Operations.sickness(cluster.failure()));
            closing.addFirst(endpoint::close);
            Optional<OperationsEndpoint> operations = operations(options, cluster);
            operations.ifPresent(shown -> closing.addFirst(shown::close));
            String url = "https://" + host(options.address()) + ":" + endpoint.port();
            write(options.kubeconfig(), credentials.kubeconfig(url));
            return new Standalone(store, records, delivery, mounts, cluster, endpoint, operations, url);
        } catch (IOException | RuntimeException e) {
            closing.runAfter(e);
            throw e;
        }
    }

    /** Why the process should be started anew; empty if it is well. Never waits; never null. */
    public Optional<String> sickness() {
        return Operations.sickness(cluster.failure());
    }

    private static Optional<OperationsEndpoint> operations(StandaloneOptions options, LocalCluster cluster)
            throws IOException {
        return options.operations().isPresent()
                ? Optional.of(OperationsEndpoint.start(options.operations().get(), new StandaloneStatus(cluster)))
                : Optional.empty();
    }

    private static PageWorld world(
            LocalCluster cluster, InstalledPlugins plugins, EmbeddedRecordLog records, InstantSource clock) {
        return new PageWorld(
                () -> Optional.of(cluster.controllers()),
                new PluginRegistry(plugins.plugins()),
                () -> RecordLog.standing(records.replay()).values(),
                clock);
    }

    private static Thread deliveryThread(Runnable work) {
        Thread thread = new Thread(work, "watches");
        thread.setDaemon(true);
        return thread;
    }

    private static void write(Path kubeconfig, String text) throws IOException {
        try {
            PrivateFile.write(kubeconfig, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IOException("the kubeconfig " + kubeconfig + " cannot be written: " + FileFailures.reason(e), e);
        }
    }

    private static Path directory(Path wanted) throws IOException {
        try {
            return Files.createDirectories(wanted).toRealPath();
        } catch (IOException e) {
            throw new IOException("the data directory " + wanted + " cannot be used: " + FileFailures.reason(e), e);
        }
    }

    private static LocalParts parts(
            StandaloneOptions options,
            Path root,
            Optional<LinuxHost> linux,
            DocumentStore store,
            EmbeddedRecordLog records,
            List<StoragePlugin> plugins)
            throws IOException {
        HostServices host = linux.<HostServices>map(each -> each).orElseGet(HostServices::none);
        List<Controller> duties = new ArrayList<>(BackgroundDuties.all(store.kinds(), DutyOptions.DEFAULT));
        duties.add(VolumeScheduling.scheduler(SchedulingOptions.DEFAULT));
        return LocalParts.of(store, host, plugins, options.node(), root)
                .withRecords(records, bootId())
                .withEvents(new StoreEventSink(store.as("events"), TimeSource.system()))
                .withDuties(duties);
    }

    private static String bootId() throws IOException {
        return Files.readString(BOOT_ID).strip();
    }

    private static void namespace(DocumentStore store, String name) {
        Document namespace = Document.of(Map.of("metadata", Map.of("name", name)));
        store.createDocument(Kinds.NAMESPACE, namespace).match(created -> true, failed -> {
            if (failed.reason() != Failure.ALREADY_EXISTS) {
                throw new IllegalStateException(failed.message());
            }
            return false;
        });
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
        if (MachineShutdown.isUnderWay()) {
            closing.add(() -> cluster.leaveMachine(LEAVING));
        }
        closing.add(() -> cluster.close(PATIENCE));
        mounts.ifPresent(feed -> closing.add(feed::close));
        closing.add(store::close);
        closing.add(records::close);
        closing.add(delivery::shutdown);
        closing.run();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.distribution.csi.ServedDrivers;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.distribution.page.LifeLines;
import dev.mooring.distribution.page.PageEndpoint;
import dev.mooring.distribution.page.PageHandler;
import dev.mooring.distribution.page.PageReads;
import dev.mooring.distribution.page.PageWorld;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.distribution.wiring.OwnPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.kubernetes.LeaderElection;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.kubernetes.Term;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.SidecarLeaseNames;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election until it is stopped, and runs the controllers while it leads. Each term has new controllers, which keep no state of
 * the term before.
 */
public final class ControllerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerProcess.class);
    private static final Path STATE = Path.of("/var/lib/mooring");
    private static final Duration STOPPING = Duration.ofSeconds(8);
    /** How many leases long a leader may be silent before it is thought to hang. */
    private static final int SILENT_LEASES = 4;

    /** How long the page waits for what the controllers do not keep. */
    private static final Duration PAGE_PATIENCE = Duration.ofSeconds(4);

    /** How long an answer about the Lease of a side-car may take: four of them are renewed one after another, within ten seconds. */
    private static final Duration SIDECAR_PATIENCE = Duration.ofSeconds(2);

    private static final Duration DEPOSED = Duration.ofSeconds(2);
    /** How often it is asked without an election whether the controllers still work. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final ControllerSettings settings;
    private final HostServices host;
    private final ControllerStatus status;
    private final StopSignal signal = new StopSignal();
    private final LifeLines lifeLines = new LifeLines(InstantSource.system());
    private volatile List<StoragePlugin> drivers = List.of();
    private Optional<KubernetesStore> forSidecars = Optional.empty();

    /** Makes a process that has not begun. */
    public ControllerProcess(ControllerSettings settings) {
        this.settings = settings;
        this.host = LinuxHost.ofThisMachine(
                        new LinuxHostLayout(STATE, settings.root().resolve("orphans"), settings.places()))
                .<HostServices>map(linux -> linux)
                .orElseGet(HostServices::none);
        this.status = new ControllerStatus(
                TimeSource.system(),
                settings.election().map(each -> each.lease().name()).orElse(""),
                settings.election()
                        .map(each -> each.leaseDuration().multipliedBy(SILENT_LEASES))
                        .orElse(Duration.ZERO));
    }

    /**
     * Runs until {@link #stop}, or until its controllers end by themselves: then it gives the lease back, for another process to take.
     *
     * @return whether it ended because it was stopped
     * @throws UncheckedIOException if the address of metrics and health cannot be listened on; nothing has been done then
     */
    public boolean run() {
        LOG.info("using {}", settings.connection());
        keepPlaces();
        Optional<OperationsEndpoint> endpoint = Optional.empty();
        Optional<PageEndpoint> page = Optional.empty();
        // A connection of its own, so that requests of people do not wait behind those of controllers.
        Optional<KubernetesStore> forPage = settings.page()
                .map(shown -> KubernetesStore.open(
                        settings.connection(), settings.options().withRequestTimeout(PAGE_PATIENCE)));
        try {
            // As for the page, and no renewal waits behind other requests.
            forSidecars = settings.served().isEmpty()
                    ? Optional.empty()
                    : Optional.of(KubernetesStore.open(
                            settings.connection(), settings.options().withRequestTimeout(SIDECAR_PATIENCE)));
            endpoint = settings.operations().map(this::show);
            page = settings.page()
                    .map(shown -> showPage(shown, forPage.map(PageReads::of).orElse(PageReads.NONE)));
            boolean told = work();
            LOG.info("stopped");
            return told;
        } finally {
            endpoint.ifPresent(OperationsEndpoint::close);
            page.ifPresent(PageEndpoint::close);
            forPage.ifPresent(KubernetesStore::close);
            forSidecars.ifPresent(KubernetesStore::close);
            settings.places().close();
            signal.stopped();
        }
    }

    private void keepPlaces() {
        OwnPlaces own = new OwnPlaces(settings.places(), "mooring controller");
        own.keep(Map.of(STATE, "the state of plugins"));
        own.keep(Map.of(settings.root(), "volumes that are recycled and the page's token"));
        own.keepDirectoriesOf(settings.plugins());
    }

    private boolean work() {
        try (KubernetesStore store = KubernetesStore.open(settings.connection(), settings.options());
                ServedDrivers served = ServedDrivers.of(store, settings.endpoints(), status.driverCalls())) {
            drivers = served.plugins();
            served.start(plugin -> status.deciding().ifPresent(controllers -> controllers.pluginCame(plugin)));
            if (settings.election().isPresent()) {
                return contend(store, settings.election().orElseThrow());
            } else {
                return decide(store);
            }
        }
    }

    private OperationsEndpoint show(OperationsAddress address) {
        try {
            OperationsEndpoint endpoint = OperationsEndpoint.start(address, status);
            LOG.info("metrics and health on http://{}:{}", address.listen().getHostString(), endpoint.port());
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private PageEndpoint showPage(PageSettings page, PageReads reads) {
        PageWorld world = new PageWorld(
                status::deciding,
                new PluginRegistry(settings.plugins()),
                List::of,
                lifeLines,
                reads,
                page.actors(),
                InstantSource.system());
        try {
            PageHandler handler = new PageHandler(world, page.isToken(), page.random());
            PageEndpoint endpoint = PageEndpoint.start(page.address(), handler);
            String host = page.address().getHostString();
            LOG.info("the page is on http://{}:{}/ui/", host, endpoint.port());
            LOG.info("logs in once, within 15 minutes: http://{}:{}{}", host, endpoint.port(), handler.loginPath());
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** What the controllers of a term are made of. */
    ControllerParts parts(ClusterStore store) {
        List<StoragePlugin> all = new ArrayList<>(settings.plugins());
        all.addAll(drivers);
        boolean snapshots = all.stream()
                .filter(plugin -> plugin.describe().reclaimPlace() == Place.CONTROLLER)
                .anyMatch(plugin -> plugin.capability(Snapshotting.class).isPresent());
        return ControllerParts.of(store, all, host)
                .withBinder(
                        snapshots
                                ? BinderOptions.DEFAULT
                                        .with(BinderSwitch.SNAPSHOTS)
                                        .with(BinderSwitch.SNAPSHOTS_BESIDE_OTHERS)
                                : BinderOptions.DEFAULT)
                .withAttachDetach(settings.attachDetach())
                .withListener(settings.page().isPresent() ? lifeLines : LoopListener.NONE);
    }

    /** The Leases of the drivers that are served in place of their side-cars; empty if there are none. */
    private Optional<ServedLeases> leases() {
        return forSidecars.map(store -> new ServedLeases(
                store,
                settings.served(),
                SidecarLeaseNames.IN_PLACE_OF_SIDECARS
                        + settings.election().map(LeaderOptions::identity).orElse(settings.name()),
                new StoreEventSink(store, TimeSource.system()),
                InstantSource.system()));
    }

    private static ControllerParts fenced(ControllerParts parts, Optional<ServedLeases> leases) {
        return leases.map(held -> parts.withCalls(held::guard).withDuties(List.of(new OtherWriters(held))))
                .orElse(parts);
    }

    private RunningControllers begun(RunningControllers controllers, Optional<ServedLeases> leases) {
        leases.ifPresent(held -> held.start(
                driver -> status.deciding().ifPresent(deciding -> deciding.pluginCame(new PluginName(driver)))));
        return controllers.with(leases);
    }

    private boolean decide(KubernetesStore store) {
        Optional<ServedLeases> leases = leases();
        RunningControllers controllers = begun(RunningControllers.start(fenced(parts(store), leases)), leases);
        status.tried();
        status.leads(Optional.of(controllers));
        LOG.info("deciding, without an election");
        boolean well = true;
        while (well && signal.pause(LOOK)) {
            well = works(controllers);
        }
        controllers.close(STOPPING);
        return well;
    }

    private boolean contend(KubernetesStore store, LeaderOptions options) {
        // A connection of its own, so that no renewal waits behind other requests; two tries fit into what a pause
        // leaves of the deadline.
        Duration patience = options.renewDeadline().multipliedBy(3).dividedBy(10);
        try (KubernetesStore forLease =
                KubernetesStore.open(settings.connection(), settings.options().withRequestTimeout(patience))) {
            LeaderElection election = new LeaderElection(forLease, options, TimeSource.system());
            Reign reign = Reign.NONE;
            boolean well = true;
            boolean going = true;
            while (going) {
                Optional<Term> term = election.tick();
                status.tried();
                if (!reign.isOf(term)) {
                    status.leads(Optional.empty());
                    if (reign.end(DEPOSED)) {
                        election.settled();
                    }
                    reign = term.map(each -> begin(store, each)).orElse(Reign.NONE);
                    status.leads(reign.controllers());
                }
                well = reign.controllers().map(ControllerProcess::works).orElse(true);
                going = well && signal.pause(election.pause());
            }
            if (reign.end(STOPPING)) {
                election.resign();
            }
            return well;
        }
    }

    /** A process that decides nothing any more must not keep others from deciding. */
    private static boolean works(RunningControllers controllers) {
        Optional<String> sickness = Operations.sickness(controllers.runtime().failure());
        sickness.ifPresent(why -> LOG.error("{}; this process ends", why));
        return sickness.isEmpty();
    }

    private Reign begin(KubernetesStore store, Term term) {
        Optional<ServedLeases> leases = leases();
        RunningControllers controllers =
                begun(RunningControllers.start(fenced(parts(store.during(term)), leases), term), leases);
        return new Reign(Optional.of(term), Optional.of(controllers));
    }

    /** Asks {@link #run} to end and waits for it, as long as a service is given to stop. */
    public void stop() {
        if (!signal.stop(STOPPING.plusSeconds(2))) {
            LOG.warn("something is still in flight");
        }
    }

    /** The controllers of one term, or of none. */
    private record Reign(Optional<Term> term, Optional<RunningControllers> controllers) {
        static final Reign NONE = new Reign(Optional.empty(), Optional.empty());

        boolean isOf(Optional<Term> now) {
            return term.equals(now);
        }

        /** Whether nothing is in flight any more. */
        boolean end(Duration limit) {
            return controllers.map(each -> each.close(limit).clean()).orElse(true);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.sidecar;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderSwitch;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.binder.ProvisionerRole;
import dev.mooring.controlplane.ControlPlane;
import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.distribution.operations.StopSignal;
import dev.mooring.distribution.wiring.ControllerGraph;
import dev.mooring.distribution.wiring.ControllerParts;
import dev.mooring.kubernetes.Candidacy;
import dev.mooring.kubernetes.JointElection;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.runtime.plugin.DriverFacts;
import dev.mooring.runtime.plugin.DriverHost;
import dev.mooring.runtime.plugin.SidecarLeaseNames;
import dev.mooring.runtime.plugin.SidecarRules;
import dev.mooring.runtime.term.FencedCalls;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process beside a CSI driver, in place of external-provisioner, -attacher, -resizer, csi-snapshotter, livenessprobe and node-driver-registrar: the
 * controllers of Mooring in the roles of the first four, with the driver as the only plugin (semantics/csi §7 to §11). It
 * holds the Leases of all of those while it works.
 */
public final class SidecarProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SidecarProcess.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration STOPPING = Duration.ofSeconds(20);

    private final SidecarSettings settings;
    private final StopSignal signal = new StopSignal();
    private final SidecarStatus status = new SidecarStatus();
    private volatile boolean refused;

    /** Not started yet. */
    public SidecarProcess(SidecarSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs until {@link #stop}, or until it cannot go on.
     *
     * @return whether it ended because it was stopped
     * @throws UncheckedIOException if a port or a socket cannot be used; the message names it
     * @throws IllegalArgumentException if what is given as the driver's socket cannot be one
     */
    public boolean run() {
        DriverHost host = CsiModules.find(DriverHost.class);
        try (DriverHost.Beside driver = host.beside(settings.endpoint(), status.driverCalls())) {
            return shown(driver);
        } finally {
            LOG.info("stopped");
            signal.stopped();
        }
    }

    private boolean shown(DriverHost.Beside driver) {
        Optional<OperationsEndpoint> metrics = Optional.empty();
        Optional<OperationsEndpoint> health = Optional.empty();
        try {
            metrics = settings.operations().map(address -> show(address, driver));
            health = settings.health().map(address -> show(address, driver));
            Optional<DriverFacts> facts = meet(driver);
            facts.ifPresent(known -> driver.watch(() -> cameAgain(driver, known)));
            return facts.isEmpty() ? signal.isAsked() : registered(driver, facts.get());
        } finally {
            metrics.ifPresent(OperationsEndpoint::close);
            health.ifPresent(OperationsEndpoint::close);
        }
    }

    private OperationsEndpoint show(OperationsAddress address, DriverHost.Beside driver) {
        try {
            OperationsEndpoint endpoint = OperationsEndpoint.start(
                    new OperationsAddress(
                            address.listen(),
                            address.told(),
                            address.metricsPath(),
                            Map.of("/healthz", () -> illness(driver))),
                    status);
            LOG.info("metrics and health on http://{}:{}", address.listen().getHostString(), endpoint.port());
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private Optional<String> illness(DriverHost.Beside driver) {
        Outcome<?> answer = driver.probe(settings.probeTimeout());
        return answer.isDone() ? Optional.empty() : Optional.of(answer.message());
    }

    /** Waits for the driver. An answer with an error ends the wait (§7.1). */
    private Optional<DriverFacts> meet(DriverHost.Beside driver) {
        Optional<DriverFacts> facts = Optional.empty();
        String told = "";
        boolean going = true;
        while (going) {
            Outcome<DriverFacts> answer = driver.facts(settings.rules().timeout());
            facts = answer.result();
            String why = answer.isDone() ? "" : answer.message();
            if (!why.isEmpty() && !why.equals(told)) {
                LOG.info("waiting for the driver: {}", why);
                told = why;
            }
            boolean refused = answer.isRefused();
            if (refused) {
                LOG.error("the driver on {} cannot be used: {}", settings.endpoint(), why);
            }
            going = facts.isEmpty() && !refused && signal.pause(LOOK);
        }
        facts.ifPresent(found -> {
            LOG.info("driver {} {}: {}", found.name(), found.version(), found.controller());
            status.met();
        });
        return facts;
    }

    /** What waits for the driver is tried at once. One that has become another is met by the next process (§7.1). */
    private void cameAgain(DriverHost.Beside driver, DriverFacts known) {
        Optional<DriverFacts> now = driver.facts(settings.rules().timeout()).result();
        if (now.filter(found -> !found.equals(known)).isPresent()) {
            LOG.warn(
                    "the driver is another one now, so this process ends: {} {}",
                    now.get().name(),
                    now.get().version());
            refused = true;
        } else if (now.isPresent()) {
            status.serving().ifPresent(plane -> plane.runtime().pluginCame(new PluginName(known.name())));
        }
    }

    private boolean registered(DriverHost.Beside driver, DriverFacts facts) {
        if (settings.registration().isEmpty()) {
            return serve(driver, facts);
        }
        SidecarSettings.Registration registration = settings.registration().get();
        Path socket = registration.directory().resolve(facts.name() + "-reg.sock");
        DriverHost.Beside.Registered told;
        try {
            told = driver.register(facts.name(), registration.path(), socket, this::heard);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        LOG.info("the kubelet is told of {} by {}", registration.path(), socket);
        try {
            return serve(driver, facts);
        } finally {
            told.close();
        }
    }

    /** If a kubelet does not take the driver, the next process registers it again, as node-driver-registrar does. */
    private void heard(String problem) {
        if (problem.isEmpty()) {
            LOG.info("the kubelet has taken the driver");
        } else {
            LOG.error("the kubelet does not take the driver, so this process ends: {}", problem);
            refused = true;
        }
    }

    private boolean serve(DriverHost.Beside driver, DriverFacts facts) {
        if (settings.cluster().isEmpty()) {
            return watched();
        }
        SidecarSettings.Cluster cluster = settings.cluster().get();
        SidecarRules rules = settings.ofNode() ? ofNode(driver) : settings.rules();
        try (KubernetesStore store = KubernetesStore.open(cluster.connection(), cluster.options())) {
            LOG.info("using {}", cluster.connection());
            Serving serving = new Serving(facts, rules, driver.plugin(store, facts, rules));
            return cluster.leases().isPresent() ? contend(cluster, store, serving) : serveWithoutLeases(store, serving);
        }
    }

    private boolean serveWithoutLeases(KubernetesStore store, Serving serving) {
        Work work = work(serving, store, Optional.empty());
        try {
            return watched();
        } finally {
            work.close();
        }
    }

    private SidecarRules ofNode(DriverHost.Beside driver) {
        Outcome<Map<String, String>> place = driver.place(settings.rules().timeout());
        return settings.rules()
                .ofPlace(place.result()
                        .orElseThrow(() -> new IllegalStateException(
                                "the driver does not say what this node is to it: " + place.message())));
    }

    private boolean contend(SidecarSettings.Cluster cluster, KubernetesStore store, Serving serving) {
        SidecarSettings.Leases leases = cluster.leases().orElseThrow();
        SidecarLeaseNames names = new SidecarLeaseNames(serving.facts().name());
        List<LeaderOptions> options = (serving.facts().makesSnapshots() ? names.all() : names.ofVolumes())
                .stream()
                        .map(name -> new LeaderOptions(
                                ObjectKey.of(leases.namespace(), name),
                                settings.identity(),
                                leases.leaseDuration(),
                                leases.renewDeadline(),
                                leases.retryPeriod()))
                        .toList();
        // A connection of its own, so that no renewal waits behind other requests.
        Duration patience = leases.renewDeadline().multipliedBy(3).dividedBy(10);
        try (KubernetesStore forLeases =
                KubernetesStore.open(cluster.connection(), cluster.options().withRequestTimeout(patience))) {
            Candidacy candidacy =
                    JointElection.run(forLeases, options, term -> work(serving, store.during(term), Optional.of(term)));
            try {
                return watched();
            } finally {
                candidacy.close();
            }
        }
    }

    /** What is served, and how. */
    private record Serving(DriverFacts facts, SidecarRules rules, StoragePlugin plugin) {}

    /** A process of one node tells of the storage of that node alone. */
    private ProvisionerRole role(SidecarRules rules) {
        ProvisionerRole role = settings.role();
        return role.capacity().isPresent() && rules.ownPlace().isPresent()
                ? role.telling(role.capacity().get().of(rules.ownPlace().get()))
                : role;
    }

    private BinderOptions binder(DriverFacts facts, SidecarRules rules) {
        BinderOptions options = BinderOptions.DEFAULT
                .withMigrated(MigratedPlugins.NONE)
                .withSelectedNodeTtl(Optional.empty())
                .besideAnother(role(rules));
        return facts.makesSnapshots() && rules.ownPlace().isEmpty()
                ? options.with(BinderSwitch.SNAPSHOTS).with(BinderSwitch.SNAPSHOTS_BESIDE_OTHERS)
                : options;
    }

    /** Controllers at work. */
    private interface Work extends AutoCloseable {
        @Override
        void close();
    }

    private Work work(Serving serving, ClusterStore store, Optional<Tenure> term) {
        DriverFacts facts = serving.facts();
        SidecarRules rules = serving.rules();
        StoragePlugin plugin = serving.plugin();
        ControllerParts parts = ControllerParts.of(store, List.of(plugin), HostServices.none())
                .withBinder(binder(facts, rules))
                .withLimits(settings.limits());
        ControllerParts named = parts.withEvents(SidecarEvents.of(parts.events(), facts.name(), settings.identity()));
        ControlPlane plane =
                ControllerGraph.start(term.map(each -> named.withCalls(calls -> FencedCalls.during(each, calls)))
                        .orElse(named));
        status.serves(Optional.of(plane));
        LOG.info("serving driver {}", facts.name());
        return () -> {
            status.serves(Optional.empty());
            if (!plane.close(STOPPING).clean()) {
                throw new IllegalStateException("calls to the driver have not ended");
            }
        };
    }

    private boolean watched() {
        boolean well = true;
        while (well && signal.pause(LOOK)) {
            Optional<String> sickness = Operations.sickness(status.serving().flatMap(ControlPlane::failure));
            sickness.ifPresent(why -> LOG.error("{}; this process ends", why));
            well = sickness.isEmpty() && !refused;
        }
        return well;
    }

    /** Asks {@link #run} to end and waits for it, as long as a service is given to stop. */
    public void stop() {
        if (!signal.stop(STOPPING.plusSeconds(2))) {
            LOG.warn("something is still in flight");
        }
    }
}

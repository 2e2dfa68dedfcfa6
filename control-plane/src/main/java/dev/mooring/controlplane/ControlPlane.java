// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.attachdetach.metrics.AttachDetachMetrics;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.binder.metrics.BinderMetrics;
import dev.mooring.runtime.CallLimits;
import dev.mooring.runtime.CloseReport;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.LoopMetrics;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.runtime.term.FencedCalls;
import dev.mooring.runtime.term.FencedStore;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * All controllers of a cluster's volumes at work on one store: binding, provisioning, reclaim, protection, expansion, ephemeral claims, and
 * attaching to nodes. It carries out the calls of the plugins that it is given, and writes Event objects for people.
 *
 * <pre>{@code
 * try (ControlPlane plane = ControlPlane.builder(store).plugins(plugin).start()) {
 *     plane.whenQuiescent().join();
 * }
 * }</pre>
 *
 * <p>The whole wiring stands in the constructor. Closing ends the controllers and leaves the store open. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ControlPlane implements AutoCloseable {
    private static final String NAME = "controllers";

    private final Binder binder;
    private final BinderMetrics binderMetrics;
    private final AttachDetachMetrics attachDetachMetrics;
    private final LoopMetrics loopMetrics = new LoopMetrics(NAME);
    private final ControllerRuntime runtime;

    private ControlPlane(Builder parts) {
        ClusterStore store = parts.term
                .<ClusterStore>map(term -> new FencedStore(parts.store, term))
                .orElse(parts.store);
        PluginRegistry plugins = parts.registry();
        Secrets secrets = new StoreSecrets(store);
        binder = new Binder(parts.binder, plugins);
        binderMetrics = new BinderMetrics(plugins, TimeSource.system());
        List<Controller> controllers = new ArrayList<>(binder.controllers());
        controllers.addAll(
                parts.binder.beside().isPresent()
                        ? AttachDetach.attachers(
                                plugins, parts.binder.beside().get().node().isEmpty())
                        : AttachDetach.controllers(parts.attachDetach, plugins));
        attachDetachMetrics = new AttachDetachMetrics(controllers);
        controllers.addAll(parts.controllers);
        controllers.removeIf(each -> !parts.only.test(each.name()));
        CallHandler calls = CallHandler.choosing(
                AttachDetachCallHandler::handles,
                new AttachDetachCallHandler(plugins, parts.host, secrets),
                new BinderCallHandler(plugins, parts.host, secrets, parts.node));
        CallHandler fenced =
                parts.term.map(term -> FencedCalls.during(term, calls)).orElse(calls);
        RuntimeOptions options =
                parts.options(NAME, fenced, parts.sink(store), binderMetrics, attachDetachMetrics, loopMetrics);
        runtime = new ControllerRuntime(store, controllers, options.withLimits(parts.limits));
    }

    /**
     * Begins to describe a control plane: without plugins it binds, protects and attaches what is there.
     *
     * @param store the cluster's objects; stays the caller's, who closes it after the control plane; never null
     */
    public static Builder builder(ClusterStore store) {
        return new Builder(store);
    }

    /** Describes a control plane, and starts it. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder extends LoopBuilder<Builder> {
        private HostServices host = HostServices.none();
        private BinderOptions binder = BinderOptions.DEFAULT;
        private AttachDetachOptions attachDetach = AttachDetachOptions.DEFAULT;
        private Optional<Tenure> term = Optional.empty();
        private List<Controller> controllers = List.of();
        private Predicate<String> only = name -> true;
        private Optional<NodeRef> node = Optional.empty();
        private CallLimits limits = CallLimits.DEFAULT;

        private Builder(ClusterStore store) {
            super(store);
        }

        @Override
        Builder self() {
            return this;
        }

        /** What this machine does for plugins whose place is the controller; nothing by default. */
        public Builder host(HostServices services) {
            host = services;
            return this;
        }

        /** Says that this process is a node, too: of the storage that only this node reaches, snapshots are made and destroyed. */
        public Builder node(NodeRef here) {
            node = Optional.of(here);
            return this;
        }

        /** How claims are bound. */
        public Builder binder(BinderOptions options) {
            binder = options;
            return this;
        }

        /** When volumes are taken from nodes by force. */
        public Builder attachDetach(AttachDetachOptions options) {
            attachDetach = options;
            return this;
        }

        /** Writes and calls plugins only during this time in office: for one of many replicas, of which one leads. */
        public Builder during(Tenure tenure) {
            term = Optional.of(tenure);
            return this;
        }

        /** Controllers beside those of volumes, such as a scheduler. They are this control plane's from now on. */
        public Builder controllers(Collection<? extends Controller> more) {
            controllers = List.copyOf(more);
            return this;
        }

        /** Runs only the controllers whose names are in it; others may be left to another program. */
        public Builder only(Predicate<String> names) {
            only = names;
            return this;
        }

        /** How many calls of plugins may run at once. */
        public Builder limits(CallLimits most) {
            limits = most;
            return this;
        }

        /** Starts the controllers. They work until the control plane is closed. */
        public ControlPlane start() {
            ControlPlane plane = new ControlPlane(this);
            plane.runtime.start();
            return plane;
        }
    }

    /**
     * Asks something of what the controllers see.
     *
     * @param question is asked on the deciding thread, which it must not hold up
     */
    public <T> CompletableFuture<T> ask(Function<Caches, T> question) {
        return runtime.ask(question);
    }

    /** The name of the volume that a claim would get now; empty if it would wait. Nothing is written. */
    public CompletableFuture<Optional<String>> preview(PersistentVolumeClaim claim) {
        return runtime.ask(caches -> binder.preview(claim, caches));
    }

    /** Completes when nothing waits for a decision and nothing is in flight; see {@link ControllerRuntime#whenQuiescent}. */
    public CompletableFuture<?> whenQuiescent() {
        return runtime.whenQuiescent();
    }

    /** The loop of the controllers; stays this control plane's. */
    public ControllerRuntime runtime() {
        return runtime;
    }

    /** What the controllers ended by, other than by being closed; see {@link ControllerRuntime#failure}. */
    public Optional<Throwable> failure() {
        return runtime.failure();
    }

    /** All metrics with their values now. */
    public CompletableFuture<List<Metric>> metrics() {
        return runtime.ask(caches -> {
            List<Metric> all = new ArrayList<>(binderMetrics.collect());
            all.addAll(attachDetachMetrics.collect());
            all.addAll(loopMetrics.collect());
            return all;
        });
    }

    @Override
    public void close() {
        runtime.close();
    }

    /**
     * Closes, and waits at most the given time for calls that do not end.
     *
     * @return the effects that have not been answered in that time
     */
    public CloseReport close(Duration limit) {
        return runtime.close(limit);
    }
}

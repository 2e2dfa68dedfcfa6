// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.kubernetes.Candidacy;
import dev.mooring.kubernetes.JointElection;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.plugin.SidecarLeaseNames;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.ClusterStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Leases of the side-cars of drivers (semantics/csi §7.1), held while this process serves the drivers in their place: a side-car that leads
 * keeps this process from the driver, and this process keeps side-cars from it. A driver at which another is seen at work is served no more
 * until the controllers begin again. Thread-safe.
 */
final class ServedLeases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedLeases.class);
    private static final String COMPONENT = "mooring-controller";

    private final ClusterStore leases;
    private final Map<String, String> namespaces;
    private final String identity;
    private final EventSink events;
    private final InstantSource clock;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final Map<String, String> given = new ConcurrentHashMap<>();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private volatile boolean closing;
    private volatile boolean idle = true;

    /** All Leases of a driver, held since a moment. */
    private record Held(Tenure tenure, Instant since) {}

    /**
     * Holds nothing yet.
     *
     * @param leases where the Leases are; stays the caller's; its request time-out should be shorter than ten seconds
     * @param namespaces of the side-cars' Leases, by driver
     * @param identity under which name they are held
     * @param events where events for people go
     */
    ServedLeases(
            ClusterStore leases,
            Map<String, String> namespaces,
            String identity,
            EventSink events,
            InstantSource clock) {
        this.leases = leases;
        this.namespaces = new TreeMap<>(namespaces);
        this.identity = identity;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Begins to stand for the Leases.
     *
     * @param won gets each driver that is served from now on, by another thread
     */
    synchronized void start(Consumer<String> won) {
        namespaces.forEach((driver, namespace) -> {
            List<LeaderOptions> options = keys(driver).stream()
                    .map(lease -> LeaderOptions.of(lease, identity))
                    .toList();
            candidacies.add(JointElection.run(leases, options, tenure -> {
                held.put(driver, new Held(tenure, clock.instant()));
                LOG.info("CSI driver {} is served here: the Leases of its side-cars in {} are held", driver, namespace);
                won.accept(driver);
                return () -> ended(driver);
            }));
        });
    }

    private List<ObjectKey> keys(String driver) {
        String namespace = namespaces.getOrDefault(driver, "");
        return new SidecarLeaseNames(driver)
                .all().stream().map(name -> ObjectKey.of(namespace, name)).toList();
    }

    private void ended(String driver) {
        held.remove(driver);
        if (!closing) {
            others(driver)
                    .ifPresent(lease -> warn(driver, lease, "the Leases of its side-cars are lost: " + words(lease)));
        } else if (!idle) {
            throw new IllegalStateException(
                    "calls of driver " + driver + " have not ended, so the Leases of its side-cars run out");
        }
    }

    /** The same calls; those of a plugin whose volumes may not be changed now are deferred. */
    CallHandler guard(CallHandler calls) {
        return calls.carriedOutBy((call, ticket) -> {
            Optional<String> objection = objection(call.plugin().value());
            return objection.isPresent() ? Outcome.deferred(objection.get()) : calls.perform(call, ticket);
        });
    }

    /** Why nothing of a plugin's volumes may be changed now; empty if it may. */
    Optional<String> objection(String plugin) {
        if (!namespaces.containsKey(plugin)) {
            return Optional.empty();
        }
        Optional<String> stopped = Optional.ofNullable(given.get(plugin));
        if (stopped.isPresent()) {
            return stopped;
        }
        boolean mine = Optional.ofNullable(held.get(plugin))
                .filter(leader -> leader.tenure().isHeld())
                .isPresent();
        return mine
                ? Optional.empty()
                : Optional.of("driver " + plugin + " is not served here yet: "
                        + others(plugin)
                                .map(lease -> words(lease) + ". Remove the side-car")
                                .orElse("the Leases of its side-cars in " + namespaces.get(plugin)
                                        + " are not held yet"));
    }

    /** A Lease that another holds. */
    private Optional<Lease> others(String driver) {
        return keys(driver).stream()
                .flatMap(key -> leases.get(Kinds.LEASE, key).value().stream())
                .filter(lease -> lease.spec().isHeldAt(clock.instant()))
                .filter(lease -> !lease.spec().holderIdentity().equals(identity))
                .findFirst();
    }

    private static String words(Lease lease) {
        return "Lease " + ObjectKey.of(lease) + " is held by " + lease.spec().holderIdentity();
    }

    /** Since when a driver is served; empty if it is not. */
    Optional<Instant> since(String driver) {
        return Optional.ofNullable(held.get(driver)).map(Held::since);
    }

    /**
     * Another program serves a driver that is served here, such as a side-car without leader election. The driver is left to it.
     *
     * @param what what it did, in words
     */
    void another(String driver, String what) {
        String why = "driver " + driver + " is not served any more: " + what
                + ". Remove its side-cars, and start this process again";
        if (given.putIfAbsent(driver, why) == null) {
            LOG.warn("{}", why);
            keys(driver).stream()
                    .flatMap(key -> leases.get(Kinds.LEASE, key).value().stream())
                    .findFirst()
                    .ifPresent(lease -> warn(driver, lease, what));
        }
    }

    private void warn(String driver, Lease lease, String what) {
        String message = "CSI driver " + driver + " is not served by Mooring any more: " + what;
        LOG.warn("{}", message);
        events.announce(new Announcement(
                Kinds.LEASE, ObjectKey.of(lease), lease.metadata().uid(), true, "SidecarAtWork", message, COMPONENT));
    }

    /** Gives the Leases back. */
    @Override
    public void close() {
        close(true);
    }

    /**
     * Stands for the Leases no more.
     *
     * @param callsHaveEnded whether the Leases are given back; if not they run out, since a side-car that gets them calls the driver at once
     */
    synchronized void close(boolean callsHaveEnded) {
        idle = callsHaveEnded;
        closing = true;
        candidacies.forEach(Candidacy::close);
        candidacies.clear();
    }
}

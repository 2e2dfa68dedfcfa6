// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.ProcessMetrics;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.metrics.Counters;
import dev.mooring.runtime.metrics.DriverCallMetrics;
import dev.mooring.runtime.metrics.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a controller process knows of itself. Written by the thread that stands for election, read by any. */
final class ControllerStatus implements Operations {
    private static final String LEADER = "leader_election_master_status";

    private final TimeSource time;
    private final String lease;
    private final Duration longestSilence;
    private final DriverCallMetrics driverCalls = DriverCallMetrics.ofControllers();
    private volatile Optional<Long> lastTry = Optional.empty();
    private volatile Optional<RunningControllers> leading = Optional.empty();

    /**
     * Nothing has happened yet.
     *
     * @param lease the name of the lease; empty if this process leads without asking
     * @param longestSilence after so long without a try to be elected, something is wrong with the process
     */
    ControllerStatus(TimeSource time, String lease, Duration longestSilence) {
        this.time = time;
        this.lease = lease;
        this.longestSilence = longestSilence;
    }

    /** What counts this process's calls to CSI drivers. */
    DriverCallMetrics driverCalls() {
        return driverCalls;
    }

    /** Another try to be elected, or to stay so, has been made. */
    void tried() {
        lastTry = Optional.of(time.now().monotonicNanos());
    }

    /** What decides in this process now. */
    void leads(Optional<RunningControllers> controllers) {
        leading = controllers;
    }

    /** The controllers that decide in this process now; empty while it stands by. */
    Optional<ControllerRuntime> deciding() {
        return leading.map(RunningControllers::runtime);
    }

    @Override
    public CompletableFuture<List<Metric>> metrics() {
        Optional<CompletableFuture<List<Metric>>> running = leading.map(RunningControllers::metrics);
        return lease.isEmpty()
                ? ProcessMetrics.with(running, driverCalls.collect())
                : ProcessMetrics.with(running, driverCalls.collect(), leader(running.isPresent()));
    }

    private Metric leader(boolean held) {
        return new Counters("name")
                .add(held ? 1 : 0, lease)
                .as(LEADER, Metric.Type.GAUGE, "Whether this process holds the lease");
    }

    @Override
    public Optional<String> sickness() {
        return Operations.sickness(deciding().flatMap(ControllerRuntime::failure))
                .or(this::silence);
    }

    private Optional<String> silence() {
        return lastTry.map(at -> Duration.ofNanos(time.now().monotonicNanos() - at))
                .filter(silence -> !lease.isEmpty() && silence.compareTo(longestSilence) > 0)
                .map(silence -> "no try to be elected for " + silence.toSeconds() + " s");
    }

    @Override
    public Optional<String> hindrance() {
        return lastTry.isEmpty() ? Optional.of("the API server has not been asked yet") : Optional.empty();
    }
}

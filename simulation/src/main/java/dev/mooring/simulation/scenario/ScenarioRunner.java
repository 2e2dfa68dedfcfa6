// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.guard.Guard;
import dev.mooring.simulation.scenario.StepOutcome.Refused;
import dev.mooring.simulation.virtual.LivelockException;
import dev.mooring.simulation.virtual.VirtualProcess;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.simulation.world.Trace.CallEntry;
import dev.mooring.simulation.world.Trace.WriteEntry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plays steps in one world. Confined to one thread. */
final class ScenarioRunner {
    /** Virtual time ends before its nanoseconds overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final boolean nodes;
    private final boolean lenient;
    private final SimulatedCluster cluster;
    private final Optional<Guard> guard;
    private int told;
    private final List<Refused> refusals = new ArrayList<>();

    /**
     * Makes a runner.
     *
     * @param cluster the world
     * @param nodes whether agents take part
     * @param lenient whether what cannot be done is passed over
     * @param guard holds invariants against every step
     */
    ScenarioRunner(SimulatedCluster cluster, boolean nodes, boolean lenient, Optional<Guard> guard) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.lenient = lenient;
        this.guard = guard;
    }

    /**
     * Plays it.
     *
     * @throws MalformedScenario if it asks for what cannot be, such as the restart of a node that does not exist
     */
    PlayReport play(Scenario scenario) {
        cluster.start();
        return playOn(scenario);
    }

    /** Plays it in a world that runs already. */
    PlayReport playOn(Scenario scenario) {
        for (Manifest manifest : scenario.included()) {
            StoreResult<?> result =
                    cluster.users().apply(manifest.ref().kind(), manifest.ref().key(), manifest.document());
            result.failure().ifPresent(failure -> {
                throw new MalformedScenario(manifest.place(), manifest.ref() + " is refused: " + message(result));
            });
        }
        List<StepReport> reports = new ArrayList<>();
        for (ScenarioStep step : scenario.steps()) {
            StepReport report = play(step);
            reports.add(report);
            if (cluster.restless()) {
                break;
            }
        }
        return new PlayReport(scenario.name(), reports);
    }

    /**
     * Plays a step without a report.
     *
     * @return what is wrong outside the invariants: a world that does not come to rest, a controller that threw
     */
    List<String> playUnseen(ScenarioStep step) {
        cluster.trace().clear();
        refusals.clear();
        List<String> failures = perform(step);
        cluster.trace().defects().forEach(defect -> failures.add("defect: " + defect));
        return failures;
    }

    private List<String> perform(ScenarioStep step) {
        List<String> failures = new ArrayList<>();
        try {
            act(step);
            guard.ifPresent(Guard::step);
            letWork(step);
            guard.ifPresent(Guard::step);
        } catch (LivelockException livelock) {
            cluster.giveUp();
            failures.add("livelock: " + livelock.getMessage());
        }
        return failures;
    }

    private List<String> newFindings() {
        List<String> all = guard.map(Guard::findings).orElse(List.of()).stream()
                .map(Guard.Finding::toString)
                .toList();
        List<String> fresh = all.subList(told, all.size());
        told = all.size();
        return fresh;
    }

    /** Plays a step and holds its expectations against what came of it. */
    StepReport play(ScenarioStep step) {
        cluster.trace().clear();
        refusals.clear();
        List<String> failures = perform(step);
        failures.addAll(newFindings());
        List<Document> objects = cluster.objects();
        failures.addAll(check(step, objects));
        if (guard.isEmpty()) {
            failures.addAll(cluster.volumes().violations());
        }
        return new StepReport(
                step.name(),
                cluster.elapsed(),
                objects,
                cluster.trace().events(),
                cluster.trace().writes(),
                cluster.trace().calls(),
                failures);
    }

    private void act(ScenarioStep step) {
        for (Manifest manifest : step.load()) {
            ObjectRef ref = manifest.ref();
            StoreResult<?> result = cluster.users().load(ref.kind(), ref.key(), manifest.document());
            result.failure().ifPresent(failure -> {
                throw new MalformedScenario(manifest.place(), ref + " cannot be loaded: " + message(result));
            });
        }
        for (Manifest manifest : step.apply()) {
            ObjectRef ref = manifest.ref();
            note(Verb.APPLY, ref, cluster.users().apply(ref.kind(), ref.key(), manifest.document()));
        }
        for (Patch patch : step.patches()) {
            ObjectRef ref = patch.ref();
            note(Verb.PATCH, ref, cluster.users().patch(ref.kind(), ref.key(), patch.status(), patch.merge()));
        }
        for (Removal removal : step.removals()) {
            ObjectRef ref = removal.ref();
            note(Verb.DELETE, ref, cluster.users().delete(ref.kind(), ref.key(), removal.force()));
        }
        if (step.removals().stream().anyMatch(removal -> removal.ref().kind() == Kinds.NODE)) {
            cluster.machines().keep(); // a machine goes with its Node, before another one may take the name
        }
        step.faults().forEach(this::declare);
        step.stop().ifPresent(this::stop);
        step.restart().ifPresent(this::restart);
        if (step.handover()) {
            cluster.handOverControllers();
        }
        step.pause().ifPresent(cluster::pauseControllers);
        step.clock().ifPresent(cluster::jumpClock);
        step.watches().forEach(this::disturb);
    }

    private void disturb(WatchFault fault) {
        if (lenient && !exists(fault.process())) {
            return;
        }
        check(fault.process());
        VirtualProcess process = cluster.process(fault.process().name()).orElseThrow();
        switch (fault.outcome()) {
            case HOLD -> process.holdWatches(fault.kind());
            case RELEASE -> process.releaseWatches();
            case LOSE -> process.loseWatches(fault.kind());
            case REPEAT -> process.repeatWatches(fault.kind());
            case STALE -> {
                if (process.running()) { // a machine that is down does not begin by itself
                    process.restart(fault.changes(), fault.kind());
                }
            }
        }
    }

    private boolean exists(ProcessName process) {
        cluster.machines().keep();
        return process.isControllers()
                || (process.isSidecar() && cluster.sidecar(process.name()).isPresent())
                || cluster.machines().has(process.node());
    }

    private void note(Verb verb, ObjectRef ref, StoreResult<?> result) {
        result.failure()
                .ifPresent(failure -> refusals.add(new Refused(
                        verb.word(),
                        ref.kind().name(),
                        ref.key().namespace(),
                        ref.key().name(),
                        reason(failure),
                        message(result))));
    }

    private static String message(StoreResult<?> result) {
        return result.message();
    }

    private static String reason(Failure failure) {
        return switch (failure) {
            case INVALID -> "Invalid";
            case FORBIDDEN -> "Forbidden";
            case CONFLICT -> "Conflict";
            case NOT_FOUND -> "NotFound";
            case ALREADY_EXISTS -> "AlreadyExists";
            case GONE -> "Expired";
            case THROTTLED -> "TooManyRequests";
            case UNAVAILABLE -> "ServiceUnavailable";
            case UNKNOWN -> "Timeout";
        };
    }

    private void declare(Fault fault) {
        fault.match(
                call -> {
                    cluster.declare(call.fault());
                    return true;
                },
                write -> {
                    cluster.declare(write.fault());
                    return true;
                });
    }

    private void stop(ProcessName process) {
        if (lenient && !exists(process)) {
            return;
        }
        if (process.isControllers()) {
            cluster.stopControllers();
        } else if (process.isSidecar()) {
            check(process);
            cluster.sidecar(process.name()).orElseThrow().kill();
        } else {
            check(process);
            cluster.machines().stop(process.node());
        }
    }

    private void restart(ProcessName process) {
        if (lenient && !exists(process)) {
            return;
        }
        if (process.isControllers()) {
            cluster.restartControllers();
        } else if (process.isSidecar()) {
            check(process);
            cluster.sidecar(process.name()).orElseThrow().restart();
        } else {
            check(process);
            cluster.machines().restart(process.node());
        }
    }

    private void check(ProcessName process) {
        if (exists(process)) {
            return;
        } else if (process.isSidecar()) {
            throw new MalformedScenario(process.place(), "there is no driver for the " + process.name());
        } else {
            throw new MalformedScenario(
                    process.place(),
                    nodes
                            ? "there is no node '" + ScenarioValue.shortened(process.node()) + "'"
                            : "the controller 'node' does not take part");
        }
    }

    private void letWork(ScenarioStep step) {
        step.work().ifPresent(cluster::work);
        step.advance().ifPresent(duration -> cluster.advance(checked(step, Verb.ADVANCE, duration)));
        step.calm().ifPresent(duration -> calm(checked(step, Verb.CALM, duration)));
        if (step.settle() && step.work().isEmpty()) {
            cluster.settle();
        }
    }

    private Duration checked(ScenarioStep step, Verb verb, Duration duration) {
        if (cluster.elapsed().plus(duration).plus(duration).compareTo(LONGEST) > 0) {
            throw new MalformedScenario(
                    step.place().at(verb.word()), "virtual time ends a hundred years after its begin");
        }
        return duration;
    }

    /** The wanted state has to be there after a while, and no process may change anything afterwards. */
    private void calm(Duration duration) {
        cluster.endFaults();
        cluster.advance(duration);
        guard.ifPresent(Guard::atRest);
        int writes = cluster.trace().writes().size();
        int calls = cluster.trace().calls().size();
        cluster.advance(duration);
        guard.ifPresent(found -> {
            List<WriteEntry> moreWrites = cluster.trace().writes();
            List<CallEntry> moreCalls = cluster.trace().calls();
            moreWrites
                    .subList(writes, moreWrites.size())
                    .forEach(write -> found.report(
                            "L5", write.verb() + " of " + write.kind() + " " + write.name() + " though all is there"));
            moreCalls
                    .subList(calls, moreCalls.size())
                    .forEach(call -> found.report(
                            "L5",
                            call.operation() + " of " + call.volume() + " though all is there: " + call.outcome()));
        });
    }

    private List<String> check(ScenarioStep step, List<Document> objects) {
        Map<ObjectRef, Document> byRef = new LinkedHashMap<>();
        objects.forEach(object -> cluster.kindOf(object)
                .ifPresent(kind -> byRef.put(new ObjectRef(kind, SimulatedCluster.keyOf(object)), object)));
        StepOutcome outcome = new StepOutcome(byRef, cluster.trace(), refusals);
        List<String> failures = new ArrayList<>();
        for (Expectation expectation : step.expectations()) {
            Optional<String> failure = expectation.failure(outcome);
            failure.ifPresent(text -> failures.add(expectation.place().key() + ": " + text));
        }
        if (!lenient) {
            outcome.unexpected().forEach(refused -> failures.add(refused + " (no expectation names it)"));
        }
        cluster.trace().defects().forEach(defect -> failures.add("defect: " + defect));
        return failures;
    }
}

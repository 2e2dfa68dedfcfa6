// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.simulation.scenario.StepOutcome.Refused;
import dev.mooring.simulation.virtual.LivelockException;
import dev.mooring.simulation.world.SimulatedCluster;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plays one scenario in one world. Used once. */
final class ScenarioRunner {
    /** Virtual time ends before its nanoseconds overflow. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Scenario scenario;
    private final SimulatedCluster cluster;
    private final List<Refused> refusals = new ArrayList<>();

    ScenarioRunner(Scenario scenario, SimulatedCluster cluster) {
        this.scenario = scenario;
        this.cluster = cluster;
    }

    /**
     * Plays it.
     *
     * @throws MalformedScenario if it asks for what cannot be, such as the restart of a node that does not exist
     */
    PlayReport play() {
        cluster.start();
        for (Manifest manifest : scenario.included()) {
            StoreResult<?> result =
                    cluster.users().apply(manifest.ref().kind(), manifest.ref().key(), manifest.document());
            result.failure().ifPresent(failure -> {
                throw new MalformedScenario(manifest.place(), manifest.ref() + " is refused: " + message(result));
            });
        }
        List<StepReport> reports = new ArrayList<>();
        for (Step step : scenario.steps()) {
            StepReport report = play(step);
            reports.add(report);
            if (cluster.restless()) {
                break;
            }
        }
        return new PlayReport(scenario.name(), reports);
    }

    private StepReport play(Step step) {
        cluster.trace().clear();
        refusals.clear();
        act(step);
        List<String> failures = new ArrayList<>();
        try {
            letWork(step);
        } catch (LivelockException livelock) {
            cluster.giveUp();
            failures.add(String.valueOf(livelock.getMessage()));
        }
        List<Document> objects = cluster.objects();
        failures.addAll(check(step, objects));
        failures.addAll(cluster.volumes().violations());
        return new StepReport(
                step.name(),
                cluster.elapsed(),
                objects,
                cluster.trace().events(),
                cluster.trace().writes(),
                cluster.trace().calls(),
                failures);
    }

    private void act(Step step) {
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
        step.faults().forEach(this::declare);
        step.stop().ifPresent(this::stop);
        step.restart().ifPresent(this::restart);
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
        return result.match(ok -> "", StoreResult.Failed::message);
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
        if (process.isControllers()) {
            cluster.stopControllers();
        } else {
            checkMachine(process);
            cluster.machines().stop(process.node());
        }
    }

    private void restart(ProcessName process) {
        if (process.isControllers()) {
            cluster.restartControllers();
        } else {
            checkMachine(process);
            cluster.machines().restart(process.node());
        }
    }

    private void checkMachine(ProcessName process) {
        cluster.machines().keep();
        if (!cluster.machines().has(process.node())) {
            throw new MalformedScenario(
                    process.place(),
                    Supported.nodes(scenario)
                            ? "there is no node '" + Node.shortened(process.node()) + "'"
                            : "the controller 'node' does not take part");
        }
    }

    private void letWork(Step step) {
        if (step.advance().isPresent()) {
            Duration duration = step.advance().get();
            if (cluster.elapsed().plus(duration).compareTo(LONGEST) > 0) {
                throw new MalformedScenario(
                        step.place().at(Verb.ADVANCE.word()), "virtual time ends a hundred years after its begin");
            }
            cluster.advance(duration);
        }
        if (step.settle()) {
            cluster.settle();
        }
    }

    private List<String> check(Step step, List<Document> objects) {
        Map<ObjectRef, Document> byRef = new LinkedHashMap<>();
        objects.forEach(object -> cluster.kindOf(object)
                .ifPresent(kind -> byRef.put(new ObjectRef(kind, SimulatedCluster.keyOf(object)), object)));
        StepOutcome outcome = new StepOutcome(byRef, cluster.trace(), refusals);
        List<String> failures = new ArrayList<>();
        for (Expectation expectation : step.expectations()) {
            Optional<String> failure = expectation.failure(outcome);
            failure.ifPresent(text -> failures.add(expectation.place().key() + ": " + text));
        }
        outcome.unexpected().forEach(refused -> failures.add(refused + " (no expectation names it)"));
        cluster.trace().defects().forEach(defect -> failures.add("defect: " + defect));
        return failures;
    }
}

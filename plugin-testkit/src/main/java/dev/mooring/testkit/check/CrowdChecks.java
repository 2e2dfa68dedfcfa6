// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.watch.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Several calls at once, and calls that have no time. */
final class CrowdChecks {
    private static final int MOST = 8;
    private static final int MOST_ROUNDS = 5;

    private CrowdChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks =
                new ArrayList<>(List.of(Check.of(Rule.VOLUMES_INDEPENDENT, "many volumes", CrowdChecks::manyVolumes)));
        if (LifeStep.PUBLISH.applies(bench)) {
            checks.add(Check.of(Rule.PODS_INDEPENDENT, "many pods at once", CrowdChecks::manyPods));
        }
        for (Trial trial : Trial.of(bench)) {
            if (trial.step().undoable(bench)) {
                checks.add(Check.of(Rule.DEADLINE_OBEYED, trial.operation(), on -> hurried(on, trial)));
                checks.add(Check.of(
                        Rule.HOST_FAILURE_REPORTED, "after " + trial.operation() + " failed", on -> goesOn(on, trial)));
            }
        }
        return checks;
    }

    /** How many do something at once: fewer where a call takes seconds. */
    private static int crowd(Bench bench) {
        return Math.min(MOST - 1, bench.subject().points()) + 1;
    }

    private static int rounds(Bench bench) {
        return Math.min(MOST_ROUNDS, Math.min(MOST, bench.subject().points()) / 2 + 1);
    }

    private static void manyVolumes(Bench bench) {
        for (int number = 1; number <= crowd(bench); number++) {
            bench.warm(number);
        }
        Set<String> before = bench.inventory();
        for (int round = 0; round < rounds(bench); round++) {
            List<Runnable> lives = new ArrayList<>();
            for (int number = 1; number <= crowd(bench); number++) {
                VolumeLife life = bench.life(number);
                lives.add(() -> {
                    life.all();
                    life.end();
                });
            }
            Crowd.together(
                    Rule.VOLUMES_INDEPENDENT, lives, lifeLimit(bench.subject().callLimit()));
            same(
                    before,
                    bench.inventory(),
                    Rule.VOLUMES_INDEPENDENT,
                    "after " + crowd(bench) + " volumes lived at the same time");
        }
    }

    /** How long a whole life may take, if each of its calls takes the time that it has. A call that hangs is found sooner, by its supervisor. */
    static Duration lifeLimit(Duration call) {
        return call.multipliedBy(2L * LifeStep.values().length);
    }

    private static void manyPods(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        Set<String> before = bench.inventory();
        for (int round = 0; round < rounds(bench); round++) {
            List<Runnable> comings = new ArrayList<>();
            List<Runnable> goings = new ArrayList<>();
            for (int number = 1; number <= crowd(bench); number++) {
                PodRef pod = life.pod(number);
                boolean goes = number % 2 == 0;
                comings.add(() -> publish(life, pod));
                goings.add(() -> {
                    if (goes) {
                        unpublish(life, pod);
                    } else {
                        publish(life, pod);
                    }
                });
            }
            Crowd.together(Rule.PODS_INDEPENDENT, comings);
            Crowd.together(Rule.PODS_INDEPENDENT, goings);
            for (int number = 1; number <= crowd(bench); number += 2) {
                PodRef pod = life.pod(number);
                boolean there = !PodChecks.shows(life)
                        || bench.mountAt(life.target(pod)).isPresent();
                require(there, Rule.PODS_INDEPENDENT, "the volume of " + pod + " went with that of another pod");
                unpublish(life, pod);
            }
            same(before, bench.inventory(), Rule.PODS_INDEPENDENT, "after " + crowd(bench) + " pods came and went");
        }
        life.end();
    }

    private static void publish(VolumeLife life, PodRef pod) {
        Outcome<?> outcome = LifeStep.publish(life, pod, false, life.context("publish " + pod.uid()));
        require(
                outcome.isDone(),
                Rule.PODS_INDEPENDENT,
                "publish for " + pod + " was answered with " + Answers.text(outcome));
    }

    private static void unpublish(VolumeLife life, PodRef pod) {
        Outcome<?> outcome = LifeStep.unpublish(life, pod);
        require(
                outcome.isDone(),
                Rule.PODS_INDEPENDENT,
                "unpublish for " + pod + " was answered with " + Answers.text(outcome));
    }

    /** A call that failed in one thread holds up none in another. */
    private static void goesOn(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        for (Trouble trouble : List.of(Trouble.DEFER, Trouble.FORGET)) {
            int changes = bench.known("changes of " + trial.operation(), () -> {
                int made = bench.changesOf(() -> life.must(step));
                life.undo(step, false);
                return made;
            });
            step.prepare(life);
            bench.watch().arm(trouble, Math.max(1, changes), () -> {});
            Outcome<?> failed = step.act(life, life.context(step.operation()));
            bench.watch().arm(Trouble.NONE, 0, () -> {});
            AtomicReference<Outcome<?>> next = new AtomicReference<>(failed);
            Crowd.together(
                    Rule.HOST_FAILURE_REPORTED,
                    List.of(() -> next.set(step.act(life, life.context(step.operation())))));
            Outcome<?> again = Answers.isPassing(next.get()) ? life.attempt(step) : next.get();
            require(
                    again.isDone(),
                    Rule.HOST_FAILURE_REPORTED,
                    step.operation() + " answered " + Answers.text(failed) + ", and then " + Answers.text(again));
            life.undo(step, false);
        }
        life.end();
    }

    private static void hurried(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        for (Duration limit : List.of(Duration.ofMillis(1), Duration.ofSeconds(-1))) {
            VolumeLife life = trial.life(bench);
            life.before(step);
            Set<String> before = bench.inventory();
            List<Outcome<?>> answers = new ArrayList<>();
            Crowd.together(
                    Rule.DEADLINE_OBEYED,
                    List.of(() -> answers.add(step.act(life, life.hurried(step.operation(), limit)))));
            Outcome<?> answer = answers.get(0);
            String said =
                    "with " + limit.toMillis() + " ms left, " + step.operation() + " answered " + Answers.text(answer);
            if (answer.isWithoutEffect()) {
                same(before, bench.inventory(), Rule.REFUSAL_CHANGES_NOTHING, said);
            }
            if (answer.isDone()) {
                TroubleChecks.proven(life, step, Rule.DEADLINE_OBEYED, said);
            }
            boolean known = answer.isDone();
            if (step == LifeStep.PROVISION && !known) {
                Outcome<?> again = life.attempt(step);
                require(again.isDone(), Rule.DEADLINE_OBEYED, said + ", and then " + Answers.text(again));
                known = true;
            }
            Outcome<?> undone = life.undo(step, !known);
            require(undone.isDone(), Rule.DEADLINE_OBEYED, said + "; undoing it answered " + Answers.text(undone));
            same(before, bench.inventory(), Rule.DEADLINE_OBEYED, said + "; after undoing it");
            life.end();
        }
    }
}

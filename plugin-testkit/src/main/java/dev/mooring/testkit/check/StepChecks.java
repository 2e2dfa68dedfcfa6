// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every step and its undoing: repeated, out of order, and with answers that got lost. */
final class StepChecks {
    private static final int TIMES = 10;

    private StepChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        for (Trial trial : Trial.of(bench)) {
            String name = trial.operation();
            checks.add(Check.of(Rule.K08, name, on -> again(on, trial)));
            checks.add(Check.of(Rule.K31, name, on -> byAnother(on, trial)));
            if (trial.step().undoable(bench)) {
                checks.add(Check.of(Rule.K09, "undoing " + name, on -> undoAgain(on, trial)));
                checks.add(Check.of(Rule.K10, name, on -> leavesNothing(on, trial)));
                if (trial.step() != LifeStep.PROVISION) {
                    checks.add(
                            Check.of(Rule.K09, "undoing " + name + " that was not done", on -> neverDone(on, trial)));
                    checks.add(Check.of(Rule.K11, name, on -> lostAnswer(on, trial)));
                }
            }
        }
        return checks;
    }

    private static void again(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Outcome<?> first = step.act(life, life.context(step.operation()));
        require(first.isDone(), Rule.K08, step.operation() + " was answered with " + Answers.text(first));
        Set<String> after = bench.inventory();
        for (int i = 2; i <= TIMES; i++) {
            Outcome<?> next = step.act(life, life.context(step.operation()));
            String when = step.operation() + " number " + i;
            require(next.isDone(), Rule.K08, when + " was answered with " + Answers.text(next));
            boolean answerCounts = step != LifeStep.STAGE && step != LifeStep.PUBLISH;
            require(
                    !answerCounts || next.equals(first),
                    Rule.K08,
                    when + " was answered with " + Answers.text(next) + ", the first with " + Answers.text(first));
            same(after, bench.inventory(), Rule.K08, "after " + when);
        }
        life.end();
    }

    private static void byAnother(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        life.must(step);
        Set<String> after = bench.inventory();
        bench.restart();
        Outcome<?> next = step.act(life, life.context(step.operation()));
        require(next.isDone(), Rule.K31, "after a restart " + step.operation() + " was " + Answers.text(next));
        same(after, bench.inventory(), Rule.K31, "after a restart and another " + step.operation());
        bench.restart();
        if (step.undoable(bench)) {
            Outcome<?> undone = life.undo(step, false);
            require(undone.isDone(), Rule.K31, "after a restart undoing was answered with " + Answers.text(undone));
            same(before, bench.inventory(), Rule.K31, "undone after a restart");
        }
        life.end();
    }

    private static void undoAgain(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        life.must(step);
        for (int i = 1; i <= TIMES; i++) {
            Outcome<?> undone = step.undo(life, life.context("undo " + step.operation()), false);
            require(
                    undone.isDone(),
                    Rule.K09,
                    "undoing " + step.operation() + ", time " + i + ", was answered with " + Answers.text(undone));
        }
        life.end();
    }

    private static void neverDone(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        Outcome<?> undone = step.undo(life, life.context("undo " + step.operation()), true);
        require(
                undone.isDone(),
                Rule.K09,
                "undoing " + step.operation() + ", which never was, was answered with " + Answers.text(undone));
        same(before, bench.inventory(), Rule.K09, "after undoing " + step.operation() + ", which never was");
        life.end();
    }

    private static void leavesNothing(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        for (int i = 1; i <= 3; i++) {
            life.must(step);
            Outcome<?> undone = life.undo(step, false);
            require(undone.isDone(), Rule.K10, "undoing " + step.operation() + " was " + Answers.text(undone));
            same(before, bench.inventory(), Rule.K10, "after " + step.operation() + " and its undoing");
            if (step == LifeStep.PUBLISH) {
                PodChecks.gone(life, life.pod(1), Rule.K10);
            }
        }
        life.end();
    }

    private static void lostAnswer(Bench bench, Trial trial) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        life.must(step);
        bench.restart();
        Outcome<?> undone = life.undo(step, true);
        require(
                undone.isDone(),
                Rule.K11,
                "undoing " + step.operation() + " without its answer was answered with " + Answers.text(undone));
        same(before, bench.inventory(), Rule.K11, "after undoing " + step.operation() + " without its answer");
        life.end();
    }
}

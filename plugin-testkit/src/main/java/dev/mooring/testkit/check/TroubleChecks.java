// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.KitContext;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.watch.MachineDied;
import dev.mooring.testkit.watch.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Trouble at each change that a call makes, one after the other: so every point of the call is tried. */
final class TroubleChecks {
    private TroubleChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        for (Trial trial : Trial.of(bench)) {
            if (trial.step().undoable(bench)) {
                checks.addAll(crashes(trial));
                checks.addAll(failures(trial));
            }
        }
        return checks;
    }

    private static List<Check> crashes(Trial trial) {
        List<Check> checks = new ArrayList<>();
        String name = trial.operation();
        for (Trouble crash : List.of(Trouble.CRASH_BEFORE, Trouble.CRASH_AFTER)) {
            String when = crash == Trouble.CRASH_BEFORE ? " (before a change)" : " (after a change)";
            checks.add(Check.of(
                    Rule.CALL_SURVIVES_CRASH,
                    name + when,
                    on -> everywhere(on, trial, crash, Rule.CALL_SURVIVES_CRASH, true)));
            checks.add(Check.of(
                    Rule.UNDOING_SURVIVES_CRASH,
                    "undoing " + name + when,
                    on -> undoing(on, trial, crash, Rule.UNDOING_SURVIVES_CRASH)));
            if (trial.step() != LifeStep.PROVISION) {
                checks.add(Check.of(
                        Rule.UNDOING_SURVIVES_CRASH,
                        name + when,
                        on -> everywhere(on, trial, crash, Rule.UNDOING_SURVIVES_CRASH, false)));
            }
        }
        return checks;
    }

    private static List<Check> failures(Trial trial) {
        List<Check> checks = new ArrayList<>();
        String name = trial.operation();
        for (Trouble trouble : List.of(Trouble.CANCEL, Trouble.DEFER, Trouble.FORGET, Trouble.MISS)) {
            Rule rule = trouble == Trouble.CANCEL ? Rule.CANCELLATION_TRUTHFUL : Rule.HOST_FAILURE_REPORTED;
            String when = switch (trouble) {
                case DEFER -> " (a change deferred)";
                case FORGET -> " (a change made, its answer lost)";
                case MISS -> " (a change not made, its answer lost)";
                default -> "";
            };
            checks.add(Check.of(rule, name + when, on -> everywhere(on, trial, trouble, rule, false)));
            checks.add(Check.of(rule, "undoing " + name + when, on -> undoing(on, trial, trouble, rule)));
        }
        return checks;
    }

    /**
     * What came of a call in trouble.
     *
     * @param struck whether the call came to that change
     * @param where for people
     * @param outcome absent if the machine died
     */
    record End(boolean struck, String where, Optional<Outcome<?>> outcome) {}

    /** Makes a call to which something happens, and starts everything again. */
    static End during(
            VolumeLife life, String operation, Trouble trouble, int change, Function<KitContext, Outcome<?>> call) {
        Bench bench = life.bench();
        KitContext context = life.context(operation);
        bench.watch().arm(trouble, change, context::cancel);
        Optional<Outcome<?>> outcome = Optional.empty();
        try {
            outcome = Optional.of(call.apply(context));
        } catch (MachineDied died) {
            // the host will find its records
        }
        String what = bench.watch().struck();
        bench.restart();
        String where = trouble.words() + " change " + change + " of " + operation + " (" + what + ")";
        return new End(!what.isEmpty(), where, outcome);
    }

    private static End inTrouble(VolumeLife life, LifeStep step, Trouble trouble, int change, boolean undoing) {
        return during(
                life,
                undoing ? "undo " + step.operation() : step.operation(),
                trouble,
                change,
                context -> undoing ? step.undo(life, context, false) : step.act(life, context));
    }

    private static void everywhere(Bench bench, Trial trial, Trouble trouble, Rule rule, boolean goOn) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        for (int change : Points.of(bench, trial.operation(), trouble, () -> {
            int changes = bench.changesOf(() -> life.must(step));
            life.undo(step, false);
            return changes;
        })) {
            step.prepare(life);
            End end = inTrouble(life, step, trouble, change, false);
            end.outcome()
                    .filter(outcome -> end.struck())
                    .ifPresent(outcome -> truth(life, step, before, outcome, rule, end.where()));
            boolean known = end.outcome().filter(Outcome::isDone).isPresent();
            if (goOn || step == LifeStep.PROVISION) {
                Outcome<?> again = life.attempt(step);
                require(again.isDone(), rule, end.where() + "; repeated, it answered " + Answers.text(again));
                known = true;
            }
            Outcome<?> undone = life.undo(step, !known);
            require(undone.isDone(), rule, end.where() + "; undoing it answered " + Answers.text(undone));
            String then = goOn ? "; after repeating and undoing" : "; after undoing";
            same(before, bench.inventory(), rule, end.where() + then);
            if (!end.struck()) {
                break;
            }
        }
        life.end();
    }

    /** Holds an answer against the world. */
    private static void truth(
            VolumeLife life, LifeStep step, Set<String> before, Outcome<?> outcome, Rule rule, String where) {
        String said = where + "; it answered " + Answers.text(outcome);
        if (outcome.isWithoutEffect()) {
            same(before, life.bench().inventory(), Rule.REFUSAL_CHANGES_NOTHING, said);
        }
        if (outcome.isDone()) {
            proven(life, step, rule, said);
        }
    }

    /** What is done needs no more to be done. */
    static void proven(VolumeLife life, LifeStep step, Rule rule, String said) {
        Set<String> now = life.bench().inventory();
        Outcome<?> again = life.attempt(step);
        require(again.isDone(), rule, said + ", and then " + Answers.text(again));
        same(now, life.bench().inventory(), rule, said + ", but repeating it changed something");
    }

    private static void undoing(Bench bench, Trial trial, Trouble trouble, Rule rule) {
        LifeStep step = trial.step();
        VolumeLife life = trial.life(bench);
        life.before(step);
        Set<String> before = bench.inventory();
        for (int change : Points.of(bench, trial.operation() + " undone", trouble, () -> {
            life.must(step);
            return bench.changesOf(() -> life.undo(step, false));
        })) {
            life.must(step);
            End end = inTrouble(life, step, trouble, change, true);
            if (end.outcome().filter(Outcome::isDone).isPresent()) {
                same(before, bench.inventory(), rule, end.where() + "; it answered Done");
            }
            Outcome<?> undone = life.undo(step, false);
            require(undone.isDone(), rule, end.where() + "; repeated, it answered " + Answers.text(undone));
            same(before, bench.inventory(), rule, end.where() + "; after repeating it");
            if (!end.struck()) {
                break;
            }
        }
        life.end();
    }
}

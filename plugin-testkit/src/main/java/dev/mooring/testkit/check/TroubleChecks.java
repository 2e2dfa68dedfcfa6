// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.KitContext;
import dev.mooring.testkit.bench.Life;
import dev.mooring.testkit.bench.Step;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.watch.MachineDied;
import dev.mooring.testkit.watch.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Trouble at each change that a call makes, one after the other: so every point of the call is tried. */
final class TroubleChecks {
    /** A call with more changes than this is tried at the first ones only. */
    private static final int MOST_CHANGES = 60;

    /** How many changes a call makes, if it is not known better. */
    private static final int USUAL_CHANGES = 12;

    private TroubleChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        for (Step step : Step.WAY) {
            if (!step.applies(bench) || !step.undoable(bench)) {
                continue;
            }
            String name = step.operation();
            for (Trouble crash : List.of(Trouble.CRASH_BEFORE, Trouble.CRASH_AFTER)) {
                String when = crash == Trouble.CRASH_BEFORE ? " (before a change)" : " (after a change)";
                checks.add(Check.of(Rule.K12, name + when, on -> everywhere(on, step, crash, Rule.K12, true)));
                checks.add(Check.of(Rule.K13, "undoing " + name + when, on -> undoing(on, step, crash)));
                if (step != Step.PROVISION) {
                    checks.add(Check.of(Rule.K13, name + when, on -> everywhere(on, step, crash, Rule.K13, false)));
                }
            }
            checks.add(Check.of(Rule.K16, name, on -> everywhere(on, step, Trouble.CANCEL, Rule.K16, false)));
            checks.add(Check.of(
                    Rule.K17,
                    name + " (a change deferred)",
                    on -> everywhere(on, step, Trouble.DEFER, Rule.K17, false)));
            checks.add(Check.of(
                    Rule.K17,
                    name + " (a change made, its answer lost)",
                    on -> everywhere(on, step, Trouble.FORGET, Rule.K17, false)));
        }
        return checks;
    }

    /** What came of a call in trouble; no outcome if the machine died. */
    private record End(boolean struck, String where, Optional<Outcome<?>> outcome) {}

    private static End inTrouble(Life life, Step step, Trouble trouble, int change, boolean undoing) {
        Bench bench = life.bench();
        KitContext context = life.context(undoing ? "undo " + step.operation() : step.operation());
        bench.watch().arm(trouble, change, context::cancel);
        Optional<Outcome<?>> outcome = Optional.empty();
        try {
            outcome = Optional.of(undoing ? step.undo(life, context, false) : step.act(life, context));
        } catch (MachineDied died) {
            // the host will find its records
        }
        String what = bench.watch().struck();
        bench.restart();
        String where = trouble.words() + " change " + change + " of " + (undoing ? "undoing " : "") + step.operation()
                + " (" + what + ")";
        return new End(!what.isEmpty(), where, outcome);
    }

    private static int stride(Bench bench) {
        return Math.max(1, USUAL_CHANGES / bench.subject().points());
    }

    private static void everywhere(Bench bench, Step step, Trouble trouble, Rule rule, boolean goOn) {
        for (int change = 1; change <= MOST_CHANGES; change += stride(bench)) {
            Life life = bench.life(1);
            life.before(step);
            Set<String> before = bench.inventory();
            End end = inTrouble(life, step, trouble, change, false);
            if (!end.struck()) {
                life.end();
                return;
            }
            end.outcome().ifPresent(outcome -> truth(life, step, before, outcome, rule, end.where()));
            boolean wasDone = end.outcome().filter(Outcome::isDone).isPresent();
            boolean known = wasDone;
            if (goOn || step == Step.PROVISION) {
                Outcome<?> again = life.attempt(step);
                require(again.isDone(), rule, end.where() + "; repeated, it answered " + Answers.text(again));
                known = true;
            }
            Outcome<?> undone = life.undo(step, !known);
            require(undone.isDone(), rule, end.where() + "; undoing it answered " + Answers.text(undone));
            same(
                    before,
                    bench.inventory(),
                    rule,
                    end.where() + "; after " + (goOn ? "repeating and " : "") + "undoing");
            life.end();
        }
    }

    /** Holds an answer against the world. */
    private static void truth(Life life, Step step, Set<String> before, Outcome<?> outcome, Rule rule, String where) {
        Set<String> now = life.bench().inventory();
        String said = where + "; it answered " + Answers.text(outcome);
        if (Answers.claimsNoEffect(outcome)) {
            same(before, now, Rule.K14, said);
        }
        if (outcome.isDone()) {
            Outcome<?> again = life.attempt(step);
            require(again.isDone(), rule, said + ", and then " + Answers.text(again));
            same(now, life.bench().inventory(), rule, said + ", but repeating it changed something");
        }
    }

    private static void undoing(Bench bench, Step step, Trouble trouble) {
        for (int change = 1; change <= MOST_CHANGES; change += stride(bench)) {
            Life life = bench.life(1);
            life.before(step);
            Set<String> before = bench.inventory();
            life.must(step);
            End end = inTrouble(life, step, trouble, change, true);
            if (!end.struck()) {
                life.undo(step, false);
                life.end();
                return;
            }
            Outcome<?> undone = life.undo(step, false);
            require(undone.isDone(), Rule.K13, end.where() + "; repeated, it answered " + Answers.text(undone));
            same(before, bench.inventory(), Rule.K13, end.where() + "; after repeating it");
            life.end();
        }
    }
}

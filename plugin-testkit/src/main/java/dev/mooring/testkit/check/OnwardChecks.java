// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.watch.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Trouble at each change of a call that nothing undoes, and such calls without time. */
final class OnwardChecks {
    /** The first of the volumes for whatever cannot be tried on one volume twice. */
    private static final int FIRST = 20;

    private OnwardChecks() {}

    /** Begins with a volume. */
    interface Beginning {
        /**
         * The call.
         *
         * @param number the number of a volume that no other check of this call uses
         */
        Onward on(Bench bench, int number);
    }

    /**
     * The checks of a call.
     *
     * @param name the call, for people
     * @param rules which rule each kind of trouble is about
     */
    static List<Check> of(String name, Function<Trouble, Rule> rules, Beginning begin) {
        List<Check> checks = new ArrayList<>();
        for (Trouble trouble : Trouble.values()) {
            if (trouble != Trouble.NONE) {
                Rule rule = rules.apply(trouble);
                int number = FIRST + 1 + checks.size();
                checks.add(Check.of(
                        rule,
                        name + ": " + trouble.words() + " a change",
                        on -> everywhere(on, begin.on(on, number), trouble, rule)));
            }
        }
        checks.add(Check.of(Rule.DEADLINE_OBEYED, name, on -> hurried(on, begin.on(on, FIRST))));
        return checks;
    }

    /** The rules of the steps in trouble. */
    static Rule usual(Trouble trouble) {
        return switch (trouble) {
            case CRASH_BEFORE, CRASH_AFTER -> Rule.CALL_SURVIVES_CRASH;
            case CANCEL -> Rule.CANCELLATION_TRUTHFUL;
            default -> Rule.HOST_FAILURE_REPORTED;
        };
    }

    private static Outcome<?> patiently(Onward call) {
        return VolumeLife.patiently(
                () -> call.act(call.life().context(call.operation())).map(answer -> (Object) answer));
    }

    private static void everywhere(Bench bench, Onward call, Trouble trouble, Rule rule) {
        for (int change : Points.of(bench, call.operation(), trouble, () -> {
            call.ready();
            int changes = bench.changesOf(() -> patiently(call));
            call.after();
            return changes;
        })) {
            call.ready();
            Set<String> before = bench.inventory();
            TroubleChecks.End end = TroubleChecks.during(call.life(), call.operation(), trouble, change, call::act);
            settle(call, end.outcome(), before, rule, end.where());
            if (!end.struck()) {
                break;
            }
        }
        call.life().end();
    }

    private static void hurried(Bench bench, Onward call) {
        for (Duration limit : List.of(Duration.ofMillis(1), Duration.ofSeconds(-1))) {
            call.ready();
            Set<String> before = bench.inventory();
            List<Outcome<?>> answers = new ArrayList<>();
            Crowd.together(
                    Rule.DEADLINE_OBEYED,
                    List.of(() -> answers.add(call.act(call.life().hurried(call.operation(), limit)))));
            String where = "with " + limit.toMillis() + " ms left for " + call.operation();
            settle(call, Optional.of(answers.get(0)), before, Rule.DEADLINE_OBEYED, where);
        }
        call.life().end();
    }

    /** Holds the answer against the world, if there was one, and goes on to the end. */
    private static void settle(Onward call, Optional<Outcome<?>> given, Set<String> before, Rule rule, String where) {
        given.ifPresent(answer -> {
            String said = where + "; it answered " + Answers.text(answer);
            if (answer.isWithoutEffect()) {
                same(before, call.life().bench().inventory(), call.untrue(), said);
            }
            if (answer.isDone()) {
                call.proven(answer, rule, said);
            }
        });
        if (given.filter(Outcome::isDone).isEmpty()) {
            Outcome<?> again = patiently(call);
            String said = where + "; repeated, it answered " + Answers.text(again);
            require(again.isDone(), rule, said);
            call.proven(again, rule, said);
        }
        call.after();
    }
}

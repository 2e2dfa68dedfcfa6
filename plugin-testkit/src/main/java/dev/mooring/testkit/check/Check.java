// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.Supervisor;
import dev.mooring.testkit.bench.TestMachines;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;

/**
 * One check of one rule.
 *
 * @param rule the rule that it is about; others may turn out to be broken on the way
 * @param about what it is tried on
 * @param warm whether a volume has to have lived on the machine before
 * @param body what is done on a bench of its own
 */
public record Check(Rule rule, String about, boolean warm, Consumer<Bench> body) {
    static Check of(Rule rule, String about, Consumer<Bench> body) {
        return new Check(rule, about, true, body);
    }

    static Check cold(Rule rule, String about, Consumer<Bench> body) {
        return new Check(rule, about, false, body);
    }

    /**
     * Runs it on one of the machines.
     *
     * @throws dev.mooring.testkit.rule.BrokenRule if a rule is broken; K15 also if a call does not end
     */
    public void run(TestMachines machines) {
        machines.supervised(toString(), supervisor -> run(machines, supervisor));
    }

    private void run(TestMachines machines, Supervisor supervisor) {
        Bench bench = machines.take(warm, supervisor);
        try {
            body.accept(bench);
            bench.inspect();
        } catch (RuntimeException | Error failure) {
            backAfter(machines, bench, failure);
            if (failure instanceof BrokenRule) {
                bench.left()
                        .ifPresent(what -> Assumptions.abort("skipped: '" + what + "' fails for an ordinary volume"));
            }
            throw failure;
        }
        machines.back(bench, bench.left().isEmpty());
    }

    private static void backAfter(TestMachines machines, Bench bench, Throwable failure) {
        try {
            machines.back(bench, false);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public String toString() {
        return rule.id() + " " + about;
    }
}

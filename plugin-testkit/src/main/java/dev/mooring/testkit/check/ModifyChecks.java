// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.Life;
import dev.mooring.testkit.bench.Step;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.watch.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Other attributes for storage that exists. */
final class ModifyChecks {
    private static final String UNKNOWN = "kit-no-such-attribute";
    private static final int TIMES = 10;

    private ModifyChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Modifying.class).isEmpty()) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(Check.of(Rule.K40, "unknown attributes", ModifyChecks::unknown)));
        if (!bench.subject().modifications().isEmpty()) {
            checks.add(Check.of(Rule.K40, "modify", ModifyChecks::again));
            for (Trouble trouble : Trouble.values()) {
                if (trouble != Trouble.NONE) {
                    checks.add(Check.of(
                            Rule.K40, "modify: " + trouble.words() + " a change", on -> inTrouble(on, trouble)));
                }
            }
        }
        return checks;
    }

    private static Life made(Bench bench) {
        Life life = bench.life(1);
        if (Step.PROVISION.applies(bench)) {
            life.must(Step.PROVISION);
        }
        return life;
    }

    private static Outcome<?> modify(Life life, Map<String, String> wanted, OperationContext context) {
        Modifying modifying = life.capability(Modifying.class);
        return life.bench().call("modify", () -> modifying.modify(context, life.spec(), Map.copyOf(wanted)));
    }

    private static Outcome<?> patiently(Life life, Map<String, String> wanted) {
        return Life.patiently(() -> modify(life, wanted, life.context("modify")));
    }

    /** A known attribute beside an unknown one must not be given alone. */
    private static void unknown(Bench bench) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        all.addAll(bench.subject().modifications());
        for (Map<String, String> known : all) {
            Life life = made(bench);
            Map<String, String> wanted = new TreeMap<>(known);
            wanted.put(UNKNOWN, "1");
            Set<String> before = bench.inventory();
            Outcome<?> answer = patiently(life, wanted);
            String said = "modify with " + wanted + " was answered with " + Answers.text(answer);
            require(Answers.refusal(answer).isPresent(), Rule.K40, said);
            same(before, bench.inventory(), Rule.K40, said);
            life.end();
        }
    }

    private static void again(Bench bench) {
        Life life = made(bench);
        for (Map<String, String> wanted : bench.subject().modifications()) {
            Set<String> before = bench.inventory();
            Outcome<?> first = patiently(life, wanted);
            require(first.isDone(), Rule.K40, "modify with " + wanted + " was answered with " + Answers.text(first));
            Set<String> after = bench.inventory();
            require(!after.equals(before), Rule.K40, "modify with " + wanted + " was Done, and nothing has changed");
            for (int i = 2; i <= TIMES; i++) {
                bench.restart();
                Outcome<?> next = modify(life, wanted, life.context("modify"));
                require(next.isDone(), Rule.K08, "modify number " + i + " was answered with " + Answers.text(next));
                same(after, bench.inventory(), Rule.K08, "after modify number " + i);
            }
        }
        life.end();
    }

    /** The volume has the first attributes and gets the last ones in trouble: in the end it has these, and until then it is said. */
    private static void inTrouble(Bench bench, Trouble trouble) {
        List<Map<String, String>> wishes = bench.subject().modifications();
        Map<String, String> wanted = wishes.get(wishes.size() - 1);
        Life life = made(bench);
        for (int change : Points.of(bench, "modify", trouble, () -> {
            patiently(life, wishes.get(0));
            return bench.changesOf(() -> patiently(life, wanted));
        })) {
            patiently(life, wanted);
            Set<String> good = bench.inventory();
            patiently(life, wishes.get(0));
            Set<String> before = bench.inventory();
            TroubleChecks.End end =
                    TroubleChecks.during(life, "modify", trouble, change, context -> modify(life, wanted, context));
            end.outcome().ifPresent(given -> truth(bench, given, before, good, end.where()));
            Outcome<?> last = patiently(life, wanted);
            require(last.isDone(), Rule.K40, end.where() + "; repeated, it answered " + Answers.text(last));
            same(good, bench.inventory(), Rule.K40, end.where() + "; after repeating it");
            if (!end.struck()) {
                break;
            }
        }
        life.end();
    }

    private static void truth(Bench bench, Outcome<?> answer, Set<String> before, Set<String> good, String where) {
        String said = where + "; it answered " + Answers.text(answer);
        if (Answers.claimsNoEffect(answer)) {
            same(before, bench.inventory(), Rule.K40, said);
        }
        if (answer.isDone()) {
            same(good, bench.inventory(), Rule.K40, said);
        }
    }
}

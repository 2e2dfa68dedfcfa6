// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Other attributes for storage that exists, and attributes that new storage has from the start. */
final class ModifyChecks {
    private static final String UNKNOWN = "kit-no-such-attribute";
    private static final int TIMES = 10;

    private ModifyChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Modifying.class).isEmpty()) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(
                List.of(Check.of(Rule.ALL_ATTRIBUTES_OR_NONE, "unknown attributes", ModifyChecks::unknown)));
        if (!bench.subject().modifications().isEmpty()) {
            checks.add(Check.of(Rule.ALL_ATTRIBUTES_OR_NONE, "modify", ModifyChecks::again));
            checks.addAll(OnwardChecks.of(
                    "modify", trouble -> Rule.ALL_ATTRIBUTES_OR_NONE, (on, number) -> new Changing(on.life(1))));
        }
        if (LifeStep.PROVISION.applies(bench)) {
            checks.add(Check.of(
                    Rule.ALL_ATTRIBUTES_OR_NONE,
                    "provision with unknown attributes",
                    ModifyChecks::unknownFromTheStart));
            if (!bench.subject().modifications().isEmpty()) {
                checks.add(
                        Check.of(Rule.ALL_ATTRIBUTES_OR_NONE, "provision with attributes", ModifyChecks::fromTheStart));
            }
        }
        return checks;
    }

    private static VolumeLife made(Bench bench) {
        VolumeLife life = bench.life(1);
        if (LifeStep.PROVISION.applies(bench)) {
            life.must(LifeStep.PROVISION);
        }
        return life;
    }

    private static Outcome<?> modify(VolumeLife life, Map<String, String> wanted, OperationContext context) {
        Modifying modifying = life.capability(Modifying.class);
        return life.bench().call("modify", () -> modifying.modify(context, life.spec(), Map.copyOf(wanted)));
    }

    private static Outcome<?> patiently(VolumeLife life, Map<String, String> wanted) {
        return VolumeLife.patiently(() -> modify(life, wanted, life.context("modify")));
    }

    private static List<Map<String, String>> withUnknown(Bench bench) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of(UNKNOWN, "1")));
        for (Map<String, String> known : bench.subject().modifications()) {
            Map<String, String> wanted = new TreeMap<>(known);
            wanted.put(UNKNOWN, "1");
            all.add(wanted);
        }
        return all;
    }

    /** A known attribute beside an unknown one must not be given alone. */
    private static void unknown(Bench bench) {
        for (Map<String, String> wanted : withUnknown(bench)) {
            VolumeLife life = made(bench);
            Set<String> before = bench.inventory();
            Outcome<?> answer = patiently(life, wanted);
            String said = "modify with " + wanted + " was answered with " + Answers.text(answer);
            require(answer.isRefused(), Rule.ALL_ATTRIBUTES_OR_NONE, said);
            same(before, bench.inventory(), Rule.ALL_ATTRIBUTES_OR_NONE, said);
            life.end();
        }
    }

    /** With INVALID: no other node, and no other time, can give it either. */
    private static void unknownFromTheStart(Bench bench) {
        for (Map<String, String> wanted : withUnknown(bench)) {
            VolumeLife life = bench.life(1).wanting(wanted);
            Set<String> before = bench.inventory();
            Outcome<?> answer = VolumeLife.patiently(
                    () -> RefusalChecks.provision(life, life.request(), life.context("provision")));
            String said = "provision with " + wanted + " was answered with " + Answers.text(answer);
            require(VolumeLife.isRefused(answer, Refusal.INVALID), Rule.ALL_ATTRIBUTES_OR_NONE, said);
            same(before, bench.inventory(), Rule.ALL_ATTRIBUTES_OR_NONE, said);
        }
    }

    /** A volume each: what one has from the start another one may not have been made with. */
    private static void fromTheStart(Bench bench) {
        int number = 1;
        for (Map<String, String> wanted : bench.subject().modifications()) {
            VolumeLife life = bench.life(number).wanting(wanted);
            Outcome<?> first = life.attempt(LifeStep.PROVISION);
            String said = "provision with " + wanted + " was answered with " + Answers.text(first);
            require(first.isDone(), Rule.ALL_ATTRIBUTES_OR_NONE, said);
            Set<String> made = bench.inventory();
            bench.restart();
            Outcome<?> second = life.attempt(LifeStep.PROVISION);
            require(second.equals(first), Rule.CALLS_IDEMPOTENT, said + ", and then with " + Answers.text(second));
            same(made, bench.inventory(), Rule.CALLS_IDEMPOTENT, said + ", and again");
            Outcome<?> modified = patiently(life, wanted);
            require(
                    modified.isDone(),
                    Rule.ALL_ATTRIBUTES_OR_NONE,
                    said + ", and modify to these with " + Answers.text(modified));
            same(
                    made,
                    bench.inventory(),
                    Rule.ALL_ATTRIBUTES_OR_NONE,
                    said + ", and modify to these had to change something");
            life.end();
            number++;
        }
    }

    private static void again(Bench bench) {
        VolumeLife life = made(bench);
        for (Map<String, String> wanted : bench.subject().modifications()) {
            Set<String> before = bench.inventory();
            Outcome<?> first = patiently(life, wanted);
            require(
                    first.isDone(),
                    Rule.ALL_ATTRIBUTES_OR_NONE,
                    "modify with " + wanted + " was answered with " + Answers.text(first));
            Set<String> after = bench.inventory();
            require(
                    !after.equals(before),
                    Rule.ALL_ATTRIBUTES_OR_NONE,
                    "modify with " + wanted + " was Done, and nothing has changed");
            for (int i = 2; i <= TIMES; i++) {
                bench.restart();
                Outcome<?> next = modify(life, wanted, life.context("modify"));
                require(
                        next.isDone(),
                        Rule.CALLS_IDEMPOTENT,
                        "modify number " + i + " was answered with " + Answers.text(next));
                same(after, bench.inventory(), Rule.CALLS_IDEMPOTENT, "after modify number " + i);
            }
        }
        life.end();
    }

    /** The volume has the first attributes and gets the last ones: in the end it has these, and until then it is said. */
    private static final class Changing implements Onward {
        private final VolumeLife life;
        private boolean made;
        private Set<String> good = Set.of();

        Changing(VolumeLife life) {
            this.life = life;
        }

        private List<Map<String, String>> wishes() {
            return life.bench().subject().modifications();
        }

        private Map<String, String> wanted() {
            return wishes().get(wishes().size() - 1);
        }

        @Override
        public VolumeLife life() {
            return life;
        }

        @Override
        public String operation() {
            return "modify";
        }

        @Override
        public void ready() {
            // Once only: no host makes again what it has modified, and a plugin may find other parameters there.
            if (!made && LifeStep.PROVISION.applies(life.bench())) {
                life.must(LifeStep.PROVISION);
            }
            made = true;
            patiently(life, wanted());
            good = life.bench().inventory();
            patiently(life, wishes().get(0));
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return modify(life, wanted(), context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            same(good, life.bench().inventory(), rule, said);
        }

        @Override
        public Rule untrue() {
            return Rule.ALL_ATTRIBUTES_OR_NONE;
        }
    }
}

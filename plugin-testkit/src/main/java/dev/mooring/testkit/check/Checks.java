// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.Machines;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** All checks that apply to what a plugin declares. */
public final class Checks {
    private Checks() {}

    /** The checks for a plugin, in the order of the rules. */
    public static List<Check> of(Machines machines) {
        List<Check> checks = new ArrayList<>();
        Bench bench = machines.take(false);
        checks.addAll(PureChecks.of(bench));
        checks.addAll(PlanChecks.of(bench));
        checks.addAll(StepChecks.of(bench));
        checks.addAll(TroubleChecks.of(bench));
        checks.addAll(PodChecks.of(bench));
        checks.addAll(ForeignChecks.of(bench));
        checks.addAll(DeviceChecks.of(bench));
        checks.addAll(RefusalChecks.of(bench));
        checks.addAll(ReclaimChecks.of(bench));
        checks.addAll(RecycleChecks.of(bench));
        checks.addAll(GrowthChecks.of(bench));
        checks.addAll(LookingChecks.of(bench));
        checks.addAll(CrowdChecks.of(bench));
        checks.addAll(DescriptorChecks.of(bench));
        checks.addAll(FenceChecks.of(bench));
        checks.addAll(AdoptionChecks.of(bench));
        checks.addAll(ModifyChecks.of(bench));
        machines.back(bench, true);
        checks.sort(Comparator.comparing(Check::rule).thenComparing(Check::about));
        return checks;
    }

    static void require(boolean good, Rule rule, String happened) {
        if (!good) {
            throw new BrokenRule(rule, happened);
        }
    }

    static void same(Set<String> before, Set<String> after, Rule rule, String when) {
        if (!before.equals(after)) {
            throw new BrokenRule(
                    rule, when + ": " + Bench.difference(before, after).strip());
        }
    }
}

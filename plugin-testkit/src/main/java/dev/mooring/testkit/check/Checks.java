// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.TestMachines;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** All checks that apply to what a plugin declares. */
public final class Checks {
    private static final List<Function<Bench, List<Check>>> FINDERS = List.of(
            PureChecks::of,
            PlanChecks::of,
            StepChecks::of,
            TroubleChecks::of,
            PodChecks::of,
            ForeignChecks::of,
            DeviceChecks::of,
            RefusalChecks::of,
            ReclaimChecks::of,
            RecycleChecks::of,
            GrowthChecks::of,
            LookingChecks::of,
            CrowdChecks::of,
            DescriptorChecks::of,
            FenceChecks::of,
            AdoptionChecks::of,
            ModifyChecks::of,
            CloneChecks::of,
            SnapshotChecks::of,
            CapacityChecks::of);

    private Checks() {}

    /** The checks for a plugin, in the order of the rules. */
    public static List<Check> of(TestMachines machines) {
        List<Check> checks = new ArrayList<>();
        machines.supervised("finding the checks", supervisor -> {
            Bench bench = machines.take(false, supervisor);
            FINDERS.forEach(finder -> checks.addAll(finder.apply(bench)));
            machines.back(bench, true);
        });
        checks.sort(Comparator.comparing(Check::rule).thenComparing(Check::about));
        checks.add(0, Check.cold(Rule.ORDINARY_VOLUME_WORKS, "an ordinary volume", bench -> ordinary(machines)));
        return checks;
    }

    private static void ordinary(TestMachines machines) {
        List<BrokenRule> failures = machines.prerequisites().failures();
        if (!failures.isEmpty()) {
            BrokenRule first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
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

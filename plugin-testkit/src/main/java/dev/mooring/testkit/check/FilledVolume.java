// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;

/** What pods see in volumes that are filled from others. Where the plugin shows volumes to no pod, nothing is looked at. */
final class FilledVolume {
    private FilledVolume() {}

    private static boolean isShown(Bench bench) {
        return LifeStep.PUBLISH.applies(bench);
    }

    /** Has a pod write into a volume; afterwards no pod has it. */
    static void mark(VolumeLife life) {
        if (isShown(life.bench())) {
            life.before(LifeStep.PUBLISH);
            require(
                    PodChecks.mark(life, life.pod(1), Rule.ORDINARY_VOLUME_WORKS)
                            .isDone(),
                    Rule.ORDINARY_VOLUME_WORKS,
                    "a pod cannot write");
            LifeStep.unpublish(life, life.pod(1));
            life.backTo(LifeStep.PROVISION);
        }
    }

    /** Whether a pod reads there what {@link #mark} wrote. */
    static void holds(VolumeLife life, Rule rule, String said) {
        shows(life, true, rule, said + ", and the volume does not hold what its source held");
    }

    /** Whether a pod does not. */
    static void holdsNot(VolumeLife life, Rule rule, String said) {
        shows(life, false, rule, said + ", and the volume holds what was written to its source later");
    }

    private static void shows(VolumeLife life, boolean expected, Rule rule, String said) {
        if (isShown(life.bench())) {
            life.onwardTo(LifeStep.PUBLISH);
            PodChecks.must(life, life.pod(1), rule);
            require(PodChecks.marked(life, life.pod(1)).isPresent() == expected, rule, said);
            LifeStep.unpublish(life, life.pod(1));
            life.backTo(LifeStep.PROVISION);
        }
    }
}

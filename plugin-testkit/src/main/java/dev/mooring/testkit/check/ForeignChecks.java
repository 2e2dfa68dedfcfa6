// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.ForeignMount;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.List;
import java.util.Set;

/** What is done where another program has mounted something at a pod's target (semantics/plugins §1.4). */
final class ForeignChecks {
    private ForeignChecks() {}

    static List<Check> of(Bench bench) {
        boolean mounts = LifeStep.PUBLISH.applies(bench) && PodChecks.shows(bench.life(1));
        return mounts
                ? List.of(
                        Check.of(Rule.FOREIGN_MOUNTS_KEPT, "publish", ForeignChecks::publishing),
                        Check.of(Rule.FOREIGN_MOUNTS_KEPT, "unpublish", ForeignChecks::unpublishing))
                : List.of();
    }

    private static void publishing(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        Set<String> before = bench.inventory();
        ForeignMount foreign = ForeignMount.at(life, life.target(life.pod(1)));
        Outcome<?> published = life.attempt(LifeStep.PUBLISH);
        require(
                !published.isDone(),
                Rule.FOREIGN_MOUNTS_KEPT,
                "something else was mounted at the target, and publish answered " + Answers.text(published));
        stays(foreign, "publish");
        life.undo(LifeStep.PUBLISH, true);
        stays(foreign, "unpublish after publish had failed");
        foreign.remove();
        undone(life, before);
    }

    private static void unpublishing(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        Set<String> before = bench.inventory();
        life.must(LifeStep.PUBLISH);
        PodRef pod = life.pod(1);
        ForeignMount foreign = ForeignMount.insteadOf(life, life.target(pod));
        LifeStep.unpublish(life, pod);
        stays(foreign, "unpublish");
        foreign.remove();
        undone(life, before);
    }

    private static void stays(ForeignMount foreign, String after) {
        require(foreign.isThere(), Rule.FOREIGN_MOUNTS_KEPT, "the foreign mount at the target was gone after " + after);
    }

    /** When the foreign mount has gone, the volume can go. */
    private static void undone(VolumeLife life, Set<String> before) {
        Outcome<?> undone = life.undo(LifeStep.PUBLISH, false);
        require(undone.isDone(), Rule.UNDOING_IDEMPOTENT, "unpublish was answered with " + Answers.text(undone));
        same(
                before,
                life.bench().inventory(),
                Rule.NOTHING_LEFT_BEHIND,
                "after unpublish, when a foreign mount had gone");
        life.end();
    }
}

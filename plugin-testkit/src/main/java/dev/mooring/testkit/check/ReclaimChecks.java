// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What becomes of data when its claim has gone. */
final class ReclaimChecks {
    private ReclaimChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        boolean deletes = bench.plugin().capability(Deleting.class).isPresent();
        boolean recycles = bench.plugin().capability(Recycling.class).isPresent();
        boolean publishes = LifeStep.PUBLISH.applies(bench);
        if (deletes && publishes && LifeStep.PROVISION.applies(bench)) {
            checks.add(Check.of(Rule.NEW_VOLUME_EMPTY, "provision after delete", ReclaimChecks::newIsEmpty));
            checks.add(Check.of(
                    Rule.ONLY_OWN_STORAGE_DELETED,
                    "delete, of volumes whose names are alike",
                    ReclaimChecks::namesakes));
        }
        if (deletes) {
            checks.add(Check.of(Rule.ONLY_OWN_STORAGE_DELETED, "delete", on -> foreign(on, false)));
        }
        if (recycles) {
            checks.add(Check.of(Rule.ONLY_OWN_STORAGE_DELETED, "recycle", on -> foreign(on, true)));
        }
        return checks;
    }

    private static void newIsEmpty(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        require(
                PodChecks.mark(life, life.pod(1), Rule.NEW_VOLUME_EMPTY).isDone(),
                Rule.NEW_VOLUME_EMPTY,
                "a pod cannot write");
        LifeStep.unpublish(life, life.pod(1));
        life.end();
        life.before(LifeStep.PUBLISH);
        Outcome<?> shown = LifeStep.publish(life, life.pod(2), false, life.context("publish 2"));
        require(shown.isDone(), Rule.NEW_VOLUME_EMPTY, "the new volume cannot be published: " + Answers.text(shown));
        require(
                PodChecks.marked(life, life.pod(2)).isEmpty(),
                Rule.NEW_VOLUME_EMPTY,
                "the new volume holds the old one's file");
        LifeStep.unpublish(life, life.pod(2));
        life.end();
    }

    /** Deletes a volume whose name is the beginning of another one's, and one whose name is the end of it. */
    private static void namesakes(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.PUBLISH);
        require(
                PodChecks.mark(life, life.pod(1), Rule.ONLY_OWN_STORAGE_DELETED).isDone(),
                Rule.ONLY_OWN_STORAGE_DELETED,
                "a pod cannot write");
        String name = life.request().volumeName();
        for (String alike : List.of(name.substring(0, name.length() - 1), name.substring(1))) {
            VolumeLife other = bench.life(2);
            Outcome<VolumeTemplate> made = VolumeLife.patiently(
                    () -> RefusalChecks.provision(other, other.request(alike), other.context("provision " + alike)));
            require(
                    made.isDone() || made.isRefused(),
                    Rule.ONLY_OWN_STORAGE_DELETED,
                    "the name " + alike + " was answered with " + Answers.text(made));
            RefusalChecks.clear(other, alike, made, Rule.ONLY_OWN_STORAGE_DELETED);
            require(
                    PodChecks.marked(life, life.pod(1)).isPresent(),
                    Rule.ONLY_OWN_STORAGE_DELETED,
                    "the volume " + alike + " was deleted, and a file of " + name + " was gone");
        }
        LifeStep.unpublish(life, life.pod(1));
        life.end();
    }

    private static void foreign(Bench bench, boolean recycling) {
        List<VolumeSource> sources = recycling
                ? bench.subject().foreignToRecycle(bench.machine())
                : bench.subject().foreignSources(bench.machine());
        Set<String> before = bench.inventory();
        int number = 40;
        for (VolumeSource source : sources) {
            VolumeLife life = bench.life(++number);
            Outcome<?> outcome = bench.call(
                    recycling ? "recycle" : "delete",
                    () -> recycling
                            ? life.capability(Recycling.class).recycle(life.context("recycle"), life.of(source))
                            : life.capability(Deleting.class).delete(life.context("delete"), life.of(source)));
            same(
                    before,
                    bench.inventory(),
                    Rule.ONLY_OWN_STORAGE_DELETED,
                    "for " + source + " it answered " + Answers.text(outcome));
        }
    }
}

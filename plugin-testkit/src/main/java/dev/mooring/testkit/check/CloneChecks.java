// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Storage that holds from the start what another volume holds. */
final class CloneChecks {
    private static final int SOURCE = 1;
    private static final int CLONE = 2;

    private CloneChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Cloning.class).isEmpty() || !LifeStep.PROVISION.undoable(bench)) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(
                Check.of(Rule.CLONE_STANDS_ALONE, "clone", CloneChecks::standsAlone),
                Check.of(Rule.CLONE_STANDS_ALONE, "clone of what is gone", CloneChecks::ofNothing)));
        checks.addAll(OnwardChecks.of("clone", OnwardChecks::usual, (on, number) -> new Copying(on, number)));
        return checks;
    }

    private static void standsAlone(Bench bench) {
        VolumeLife source = bench.life(SOURCE);
        source.must(LifeStep.PROVISION);
        Set<String> before = bench.inventory();
        VolumeLife clone = bench.life(CLONE).filledFrom(new ContentSource.OfVolume(source.spec()));
        Outcome<?> first = clone.attempt(LifeStep.PROVISION);
        String said = "a clone was answered with " + Answers.text(first);
        require(first.isDone(), Rule.CLONE_STANDS_ALONE, said);
        require(!clone.id().equals(source.id()), Rule.CLONE_STANDS_ALONE, said + ", which is the source itself");
        Set<String> made = bench.inventory();
        require(made.containsAll(before), Rule.CLONE_STANDS_ALONE, said + ", and the source was changed");
        bench.restart();
        Outcome<?> second = clone.attempt(LifeStep.PROVISION);
        require(second.equals(first), Rule.CALLS_IDEMPOTENT, said + ", and then with " + Answers.text(second));
        same(made, bench.inventory(), Rule.CALLS_IDEMPOTENT, said + ", and again");
        source.end();
        Outcome<?> third = clone.attempt(LifeStep.PROVISION);
        require(
                third.equals(first),
                Rule.CLONE_STANDS_ALONE,
                "the source was deleted, and the clone was then answered with " + Answers.text(third));
        clone.end();
    }

    private static void ofNothing(Bench bench) {
        VolumeLife source = bench.life(SOURCE);
        source.must(LifeStep.PROVISION);
        VolumeSpec gone = source.spec();
        source.end();
        Set<String> before = bench.inventory();
        Outcome<?> answer =
                bench.life(CLONE).filledFrom(new ContentSource.OfVolume(gone)).attempt(LifeStep.PROVISION);
        String said = "a clone of deleted storage was answered with " + Answers.text(answer);
        require(VolumeLife.isRefused(answer, Refusal.NOT_FOUND), Rule.CLONE_STANDS_ALONE, said);
        same(before, bench.inventory(), Rule.CLONE_STANDS_ALONE, said);
    }

    /** The source stays, and each time a new clone is made. */
    private static final class Copying implements Onward {
        private final VolumeLife source;
        private final VolumeLife clone;
        private boolean made;

        Copying(Bench bench, int number) {
            source = bench.life(SOURCE);
            clone = bench.life(number);
        }

        @Override
        public VolumeLife life() {
            return source;
        }

        @Override
        public String operation() {
            return "provision";
        }

        @Override
        public void ready() {
            if (!made) {
                source.must(LifeStep.PROVISION);
                FilledVolume.mark(source);
                VolumeLife unused = clone.filledFrom(new ContentSource.OfVolume(source.spec()));
                made = true;
            }
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return LifeStep.PROVISION.act(clone, context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            require(!clone.id().equals(source.id()), rule, said);
            FilledVolume.holds(clone, rule, said);
        }

        @Override
        public void after() {
            clone.end();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Snapshots of volumes, and volumes that are made from them. */
final class SnapshotChecks {
    private static final int SOURCE = 1;
    private static final int RESTORED = 2;
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final String TAKEN = "a snapshot was answered with ";

    private SnapshotChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Snapshotting.class).isEmpty() || !LifeStep.PROVISION.undoable(bench)) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(
                Check.of(Rule.UNKNOWN_PARAMETERS_REFUSED, "snapshot", SnapshotChecks::parameters),
                Check.of(Rule.CALLS_IDEMPOTENT, "snapshot", SnapshotChecks::repeated),
                Check.of(Rule.UNDOING_IDEMPOTENT, "snapshot", SnapshotChecks::goneTwice),
                Check.of(Rule.ONLY_OWN_STORAGE_DELETED, "snapshot", SnapshotChecks::alone),
                Check.of(Rule.SNAPSHOT_STANDS_ALONE, "snapshot", SnapshotChecks::standsAlone),
                Check.of(Rule.SNAPSHOT_STANDS_ALONE, "snapshot, and what comes later", SnapshotChecks::ofItsMoment),
                Check.of(Rule.SNAPSHOT_STANDS_ALONE, "snapshot of what is gone", SnapshotChecks::ofNothing),
                Check.of(
                        Rule.SNAPSHOT_STANDS_ALONE,
                        "restore of a snapshot that is gone",
                        SnapshotChecks::fromNothing)));
        if (bench.isOfNode()) {
            checks.add(Check.of(Rule.MACHINE_REQUIRED, "snapshot", SnapshotChecks::nowhere));
        }
        checks.addAll(OnwardChecks.of("snapshot", OnwardChecks::usual, Taking::new));
        checks.addAll(OnwardChecks.of("restore of a snapshot", OnwardChecks::usual, Restoring::new));
        checks.addAll(OnwardChecks.of("deleting a snapshot", OnwardChecks::usual, Destroying::new));
        return checks;
    }

    /** A volume, and what a plugin keeps for good once it has made a snapshot. */
    private static VolumeLife source(Bench bench) {
        VolumeLife source = bench.life(SOURCE);
        source.must(LifeStep.PROVISION);
        KitSnapshot first = new KitSnapshot(source, FIRST);
        taken(first.take(), Rule.SNAPSHOT_STANDS_ALONE);
        gone(first.delete(), Rule.SNAPSHOT_STANDS_ALONE);
        return source;
    }

    private static SnapshotFacts taken(Outcome<SnapshotFacts> answer, Rule rule) {
        require(answer.isDone(), rule, TAKEN + Answers.text(answer));
        SnapshotFacts facts = answer.result().orElseThrow();
        require(!facts.handle().isEmpty() && facts.bytes() >= 0, rule, TAKEN + facts);
        return facts;
    }

    private static void gone(Outcome<?> answer, Rule rule) {
        require(answer.isDone(), rule, "deleting a snapshot was answered with " + Answers.text(answer));
    }

    private static VolumeLife restored(Bench bench, int number, KitSnapshot snapshot) {
        return bench.life(number).filledFrom(snapshot.content(snapshot.ref()));
    }

    private static void parameters(Bench bench) {
        VolumeLife source = source(bench);
        Set<String> before = bench.inventory();
        Map<String, String> odd = new TreeMap<>(bench.subject().snapshotParameters());
        odd.put("kit.unknown", "1");
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        Outcome<?> answer = snapshot.plan(odd);
        require(
                VolumeLife.isRefused(answer, Refusal.INVALID),
                Rule.UNKNOWN_PARAMETERS_REFUSED,
                "parameters of a snapshot " + odd + " were answered with " + Answers.text(answer));
        same(before, bench.inventory(), Rule.UNKNOWN_PARAMETERS_REFUSED, "after that");
        source.end();
    }

    private static void repeated(Bench bench) {
        VolumeLife source = source(bench);
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        SnapshotFacts first = taken(snapshot.take(), Rule.CALLS_IDEMPOTENT);
        Set<String> made = bench.inventory();
        bench.restart();
        Outcome<SnapshotFacts> again = snapshot.take();
        SnapshotFacts second = taken(again, Rule.CALLS_IDEMPOTENT);
        require(
                first.handle().equals(second.handle()) && known(first, second),
                Rule.CALLS_IDEMPOTENT,
                TAKEN + first + ", and then with " + second);
        same(made, bench.inventory(), Rule.CALLS_IDEMPOTENT, TAKEN + first + ", and again");
        gone(snapshot.delete(), Rule.CALLS_IDEMPOTENT);
        source.end();
    }

    /** Whether what was known of it has stayed. */
    private static boolean known(SnapshotFacts first, SnapshotFacts second) {
        return (first.createdAt().isEmpty() || first.createdAt().equals(second.createdAt()))
                && (first.bytes() == 0 || first.bytes() == second.bytes())
                && (!first.ready() || second.ready());
    }

    private static void goneTwice(Bench bench) {
        VolumeLife source = source(bench);
        Set<String> before = bench.inventory();
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        gone(snapshot.delete(), Rule.UNDOING_IDEMPOTENT);
        taken(snapshot.take(), Rule.UNDOING_IDEMPOTENT);
        gone(snapshot.delete(), Rule.UNDOING_IDEMPOTENT);
        same(before, bench.inventory(), Rule.NOTHING_LEFT_BEHIND, "after a snapshot was deleted");
        bench.restart();
        gone(snapshot.delete(), Rule.UNDOING_IDEMPOTENT);
        Outcome<Optional<SnapshotFacts>> found = snapshot.find();
        require(
                found.result().filter(Optional::isEmpty).isPresent(),
                Rule.SNAPSHOT_STANDS_ALONE,
                "a deleted snapshot was looked for, with " + Answers.text(found));
        source.end();
    }

    /** Snapshots of one volume whose names begin alike. */
    private static void alone(Bench bench) {
        VolumeLife source = source(bench);
        KitSnapshot stays = new KitSnapshot(source, SECOND);
        SnapshotFacts known = taken(stays.take(), Rule.ONLY_OWN_STORAGE_DELETED);
        Set<String> before = bench.inventory();
        KitSnapshot goes = new KitSnapshot(source, SECOND + 1);
        taken(goes.take(), Rule.ONLY_OWN_STORAGE_DELETED);
        gone(goes.delete(), Rule.ONLY_OWN_STORAGE_DELETED);
        same(before, bench.inventory(), Rule.ONLY_OWN_STORAGE_DELETED, "after another snapshot was deleted");
        Outcome<Optional<SnapshotFacts>> found = stays.find();
        require(
                found.result()
                        .flatMap(facts -> facts)
                        .filter(facts -> facts.handle().equals(known.handle()))
                        .isPresent(),
                Rule.ONLY_OWN_STORAGE_DELETED,
                "another snapshot was deleted; this one was looked for, with " + Answers.text(found));
        gone(stays.delete(), Rule.ONLY_OWN_STORAGE_DELETED);
        source.end();
    }

    /** Of storage that only the node reaches. */
    private static void nowhere(Bench bench) {
        VolumeLife source = source(bench);
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        Outcome<?> answer = snapshot.take(source.spec(), source.nowhere("create-snapshot"));
        require(!answer.isDone(), Rule.MACHINE_REQUIRED, "without a machine " + TAKEN + Answers.text(answer));
        gone(snapshot.delete(), Rule.MACHINE_REQUIRED);
        source.end();
    }

    private static void standsAlone(Bench bench) {
        VolumeLife source = source(bench);
        Set<String> before = bench.inventory();
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        SnapshotFacts facts = taken(snapshot.take(), Rule.SNAPSHOT_STANDS_ALONE);
        String said = TAKEN + facts;
        require(
                bench.inventory().containsAll(before),
                Rule.SNAPSHOT_STANDS_ALONE,
                said + ", and the source was changed");
        source.end();
        Outcome<?> found = snapshot.find();
        require(
                found.isDone(),
                Rule.SNAPSHOT_STANDS_ALONE,
                "the source was deleted, and the snapshot then looked for, with " + Answers.text(found));
        VolumeLife restored = restored(bench, RESTORED, snapshot);
        Outcome<?> first = restored.attempt(LifeStep.PROVISION);
        String made = said + ", and a volume from it with " + Answers.text(first);
        require(first.isDone(), Rule.SNAPSHOT_STANDS_ALONE, made);
        bench.restart();
        Outcome<?> second = restored.attempt(LifeStep.PROVISION);
        require(second.equals(first), Rule.CALLS_IDEMPOTENT, made + ", and then with " + Answers.text(second));
        gone(snapshot.delete(), Rule.SNAPSHOT_STANDS_ALONE);
        Outcome<?> third = restored.attempt(LifeStep.PROVISION);
        require(
                third.equals(first),
                Rule.SNAPSHOT_STANDS_ALONE,
                "the snapshot was deleted, and the volume from it then answered with " + Answers.text(third));
        restored.end();
    }

    /** What is written later is in the volume, and not in the snapshot. */
    private static void ofItsMoment(Bench bench) {
        VolumeLife source = source(bench);
        KitSnapshot empty = new KitSnapshot(source, SECOND);
        taken(empty.take(), Rule.SNAPSHOT_STANDS_ALONE);
        FilledVolume.mark(source);
        KitSnapshot full = new KitSnapshot(source, SECOND + 1);
        taken(full.take(), Rule.SNAPSHOT_STANDS_ALONE);
        source.end();
        VolumeLife early = restored(bench, RESTORED, empty);
        early.must(LifeStep.PROVISION);
        FilledVolume.holdsNot(early, Rule.SNAPSHOT_STANDS_ALONE, "a volume was made from a snapshot");
        VolumeLife late = restored(bench, RESTORED + 1, full);
        late.must(LifeStep.PROVISION);
        gone(empty.delete(), Rule.SNAPSHOT_STANDS_ALONE);
        gone(full.delete(), Rule.SNAPSHOT_STANDS_ALONE);
        FilledVolume.holds(late, Rule.SNAPSHOT_STANDS_ALONE, "the snapshot was deleted from which it was made");
        early.end();
        late.end();
    }

    private static void ofNothing(Bench bench) {
        VolumeLife source = source(bench);
        VolumeSpec gone = source.spec();
        source.end();
        Set<String> before = bench.inventory();
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        Outcome<?> answer = VolumeLife.patiently(() -> snapshot.take(gone, source.context("create-snapshot")));
        String said = "a snapshot of deleted storage was answered with " + Answers.text(answer);
        require(VolumeLife.isRefused(answer, Refusal.NOT_FOUND), Rule.SNAPSHOT_STANDS_ALONE, said);
        same(before, bench.inventory(), Rule.SNAPSHOT_STANDS_ALONE, said);
    }

    private static void fromNothing(Bench bench) {
        VolumeLife source = source(bench);
        KitSnapshot snapshot = new KitSnapshot(source, SECOND);
        taken(snapshot.take(), Rule.SNAPSHOT_STANDS_ALONE);
        gone(snapshot.delete(), Rule.SNAPSHOT_STANDS_ALONE);
        Set<String> before = bench.inventory();
        Outcome<?> answer = restored(bench, RESTORED, snapshot).attempt(LifeStep.PROVISION);
        String said = "a volume from a deleted snapshot was answered with " + Answers.text(answer);
        require(VolumeLife.isRefused(answer, Refusal.NOT_FOUND), Rule.SNAPSHOT_STANDS_ALONE, said);
        same(before, bench.inventory(), Rule.SNAPSHOT_STANDS_ALONE, said);
        source.end();
    }

    /** A call for a snapshot of a volume that stays. */
    private abstract static class SnapshotCall implements Onward {
        final VolumeLife source;
        final KitSnapshot snapshot;
        private final String operation;
        private boolean made;

        SnapshotCall(Bench bench, int number, String operation) {
            this.source = bench.life(SOURCE);
            this.snapshot = new KitSnapshot(source, number);
            this.operation = operation;
        }

        @Override
        public VolumeLife life() {
            return source;
        }

        @Override
        public String operation() {
            return operation;
        }

        @Override
        public void ready() {
            if (!made) {
                source(source.bench());
                source.must(LifeStep.PROVISION);
                FilledVolume.mark(source);
                made = true;
            }
        }

        /** What a pod finds in a volume from the snapshot. */
        void restores(Rule rule, String said) {
            VolumeLife restored = restored(source.bench(), RESTORED, snapshot);
            Outcome<?> answer = restored.attempt(LifeStep.PROVISION);
            require(answer.isDone(), rule, said + ", and a volume from it with " + Answers.text(answer));
            FilledVolume.holds(restored, rule, said);
            restored.end();
        }
    }

    private static final class Taking extends SnapshotCall {
        Taking(Bench bench, int number) {
            super(bench, number, "create-snapshot");
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return snapshot.take(source.spec(), context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            restores(rule, said);
        }

        @Override
        public void after() {
            gone(snapshot.delete(), Rule.CALL_SURVIVES_CRASH);
        }
    }

    private static final class Restoring extends SnapshotCall {
        private final VolumeLife restored;

        Restoring(Bench bench, int number) {
            super(bench, number, "restore");
            this.restored = bench.life(number);
        }

        @Override
        public void ready() {
            super.ready();
            taken(snapshot.take(), Rule.SNAPSHOT_STANDS_ALONE);
            VolumeLife unused = restored.filledFrom(snapshot.content(snapshot.ref()));
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return LifeStep.PROVISION.act(restored, context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            FilledVolume.holds(restored, rule, said);
        }

        @Override
        public void after() {
            restored.end();
            gone(snapshot.delete(), Rule.CALL_SURVIVES_CRASH);
        }
    }

    private static final class Destroying extends SnapshotCall {
        Destroying(Bench bench, int number) {
            super(bench, number, "delete-snapshot");
        }

        @Override
        public void ready() {
            super.ready();
            taken(snapshot.take(), Rule.SNAPSHOT_STANDS_ALONE);
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return snapshot.delete(context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            Outcome<Optional<SnapshotFacts>> found = snapshot.find();
            require(
                    found.result().filter(Optional::isEmpty).isPresent(),
                    rule,
                    said + ", and the snapshot was then looked for, with " + Answers.text(found));
        }
    }
}

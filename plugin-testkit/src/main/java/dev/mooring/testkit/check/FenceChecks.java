// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Fencing;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import dev.mooring.testkit.subject.PluginSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Taking the power to write from another node. */
final class FenceChecks {
    private static final NodeRef LOST = new NodeRef("kit-lost", "kit-lost-uid");
    private static final int TIMES = 10;

    private FenceChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Fencing.class).isEmpty()) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(
                Check.of(Rule.K38, "fence", FenceChecks::fenced),
                Check.of(Rule.K38, "fence of an unknown volume", FenceChecks::unknown)));
        checks.addAll(OnwardChecks.of("fence", trouble -> Rule.K38, (on, number) -> new Locking(on.life(1))));
        return checks;
    }

    private static Outcome<?> fence(VolumeLife life, VolumeId volume, OperationContext context) {
        Fencing fencing = life.capability(Fencing.class);
        return life.bench().call("fence", () -> fencing.fence(context, volume, LOST));
    }

    private static Outcome<?> unfence(VolumeLife life) {
        return VolumeLife.patiently(() -> life.bench()
                .call(
                        "unfence",
                        () -> life.capability(Fencing.class).unfence(life.context("unfence"), life.id(), LOST)));
    }

    /** Done is held against what the back-end says. */
    private static void proven(VolumeLife life, Outcome<?> answer, Rule rule, String said) {
        if (!answer.isDone()) {
            return;
        }
        Bench bench = life.bench();
        PluginSubject subject = bench.subject();
        boolean writes = subject.mayWrite(bench.machine(), life.id(), LOST).orElse(false);
        require(!writes, rule, said + ", and " + LOST + " can still write");
        boolean keeps =
                subject.mayWrite(bench.machine(), life.id(), subject.node()).orElse(true);
        require(keeps, rule, said + ", and this node cannot write any more");
    }

    private static void fenced(Bench bench) {
        VolumeLife life = bench.life(1);
        life.all();
        require(unfence(life).isDone(), Rule.K09, "letting a node write again that was never kept from it failed");
        Outcome<?> first = VolumeLife.patiently(() -> fence(life, life.id(), life.context("fence")));
        require(first.isDone(), Rule.K38, "fence was answered with " + Answers.text(first));
        proven(life, first, Rule.K38, "fence was answered with Done");
        Set<String> after = bench.inventory();
        for (int i = 2; i <= TIMES; i++) {
            bench.restart();
            Outcome<?> next = fence(life, life.id(), life.context("fence"));
            require(next.isDone(), Rule.K08, "fence number " + i + " was answered with " + Answers.text(next));
            same(after, bench.inventory(), Rule.K08, "after fence number " + i);
        }
        if (LifeStep.PUBLISH.applies(bench)) {
            boolean writes =
                    bench.write(life.target(life.pod(1)), "kit-fenced", "x").isDone();
            require(writes, Rule.K38, "after the other node was fenced, a pod of this one cannot write");
        }
        for (int i = 1; i <= TIMES; i++) {
            Outcome<?> back = unfence(life);
            require(back.isDone(), Rule.K09, "unfence number " + i + " was answered with " + Answers.text(back));
        }
        life.end();
    }

    private static void unknown(Bench bench) {
        VolumeLife life = bench.life(1);
        VolumeId volume = new VolumeId(bench.plugin().describe().name(), "kit-unknown-volume");
        Outcome<?> answer = fence(life, volume, life.context("fence unknown"));
        require(
                !answer.isDone(),
                Rule.K38,
                "nothing is known of " + volume + ", and fence was answered with " + Answers.text(answer));
    }

    /** Taking it from a node that can write. */
    private record Locking(VolumeLife life) implements Onward {
        @Override
        public String operation() {
            return "fence";
        }

        @Override
        public void ready() {
            life.all();
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return fence(life, life.id(), context);
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            FenceChecks.proven(life, answer, rule, said);
        }

        @Override
        public void after() {
            unfence(life);
        }
    }
}

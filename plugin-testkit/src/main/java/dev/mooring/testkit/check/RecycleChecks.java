// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** Emptying a volume whose claim has gone. */
final class RecycleChecks {
    private static final int TIMES = 10;
    private static final String HIDDEN = ".hidden";

    private RecycleChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Recycling.class).isEmpty() || !LifeStep.PUBLISH.applies(bench)) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(Check.of(Rule.K34, "recycle", RecycleChecks::again)));
        checks.addAll(OnwardChecks.of("recycle", OnwardChecks::usual, (on, number) -> new Emptying(on.life(1))));
        return checks;
    }

    private static void again(Bench bench) {
        Emptying call = new Emptying(bench.life(1));
        call.ready();
        for (int i = 1; i <= TIMES; i++) {
            Outcome<?> emptied = VolumeLife.patiently(() -> call.act(call.life().context("recycle")));
            require(emptied.isDone(), Rule.K34, "recycle number " + i + " was answered with " + Answers.text(emptied));
            if (i == 1 || i == TIMES) {
                call.proven(emptied, Rule.K34, "recycle number " + i + " was answered with Done");
            }
            bench.restart();
        }
        call.life().end();
    }

    /** A released volume with something in it. */
    private record Emptying(VolumeLife life) implements Onward {
        @Override
        public String operation() {
            return "recycle";
        }

        @Override
        public void ready() {
            life.before(LifeStep.PUBLISH);
            PodRef pod = life.pod(1);
            require(PodChecks.mark(life, pod, Rule.K34).isDone(), Rule.K34, "a pod cannot write");
            life.bench().write(life.target(pod), HIDDEN, "hidden");
            released(pod);
        }

        private void released(PodRef pod) {
            LifeStep.unpublish(life, pod);
            if (LifeStep.STAGE.applies(life.bench())) {
                life.undo(LifeStep.STAGE, false);
            }
        }

        @Override
        public Outcome<?> act(OperationContext context) {
            return life.bench()
                    .call("recycle", () -> life.capability(Recycling.class).recycle(context, life.spec()));
        }

        @Override
        public void proven(Outcome<?> answer, Rule rule, String said) {
            life.before(LifeStep.PUBLISH);
            PodRef next = life.pod(2);
            Outcome<?> shown = LifeStep.publish(life, next, false, life.context("publish 2"));
            require(shown.isDone(), rule, said + ", and the volume cannot be published: " + Answers.text(shown));
            boolean hidden = life.bench().read(life.target(next), HIDDEN).isPresent();
            boolean plain = PodChecks.marked(life, next).isPresent();
            require(!hidden && !plain, rule, said + ", and it still holds " + (hidden ? "a hidden file" : "a file"));
            released(next);
        }
    }
}

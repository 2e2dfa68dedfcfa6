// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.Life;
import dev.mooring.testkit.bench.Step;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Storage that becomes larger. */
final class GrowthChecks {
    private static final int TIMES = 10;

    private GrowthChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        if (bench.plugin().capability(ControllerExpanding.class).isPresent()) {
            checks.add(Check.of(Rule.K30, "expand", GrowthChecks::byController));
        }
        if (bench.plugin().capability(NodeExpanding.class).isPresent() && Step.PUBLISH.applies(bench)) {
            checks.add(Check.of(Rule.K30, "expand on the node", GrowthChecks::byNode));
        }
        return checks;
    }

    private static void byController(Bench bench) {
        Life life = bench.life(1);
        if (Step.PROVISION.applies(bench)) {
            life.must(Step.PROVISION);
        }
        grows(
                life,
                "expand",
                wanted -> bench.call(
                        "expand",
                        () -> life.capability(ControllerExpanding.class)
                                .expand(life.context("expand"), life.spec(), wanted)
                                .map(ControllerExpanding.Expansion::size)));
        life.end();
    }

    private static void byNode(Bench bench) {
        Life life = bench.life(1);
        life.all();
        boolean marked = bench.write(life.target(life.pod(1)), "kit-mark", "x").isDone();
        bench.subject()
                .grow(
                        bench.machine(),
                        life.spec().source(),
                        larger(bench.subject().size()));
        bench.plugin()
                .capability(ControllerExpanding.class)
                .ifPresent(grower -> bench.call(
                        "expand",
                        () -> grower.expand(
                                life.context("expand"),
                                life.spec(),
                                larger(bench.subject().size()))));
        Path path = life.stagingPath().orElse(life.target(life.pod(1)));
        grows(
                life,
                "expandOnNode",
                wanted -> bench.call(
                        "expandOnNode",
                        () -> life.capability(NodeExpanding.class)
                                .expandOnNode(life.context("expand on node"), life.spec(), path, wanted)));
        require(
                !marked || bench.read(life.target(life.pod(1)), "kit-mark").isPresent(),
                Rule.K27,
                "after growing, a file was gone");
        life.end();
    }

    private static Quantity larger(Quantity size) {
        return size.plus(size);
    }

    private static void grows(Life life, String call, Function<Quantity, Outcome<Quantity>> grow) {
        Quantity small = life.bench().subject().size();
        Quantity wanted = larger(small);
        for (int i = 1; i <= TIMES; i++) {
            Outcome<Quantity> outcome = Life.patiently(() -> grow.apply(wanted));
            require(outcome.isDone(), Rule.K30, call + " to " + wanted + " was answered with " + Answers.text(outcome));
            Quantity had = outcome.result().orElse(small);
            require(had.compareTo(wanted) >= 0, Rule.K30, wanted + " were wanted, and " + call + " gave " + had);
            life.bench().restart();
        }
        Outcome<Quantity> back = grow.apply(small);
        back.result()
                .ifPresent(size -> require(
                        size.compareTo(small) >= 0, Rule.K30, small + " were wanted, and " + call + " gave " + size));
        Outcome<Quantity> still = Life.patiently(() -> grow.apply(wanted));
        require(still.isDone(), Rule.K30, "after a wish for less, " + call + " was " + Answers.text(still));
    }
}

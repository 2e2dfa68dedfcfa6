// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Calls that only look. */
final class LookingChecks {
    private LookingChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        if (bench.plugin().capability(Statistics.class).isPresent() && LifeStep.PUBLISH.applies(bench)) {
            checks.add(Check.of(Rule.K35, "statistics", LookingChecks::measured));
        }
        if (bench.plugin().capability(Attaching.class).isPresent()) {
            checks.add(Check.of(Rule.K32, "observe", LookingChecks::observed));
        }
        if (bench.plugin().capability(Health.class).isPresent()) {
            checks.add(Check.of(Rule.K35, "health", LookingChecks::healthy));
        }
        return checks;
    }

    private static void measured(Bench bench) {
        VolumeLife life = bench.life(1);
        life.all();
        Set<String> before = bench.inventory();
        Outcome<Statistics.Usage> outcome = VolumeLife.patiently(() -> bench.call(
                "usage",
                () -> life.capability(Statistics.class)
                        .usage(life.context("usage"), life.id(), life.target(life.pod(1)))));
        require(outcome.isDone(), Rule.K35, "measuring was answered with " + Answers.text(outcome));
        outcome.result().ifPresent(LookingChecks::plausible);
        same(before, bench.inventory(), Rule.K35, "after measuring");
        life.end();
    }

    private static void plausible(Statistics.Usage usage) {
        boolean good = usage.usedBytes() >= 0
                && usage.availableBytes() >= 0
                && usage.usedBytes() <= usage.capacityBytes()
                && usage.availableBytes() <= usage.capacityBytes()
                && usage.freeInodes() >= 0
                && usage.freeInodes() <= usage.inodes();
        require(good, Rule.K35, "it measured " + usage);
    }

    private static void healthy(Bench bench) {
        VolumeLife life = bench.life(1);
        life.all();
        Set<String> before = bench.inventory();
        bench.call("check", () -> life.capability(Health.class).check(life.context("check"), life.spec()));
        same(before, bench.inventory(), Rule.K35, "after looking at its health");
        life.end();
    }

    private static void observed(Bench bench) {
        VolumeLife life = bench.life(1);
        life.before(LifeStep.ATTACH);
        believed(life, Attaching.State.ATTACHED, "before attaching");
        life.must(LifeStep.ATTACH);
        believed(life, Attaching.State.DETACHED, "after attaching");
        life.end();
    }

    /** Whether the back-end can be asked or not, it must not say the contrary of what is. */
    private static void believed(VolumeLife life, Attaching.State not, String when) {
        observe(life, life.context("observe"), not, when);
        observe(life, life.nowhere("observe"), not, when + ", without a machine,");
    }

    /** What observe answers, which is no Outcome. */
    static Map<VolumeId, Attaching.State> states(VolumeLife life, OperationContext context, Set<VolumeId> volumes) {
        NodeRef node = life.bench().subject().node();
        Attaching asked = life.capability(Attaching.class);
        return life.bench()
                .call("observe", () -> Outcome.done(Optional.ofNullable(asked.observe(context, node, volumes))))
                .result()
                .flatMap(states -> states)
                .orElseThrow(() -> new BrokenRule(Rule.K04, "observe answered null"));
    }

    private static void observe(VolumeLife life, OperationContext context, Attaching.State not, String when) {
        PluginName name = life.bench().plugin().describe().name();
        VolumeId unknown = new VolumeId(name, "kit-unknown-volume");
        Set<VolumeId> volumes = Set.of(life.id(), unknown);
        Map<VolumeId, Attaching.State> states = states(life, context, volumes);
        require(states.keySet().equals(volumes), Rule.K32, "it was asked for " + volumes + " and answered " + states);
        require(states.get(life.id()) != not, Rule.K32, when + " it answered " + not);
        boolean invented = states.get(unknown) == Attaching.State.ATTACHED;
        require(!invented, Rule.K32, "nothing is known of " + unknown + ", and it answered ATTACHED");
    }
}

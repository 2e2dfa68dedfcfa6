// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.Descriptors;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plugin's own files and sockets, which no host sees. */
final class DescriptorChecks {
    private static final int MOST_ROUNDS = 6;
    private static final int LEAST_ROUNDS = 4;
    /** A pool of connections that fills is no leak: what still grows is looked at for longer. */
    private static final int ROUNDS_OF_GROWTH = 19;

    private static final int MOST_ROUNDS_UNSETTLED = 100;

    private DescriptorChecks() {}

    static List<Check> of(Bench bench) {
        return Descriptors.areTold()
                ? List.of(Check.of(Rule.K22, "many lives", DescriptorChecks::manyLives))
                : List.of();
    }

    private static void manyLives(Bench bench) {
        int rounds =
                Math.max(LEAST_ROUNDS, Math.min(MOST_ROUNDS, bench.subject().points()));
        Descriptors descriptors = new Descriptors();
        Optional<String> growing = Optional.empty();
        for (int i = 0;
                i < rounds || (i < MOST_ROUNDS_UNSETTLED && growing.isEmpty() && descriptors.areUnsettled());
                i++) {
            live(bench);
            descriptors.look();
            growing = descriptors.growing(ROUNDS_OF_GROWTH);
        }
        require(growing.isEmpty(), Rule.K22, growing.orElse(""));
    }

    private static void live(Bench bench) {
        for (VolumeMode mode : Trial.modes(bench)) {
            VolumeLife life = bench.life(1, mode);
            life.all();
            look(life);
            life.end();
        }
    }

    /** Asks whatever can be asked of a volume in use. */
    private static void look(VolumeLife life) {
        Bench bench = life.bench();
        bench.plugin()
                .capability(Attaching.class)
                .ifPresent(asked -> LookingChecks.states(life, life.context("observe"), Set.of(life.id())));
        bench.plugin()
                .capability(Health.class)
                .ifPresent(asked -> bench.call("check", () -> asked.check(life.context("check"), life.spec())));
        if (life.mode() == VolumeMode.FILESYSTEM && LifeStep.PUBLISH.applies(bench)) {
            bench.plugin()
                    .capability(Statistics.class)
                    .ifPresent(asked -> bench.call(
                            "usage", () -> asked.usage(life.context("usage"), life.id(), life.target(life.pod(1)))));
        }
    }
}

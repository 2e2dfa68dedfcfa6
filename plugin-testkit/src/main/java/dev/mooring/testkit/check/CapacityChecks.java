// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.CapacityReporting;
import dev.mooring.storage.spi.CapacityReporting.FreeSpace;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a plugin says of the space that is left. */
final class CapacityChecks {
    private static final int TOO_LARGE = 2;

    private CapacityChecks() {}

    static List<Check> of(Bench bench) {
        return bench.plugin().capability(CapacityReporting.class).isPresent()
                        && LifeStep.PROVISION.applies(bench)
                        && LifeStep.PROVISION.undoable(bench)
                ? List.of(
                        Check.of(Rule.FREE_SPACE_TRUE, "free space", CapacityChecks::measured),
                        Check.of(Rule.FREE_SPACE_TRUE, "free space, and the largest volume", CapacityChecks::largest))
                : List.of();
    }

    private static Outcome<FreeSpace> asked(VolumeLife life) {
        Bench bench = life.bench();
        Map<String, String> place =
                bench.isOfNode() ? bench.nodeLabels(bench.subject().node()) : Map.of();
        return VolumeLife.patiently(() -> bench.call(
                "freeSpace",
                () -> life.capability(CapacityReporting.class)
                        .freeSpace(life.context("freeSpace"), bench.subject().parameters(), place)));
    }

    private static void measured(Bench bench) {
        VolumeLife life = bench.life(1);
        Set<String> before = bench.inventory();
        Outcome<FreeSpace> answer = asked(life);
        String said = "free space was answered with " + Answers.text(answer);
        require(answer.isDone() || answer.isRefused(), Rule.FREE_SPACE_TRUE, said);
        same(before, bench.inventory(), Rule.FREE_SPACE_TRUE, said);
        Optional<FreeSpace> space = answer.result();
        if (space.isPresent()) {
            boolean negative = isLess(space.get().available(), Quantity.ZERO)
                    || space.get()
                            .largestVolume()
                            .filter(size -> isLess(size, Quantity.ZERO))
                            .isPresent();
            require(!negative, Rule.FREE_SPACE_TRUE, said);
            boolean nothing = space.get().available().equals(Quantity.ZERO);
            Outcome<?> made = life.attempt(LifeStep.PROVISION);
            require(!nothing || !made.isDone(), Rule.FREE_SPACE_TRUE, said + ", and then a volume was made");
            life.end();
        }
    }

    private static boolean isLess(Quantity one, Quantity other) {
        return one.compareTo(other) < 0;
    }

    private static void largest(Bench bench) {
        VolumeLife life = bench.life(1);
        Outcome<FreeSpace> answer = asked(life);
        Optional<Quantity> largest =
                answer.result().flatMap(FreeSpace::largestVolume).filter(Quantity::fitsLong);
        if (largest.isPresent()) {
            long bytes = Math.addExact(largest.get().longValue(), 1);
            VolumeLife other = bench.life(TOO_LARGE);
            ProvisionRequest request = RequestVariants.with(other.request(), Quantity.ofBytes(bytes));
            Outcome<VolumeTemplate> made =
                    VolumeLife.patiently(() -> RefusalChecks.provision(other, request, other.context("provision")));
            RefusalChecks.clear(other, request.volumeName(), made, Rule.FREE_SPACE_TRUE);
            require(
                    !made.isDone(),
                    Rule.FREE_SPACE_TRUE,
                    "the largest volume is of " + largest.get() + ", and one of " + bytes + " bytes was answered with "
                            + Answers.text(made));
        }
    }
}

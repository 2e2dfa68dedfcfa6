// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.RawDevice;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Storage that becomes larger. */
final class GrowthChecks {
    private static final int TIMES = 10;

    private GrowthChecks() {}

    static List<Check> of(Bench bench) {
        List<Check> checks = new ArrayList<>();
        if (bench.plugin().capability(ControllerExpanding.class).isPresent()) {
            checks.add(Check.of(Rule.K30, "expand", on -> byController(on.life(1))));
            checks.addAll(OnwardChecks.of(
                    "expand", OnwardChecks::usual, (on, number) -> Growth.byController(on.life(number))));
        }
        if (bench.plugin().capability(NodeExpanding.class).isPresent()) {
            for (VolumeMode mode : Trial.modes(bench)) {
                String name = "expand on the node" + (mode == VolumeMode.BLOCK ? " of a raw device" : "");
                checks.add(Check.of(Rule.K30, name, on -> byNode(on.life(1, mode))));
                checks.addAll(OnwardChecks.of(
                        name, OnwardChecks::usual, (on, number) -> Growth.onNode(on.life(number, mode))));
            }
        }
        return checks;
    }

    private static void byController(VolumeLife life) {
        grows(Growth.byController(life));
        life.end();
    }

    private static void byNode(VolumeLife life) {
        life.all();
        boolean marked = mark(life);
        grows(Growth.onNode(life));
        require(!marked || isMarked(life), Rule.K27, "after growing, what was written was gone");
        life.end();
    }

    private static boolean mark(VolumeLife life) {
        if (life.mode() == VolumeMode.BLOCK) {
            Optional<RawDevice> device = RawDevice.of(life);
            device.ifPresent(RawDevice::mark);
            return device.isPresent();
        }
        return life.bench().write(life.target(life.pod(1)), "kit-mark", "x").isDone();
    }

    private static boolean isMarked(VolumeLife life) {
        return life.mode() == VolumeMode.BLOCK
                ? RawDevice.of(life).filter(RawDevice::isMarked).isPresent()
                : life.bench().read(life.target(life.pod(1)), "kit-mark").isPresent();
    }

    private static void grows(Growth growth) {
        growth.begin();
        VolumeLife life = growth.life();
        String call = growth.operation();
        Quantity small = life.bench().subject().size();
        Quantity wanted = growth.more();
        for (int i = 1; i <= TIMES; i++) {
            Outcome<Quantity> outcome = VolumeLife.patiently(() -> growth.ask(life.context(call), wanted));
            require(outcome.isDone(), Rule.K30, call + " to " + wanted + " was answered with " + Answers.text(outcome));
            Quantity had = outcome.result().orElse(small);
            require(had.compareTo(wanted) >= 0, Rule.K30, wanted + " were wanted, and " + call + " gave " + had);
            life.bench().restart();
        }
        Outcome<Quantity> back = growth.ask(life.context(call), small);
        back.result()
                .ifPresent(size -> require(
                        size.compareTo(small) >= 0, Rule.K30, small + " were wanted, and " + call + " gave " + size));
        Outcome<Quantity> still = VolumeLife.patiently(() -> growth.ask(life.context(call), wanted));
        require(still.isDone(), Rule.K30, "after a wish for less, " + call + " was " + Answers.text(still));
    }
}

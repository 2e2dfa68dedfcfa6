// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.UnmountForce;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Recognising what is mounted. */
final class AdoptionChecks {
    private AdoptionChecks() {}

    static List<Check> of(Bench bench) {
        if (bench.plugin().capability(Reconstructing.class).isEmpty()) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(
                List.of(Check.of(Rule.OWN_VOLUMES_RECONSTRUCTED, "reconstruct", AdoptionChecks::foreign)));
        if (LifeStep.PUBLISH.applies(bench)) {
            checks.add(Check.of(
                    Rule.OWN_VOLUMES_RECONSTRUCTED, "reconstruct what is published", on -> own(on, LifeStep.PUBLISH)));
        }
        if (LifeStep.STAGE.applies(bench)) {
            checks.add(Check.of(
                    Rule.OWN_VOLUMES_RECONSTRUCTED, "reconstruct what is staged", on -> own(on, LifeStep.STAGE)));
        }
        return checks;
    }

    private static Outcome<Adopted> reconstruct(VolumeLife life, Path path) {
        return VolumeLife.patiently(() -> life.bench()
                .call(
                        "reconstruct",
                        () -> life.capability(Reconstructing.class).reconstruct(life.context("reconstruct"), path)));
    }

    /** What it recognises has to be the volume, and its state has to undo it. */
    private static void own(Bench bench, LifeStep step) {
        VolumeLife life = bench.life(1);
        life.before(step);
        Set<String> before = bench.inventory();
        life.must(step);
        Set<String> after = bench.inventory();
        Path path = step == LifeStep.STAGE ? life.stagingPath().orElseThrow() : life.target(life.pod(1));
        bench.restart();
        Outcome<Adopted> found = reconstruct(life, path);
        same(
                after,
                bench.inventory(),
                Rule.OWN_VOLUMES_RECONSTRUCTED,
                "at " + path + " reconstruct answered " + Answers.text(found));
        found.result().ifPresent(own -> {
            boolean same = bench.plugin().validate(own.source()).isEmpty()
                    && bench.plugin().identify(own.source()).equals(life.id());
            require(same, Rule.OWN_VOLUMES_RECONSTRUCTED, life.id() + " was recognised as " + own.source());
            Outcome<?> undone = VolumeLife.patiently(() -> undo(life, step, path, own.state()));
            require(
                    undone.isDone(),
                    Rule.OWN_VOLUMES_RECONSTRUCTED,
                    "undoing what was recognised was " + Answers.text(undone));
            same(
                    before,
                    bench.inventory(),
                    Rule.OWN_VOLUMES_RECONSTRUCTED,
                    "after undoing what was recognised at " + path);
        });
        life.end();
    }

    private static Outcome<?> undo(VolumeLife life, LifeStep step, Path path, PluginState state) {
        if (step == LifeStep.PUBLISH) {
            return LifeStep.unpublish(life, life.pod(1), state, life.context("undo adopted"));
        }
        Staging staging = life.capability(Staging.class);
        return life.bench()
                .call("unstage", () -> staging.unstage(life.context("undo adopted"), life.id(), path, state));
    }

    /** Nothing, a directory, and another program's mount are none of it. */
    private static void foreign(Bench bench) {
        VolumeLife life = bench.life(1);
        Path directory = bench.foreignPlace();
        refused(life, directory.resolve("nothing"), "where nothing is");
        refused(life, directory, "at a directory");
        Path place = directory.resolve("mount");
        Mounts mounts = bench.machine().host().mounts();
        Outcome<MountEntry> mounted =
                mounts.mount(life.context("foreign"), place, new MountRequest("tmpfs", "tmpfs", List.of(), false));
        mounted.result().ifPresent(entry -> {
            try {
                refused(life, place, "at a foreign mount");
            } finally {
                MountExpectation expected = MountExpectation.of(entry, false);
                Outcome<?> gone = mounts.unmount(life.context("foreign"), place, expected, UnmountForce.NONE);
                require(
                        gone.isDone(),
                        Rule.OWN_VOLUMES_RECONSTRUCTED,
                        "the kit's own mount cannot be undone: " + Answers.text(gone));
            }
        });
    }

    private static void refused(VolumeLife life, Path path, String where) {
        Set<String> before = life.bench().inventory();
        Outcome<Adopted> found = reconstruct(life, path);
        require(!found.isDone(), Rule.OWN_VOLUMES_RECONSTRUCTED, where + " it recognised " + Answers.text(found));
        same(before, life.bench().inventory(), Rule.OWN_VOLUMES_RECONSTRUCTED, where + " reconstruct was asked");
    }
}

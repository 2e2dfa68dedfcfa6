// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import static dev.mooring.testkit.check.Checks.require;
import static dev.mooring.testkit.check.Checks.same;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.testkit.bench.Answers;
import dev.mooring.testkit.bench.Bench;
import dev.mooring.testkit.bench.LifeStep;
import dev.mooring.testkit.bench.RawDevice;
import dev.mooring.testkit.bench.Trial;
import dev.mooring.testkit.bench.VolumeLife;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Raw devices: whose they are, for how long, and what is on them. */
final class DeviceChecks {
    private DeviceChecks() {}

    static List<Check> of(Bench bench) {
        if (!Trial.triesDevices(bench)) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>(List.of(
                Check.of(Rule.K37, "map", DeviceChecks::sameForAllPods),
                Check.of(Rule.K37, "map of two volumes", DeviceChecks::twoVolumes),
                Check.of(Rule.K27, "map", DeviceChecks::dataStays)));
        if (LifeStep.STAGE.applies(bench)) {
            checks.add(Check.of(Rule.K37, "map of what is not staged", DeviceChecks::onlyWhileStaged));
        }
        return checks;
    }

    /** The device that a pod gets. */
    private static BlockDevice mapped(VolumeLife life, PodRef pod, String when) {
        Outcome<Path> answer = VolumeLife.patiently(() -> LifeStep.map(life, pod, life.context("map " + pod.uid())));
        String said = when + " map was answered with " + Answers.text(answer);
        require(answer.isDone(), Rule.K37, said);
        return found(life.bench(), answer.result().orElseThrow(), said);
    }

    /** The device at a path that was answered. */
    private static BlockDevice found(Bench bench, Path path, String said) {
        require(path.isAbsolute(), Rule.K37, said);
        Outcome<BlockDevice> found = bench.machine().host().blockDevices().find(path);
        require(found.isDone(), Rule.K37, said + ", where the host finds no device: " + Answers.text(found));
        return found.result().orElseThrow();
    }

    private static void unmap(VolumeLife life, PodRef pod) {
        Outcome<?> answer = VolumeLife.patiently(() -> LifeStep.unmap(life, pod, life.context("unmap " + pod.uid())));
        require(answer.isDone(), Rule.K09, "unmap for " + pod + " was answered with " + Answers.text(answer));
    }

    private static void sameForAllPods(Bench bench) {
        VolumeLife life = bench.life(1, VolumeMode.BLOCK);
        life.before(LifeStep.MAP);
        BlockDevice first = mapped(life, life.pod(1), "first");
        BlockDevice second = mapped(life, life.pod(2), "in another pod");
        require(
                first.number().equals(second.number()),
                Rule.K37,
                "one pod got " + first.path() + ", another one " + second.path());
        unmap(life, life.pod(1));
        BlockDevice still = mapped(life, life.pod(2), "after the first pod went");
        bench.restart();
        BlockDevice later = mapped(life, life.pod(2), "after a restart");
        require(
                first.number().equals(still.number()) && first.number().equals(later.number()),
                Rule.K37,
                "the device was " + first.path() + ", then " + still.path() + ", then " + later.path());
        unmap(life, life.pod(2));
        life.end();
    }

    private static void twoVolumes(Bench bench) {
        bench.warm(2);
        VolumeLife one = bench.life(1, VolumeMode.BLOCK);
        VolumeLife two = bench.life(2, VolumeMode.BLOCK);
        one.all();
        two.all();
        String first = mapped(one, one.pod(1), "first").number();
        String second = mapped(two, two.pod(1), "second").number();
        require(!first.equals(second), Rule.K37, "two volumes are one device, " + first);
        two.end();
        String still = mapped(one, one.pod(1), "after the other went").number();
        require(first.equals(still), Rule.K37, "the device changed when another volume went");
        one.end();
    }

    /** What stage brings goes with it. A device that the node always has is the same one before, meanwhile and afterwards. */
    private static void onlyWhileStaged(Bench bench) {
        VolumeLife life = bench.life(1, VolumeMode.BLOCK);
        life.before(LifeStep.STAGE);
        Optional<String> before = ofNode(life, "before stage");
        life.must(LifeStep.STAGE);
        life.must(LifeStep.MAP);
        String staged = mapped(life, life.pod(1), "after stage").number();
        require(
                before.isEmpty() || before.get().equals(staged),
                Rule.K37,
                "before stage the device was " + before + ", after it " + staged);
        life.undo(LifeStep.MAP, false);
        life.undo(LifeStep.STAGE, false);
        Optional<String> after = ofNode(life, "after unstage");
        require(after.equals(before), Rule.K37, "before stage the device was " + before + ", after unstage " + after);
        life.end();
    }

    /** The device that is answered although nothing is staged, which must not come by asking; empty if there is none. */
    private static Optional<String> ofNode(VolumeLife life, String when) {
        Bench bench = life.bench();
        Set<String> before = bench.inventory();
        Outcome<Path> answer = LifeStep.map(life, life.pod(1), life.context("map"));
        String said = when + " map was answered with " + Answers.text(answer);
        same(before, bench.inventory(), Rule.K37, said);
        return answer.result().map(path -> found(bench, path, said).number());
    }

    private static void dataStays(Bench bench) {
        VolumeLife life = bench.life(1, VolumeMode.BLOCK);
        life.all();
        Optional<RawDevice> device = RawDevice.of(life);
        device.ifPresent(RawDevice::mark);
        life.undo(LifeStep.MAP, false);
        if (LifeStep.STAGE.applies(bench)) {
            life.undo(LifeStep.STAGE, false);
            life.must(LifeStep.STAGE);
        }
        life.must(LifeStep.MAP);
        boolean lost = device.isPresent()
                && RawDevice.of(life).filter(RawDevice::isMarked).isEmpty();
        require(!lost, Rule.K27, "what was written to the raw device is gone");
        life.end();
    }
}

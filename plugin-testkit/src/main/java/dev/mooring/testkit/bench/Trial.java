// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Publishing;
import java.util.ArrayList;
import java.util.List;

/**
 * A step of a volume in one of its modes.
 *
 * @param step the step
 * @param mode how the volume is used
 */
public record Trial(LifeStep step, VolumeMode mode) {
    /** All steps that the plugin has, of file systems and of raw devices; what comes before both alike is there once. */
    public static List<Trial> of(Bench bench) {
        List<Trial> trials = new ArrayList<>();
        VolumeMode usual = usual(bench);
        if (usual == VolumeMode.FILESYSTEM) {
            add(trials, bench, LifeStep.WAY, usual);
        }
        if (usual == VolumeMode.BLOCK || triesDevices(bench)) {
            add(trials, bench, usual == VolumeMode.BLOCK ? LifeStep.DEVICE_WAY : onNode(), VolumeMode.BLOCK);
        }
        return trials;
    }

    private static List<LifeStep> onNode() {
        return List.of(LifeStep.STAGE, LifeStep.MAP);
    }

    private static void add(List<Trial> trials, Bench bench, List<LifeStep> way, VolumeMode mode) {
        way.stream().filter(step -> step.applies(bench)).forEach(step -> trials.add(new Trial(step, mode)));
    }

    /** Whether the plugin gives raw devices, and the author one to try it with. */
    public static boolean triesDevices(Bench bench) {
        boolean maps = bench.plugin().capability(BlockMapping.class).isPresent();
        return maps
                && (bench.plugin().capability(Provisioning.class).isPresent()
                        || bench.subject().existingDevice(bench.machine(), 1).isPresent());
    }

    /** The modes in which volumes are tried, the usual one first. */
    public static List<VolumeMode> modes(Bench bench) {
        VolumeMode usual = usual(bench);
        return usual == VolumeMode.FILESYSTEM && triesDevices(bench)
                ? List.of(usual, VolumeMode.BLOCK)
                : List.of(usual);
    }

    /** A file system, unless the plugin has nothing but raw devices. */
    static VolumeMode usual(Bench bench) {
        boolean devicesOnly = bench.plugin().capability(Publishing.class).isEmpty()
                && bench.plugin().capability(BlockMapping.class).isPresent();
        return devicesOnly ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM;
    }

    /** The first volume of this mode. */
    public VolumeLife life(Bench bench) {
        return bench.life(1, mode);
    }

    /** For people. */
    public String operation() {
        return step == LifeStep.STAGE && mode == VolumeMode.BLOCK ? "stage of a raw device" : step.operation();
    }
}

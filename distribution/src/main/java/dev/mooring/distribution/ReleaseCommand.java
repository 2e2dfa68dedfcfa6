// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.binder.repair.Repair;
import dev.mooring.binder.repair.VolumeRepairs;
import dev.mooring.distribution.option.VolumeRepairOptions;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mooring release}: gives a volume whose claim has gone back to use. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Makes a volume available again whose claim was deleted, with its data.",
            "Is refused, with the reasons, while the volume may still be in use or its storage is being reclaimed.",
            "Exit status: 0 done, 1 refused or failed, 2 the arguments are malformed."
        })
final class ReleaseCommand implements Callable<Integer> {
    @Mixin
    private VolumeRepairOptions repair = new VolumeRepairOptions();

    @ArgGroup(multiplicity = "1")
    private Way way = new Way();

    @Override
    public Integer call() {
        return repair.run(Optional.empty(), way.act);
    }

    /** Which claim gets the volume. */
    static final class Way {
        private Function<VolumeRepairs, Repair> act = VolumeRepairs::rebind;

        @Option(
                names = "--rebind",
                required = true,
                description = "The volume waits for a claim of the same namespace and name. No other claim gets it.")
        void rebind(boolean chosen) {
            choose(chosen, VolumeRepairs::rebind);
        }

        @Option(
                names = "--discard",
                required = true,
                description =
                        "The volume is free for any claim that fits. Nothing is erased: the user of that claim can read the data.")
        void discard(boolean chosen) {
            choose(chosen, VolumeRepairs::discard);
        }

        private void choose(boolean chosen, Function<VolumeRepairs, Repair> chosenAct) {
            if (chosen) {
                act = chosenAct;
            }
        }
    }
}

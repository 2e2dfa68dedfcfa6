// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.option.VolumeRepairOptions;
import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mooring adopt}: gives a volume to a claim that exists. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Gives a volume, with its data, to an existing claim, such as one that a restore has created again.",
            "Is refused, with the reasons, if the claim has another volume or does not fit, if the volume may still be"
                    + " in use, or if its storage is being reclaimed.",
            "Exit status: 0 done, 1 refused or failed, 2 the arguments are malformed."
        })
final class AdoptCommand implements Callable<Integer> {
    @Mixin
    private VolumeRepairOptions repair = new VolumeRepairOptions();

    @Option(
            names = "--claim",
            paramLabel = "NAMESPACE/NAME",
            description = "The claim. Default: the claim with the name that the volume was bound to.")
    private Optional<String> claim = Optional.empty();

    @Override
    public Integer call() {
        Optional<ObjectKey> key = claim.map(this::keyOf);
        return repair.run(key, repairs -> repairs.adopt(key));
    }

    private ObjectKey keyOf(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash != text.lastIndexOf('/') || slash == text.length() - 1) {
            throw repair.malformed("--claim must be NAMESPACE/NAME, not '" + text + "'");
        }
        return ObjectKey.of(text.substring(0, slash), text.substring(slash + 1));
    }
}

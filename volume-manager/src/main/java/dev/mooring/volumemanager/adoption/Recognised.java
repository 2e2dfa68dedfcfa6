// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.control.Defects;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Reconstructing.Adopted;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin says of a mount that it has taken for one of its own.
 *
 * @param source the volume
 * @param id its identity
 * @param state what undoing will need
 */
record Recognised(VolumeSource source, VolumeId id, PluginState state) {
    /**
     * Asks a plugin; refused, with the reason for people, if it does not recognise the mount, or never does; deferred if it cannot tell
     * now, and then nothing is concluded from what it says.
     */
    static Outcome<Recognised> at(Path place, StoragePlugin plugin, Function<Path, OperationContext> contexts) {
        try {
            return plugin.capability(Reconstructing.class)
                    .map(asked -> of(asked.reconstruct(contexts.apply(place), place), plugin))
                    .orElseGet(() -> Outcome.refused(
                            Refusal.NOT_FOUND,
                            "no object of the cluster names it, and its plugin does not" + " recognise volumes"));
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            // One mount that a plugin cannot bear must not keep the node from its work.
            return Outcome.deferred(
                    "its plugin failed to recognise it: " + defect.getClass().getName());
        }
    }

    private static Outcome<Recognised> of(@Nullable Outcome<Adopted> answer, StoragePlugin plugin) {
        return answer == null
                ? Outcome.deferred("its plugin failed to recognise it: it answered null")
                : answer.then(adopted -> PluginRegistry.problems(plugin, adopted.source())
                                .isEmpty()
                        ? Outcome.done(
                                new Recognised(adopted.source(), plugin.identify(adopted.source()), adopted.state()))
                        : Outcome.deferred("its plugin answers with a source that is not valid: " + adopted.source()));
    }
}

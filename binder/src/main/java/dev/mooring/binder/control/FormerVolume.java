// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import java.util.List;

/**
 * A volume that was deleted and made again under its name while something was under way for the former. What became of that says nothing
 * of the new one: its storage was not emptied or destroyed, and its claim was not looked for.
 */
final class FormerVolume {
    private FormerVolume() {}

    /** The situation with what is about this very volume alone. */
    static Situation without(Situation situation, PersistentVolume volume) {
        List<EffectResult> own = situation.results().stream()
                .filter(result -> isAbout(result, volume))
                .toList();
        return own.size() == situation.results().size() ? situation : situation.withResults(own);
    }

    private static boolean isAbout(EffectResult result, PersistentVolume volume) {
        String uid = volume.metadata().uid();
        if (result.effect() instanceof Effect.Perform call) {
            return call.target()
                    .map(Target::name)
                    .filter(name -> !name.equals(uid))
                    .isEmpty();
        } else if (result.effect() instanceof Effect.Update<?> update) {
            return update.change().base().metadata().uid().equals(uid);
        } else if (result.effect() instanceof Effect.UpdateStatus<?> update) {
            return update.change().base().metadata().uid().equals(uid);
        } else if (result.effect() instanceof Effect.Read<?> read) {
            return isAbout(read, result, volume);
        }
        return true;
    }

    private static boolean isAbout(Effect.Read<?> read, EffectResult result, PersistentVolume volume) {
        if (read.kind() == Kinds.PERSISTENT_VOLUME) {
            return !(result instanceof EffectResult.Stored stored)
                    || stored.result()
                            .value()
                            .map(PersistentVolume.class::cast)
                            .filter(seen -> !seen.metadata()
                                    .uid()
                                    .equals(volume.metadata().uid()))
                            .isEmpty();
        }
        return read.kind() != Kinds.PERSISTENT_VOLUME_CLAIM
                || volume.spec()
                        .claimRef()
                        .map(ref -> ObjectKey.of(ref.namespace(), ref.name()))
                        .orElse(read.object())
                        .equals(read.object());
    }
}

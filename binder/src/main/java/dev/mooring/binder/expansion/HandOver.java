// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.expansion;

import dev.mooring.binder.bound.BoundPair;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/** Leaves an expansion to a resizer outside of this process, and tells so once (semantics/binder §3.5, X4, X5; §7, D13). */
final class HandOver {
    private static final String ASK_RESIZER = "ask-resizer";
    private static final String WAITING = "waiting for an external controller to expand this PVC";

    private HandOver() {}

    static Decision decide(BoundPair pair, PluginRegistry plugins, boolean allowed, ExpansionState state) {
        PersistentVolumeClaim claim = pair.claim();
        if (!isNeeded(pair)) {
            return Decision.nothing();
        }
        Optional<String> migrated = pair.volume().metadata().annotation(Annotations.MIGRATED_TO);
        if (migrated.isEmpty()) {
            boolean unknown = pair.volume().spec().source().isEmpty();
            return tell(claim, unknown, WAITING, state); // X5
        }
        if (!allowed) {
            String refused = ExpansionEvents.notAllowed(claim, pair.volume());
            Decision remember = Decision.remember(state.telling(refused));
            return refused.equals(state.told()) ? remember : remember.and(ExpansionEvents.failed(claim, refused));
        }
        String message = "CSI migration enabled for " + pluginOf(pair.volume(), plugins)
                + "; waiting for external resizer to expand the pvc";
        Decision told = tell(claim, false, message, state); // X4
        return claim.metadata()
                        .annotation(Annotations.STORAGE_RESIZER)
                        .filter(migrated.get()::equals)
                        .isPresent()
                ? told
                : told.and(new Effect.Update<>(
                        ASK_RESIZER,
                        Kinds.PERSISTENT_VOLUME_CLAIM,
                        new Change<>(
                                claim,
                                claim.withMetadata(claim.metadata()
                                        .withAnnotation(Annotations.STORAGE_RESIZER, migrated.get())))));
    }

    /** X3. A volume that only waits for its node needs no resizer. */
    private static boolean isNeeded(BoundPair pair) {
        Quantity request = pair.claim().spec().requestedStorage();
        return ResizeMarks.capacity(pair.claim())
                .filter(has -> has.compareTo(request) < 0)
                .isPresent();
    }

    private static String pluginOf(PersistentVolume volume, PluginRegistry plugins) {
        return volume.metadata()
                .annotation(Annotations.PROVISIONED_BY)
                .or(() -> volume.spec()
                        .source()
                        .flatMap(plugins::serving)
                        .map(plugin -> plugin.describe().name().value()))
                .or(() -> volume.spec().source().map(source -> source.type()))
                .orElse("");
    }

    private static Decision tell(PersistentVolumeClaim claim, boolean warning, String message, ExpansionState state) {
        Decision remember = Decision.remember(state.telling(message));
        return message.equals(state.told())
                ? remember
                : remember.and(ExpansionEvents.external(claim, warning, message));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.random;

import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * ceph-csi 4280, topolvm 1104: the volume object went, and only then was its storage to be destroyed. Who dies in between has forgotten
 * that there is any.
 */
final class ObjectFirst extends Mutant {
    private static final String FREED = "planted-free";

    private final Map<Key, Effect> calls = new HashMap<>();

    ObjectFirst() {
        super("binder", "the object goes before its storage");
    }

    @Override
    Decision decided(Key key, Decision decision, Situation situation) {
        if (situation.resultOf(FREED).isPresent() && calls.containsKey(key)) {
            return Decision.act(calls.remove(key));
        }
        Optional<Effect> call = decision.effects().stream()
                .filter(effect ->
                        effect instanceof Effect.Perform && effect.operation().equals("delete"))
                .findFirst();
        Optional<PersistentVolume> volume = situation.caches().get(Kinds.PERSISTENT_VOLUME, key.object());
        if (call.isEmpty() || volume.isEmpty()) {
            return decision;
        }
        if (!volume.get().metadata().isDeleting()) {
            return Decision.act(new Effect.Delete<>(
                    "planted-delete", Kinds.PERSISTENT_VOLUME, key.object(), DeleteOptions.DEFAULT));
        }
        calls.put(key, call.get());
        PersistentVolume free =
                volume.get().withMetadata(volume.get().metadata().withFinalizers(List.of()));
        return Decision.act(new Effect.Update<>(FREED, Kinds.PERSISTENT_VOLUME, new Change<>(volume.get(), free)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.store.ListOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lists of several kinds that together prove something. What they find, the caches show by the time they are looked at. */
final class LiveLists {
    private LiveLists() {}

    /**
     * What is still to be listed. If only some of the lists were answered, all are asked for again: they shall show one time.
     *
     * @param kinds the kinds
     * @param namespace where; empty for everywhere
     * @return empty if every list has been answered since the last decision
     */
    static Optional<List<Effect>> of(List<Kind<?>> kinds, String namespace, Situation situation) {
        Set<Kind<?>> answered = new HashSet<>();
        for (EffectResult result : situation.results()) {
            if (result.succeeded() && result.effect() instanceof Effect.ListLive<?> list) {
                answered.add(list.kind());
            }
        }
        if (answered.containsAll(kinds)) {
            return Optional.empty();
        }
        ListOptions options = namespace.isEmpty() ? ListOptions.ALL : ListOptions.inNamespace(namespace);
        List<Effect> lists = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            // Each has a name of its own, so that the back-off of one that fails is not ended by another.
            lists.add(new Effect.ListLive<>("list-" + kind.plural(), kind, options));
        }
        return Optional.of(lists);
    }
}

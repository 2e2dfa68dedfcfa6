// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ListOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Live searches of several kinds that together prove that something is nowhere. What they find, the caches learn. */
final class LiveLists {
    private LiveLists() {}

    /**
     * What is still to be looked through. If only some were, all are asked for again: they have to show one moment.
     *
     * @param kinds the kinds
     * @param namespace where; empty for everywhere
     * @param wanted what is looked for
     * @return empty if every search has been answered since the last decision
     */
    static Optional<List<Effect>> of(
            List<Kind<?>> kinds, String namespace, Predicate<KubernetesObject> wanted, Situation situation) {
        Set<Kind<?>> answered = new HashSet<>();
        for (EffectResult result : situation.results()) {
            if (result.succeeded() && result.effect() instanceof Effect.FindLive<?> search) {
                answered.add(search.kind());
            }
        }
        if (answered.containsAll(kinds)) {
            return Optional.empty();
        }
        ListOptions options = namespace.isEmpty() ? ListOptions.ALL : ListOptions.inNamespace(namespace);
        List<Effect> lists = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            // Each has a name of its own, so that another list does not end the back-off of a failed one.
            lists.add(new Effect.FindLive<>("list-" + kind.plural(), kind, options, wanted));
        }
        return Optional.of(lists);
    }

    /** Whether one of the searches that were answered has found something. */
    static boolean foundAny(Situation situation) {
        return situation.results().stream().anyMatch(result -> result.found().isPresent());
    }
}

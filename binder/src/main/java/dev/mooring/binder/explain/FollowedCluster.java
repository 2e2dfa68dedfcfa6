// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A cluster that is explained again and again while it changes. What has changed is indexed, and nothing else; it says what {@link
 * Explainer} says about a {@link Snapshot} of the same objects. For one thread at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FollowedCluster {
    private final Caches objects = new Caches(Kinds.standard().all(), change -> {});
    private final DryRun run;
    private List<KubernetesObject> shown = List.of();

    FollowedCluster(Explainer explainer) {
        objects.kinds().forEach(kind -> objects.of(kind).settle());
        this.run = explainer.dryRun(Snapshot.over(objects, Instant.EPOCH));
    }

    /**
     * Shows the cluster as it is now.
     *
     * @param all all its objects; the same list as the last time costs nothing, and the same objects cost a comparison each
     */
    @SuppressWarnings("ReferenceEquality") // what is in the lists is compared only if they are two
    public void show(List<KubernetesObject> all) {
        if (all != shown) {
            objects.kinds().forEach(kind -> show(kind, all));
            shown = all;
        }
    }

    private <T extends KubernetesObject> void show(Kind<T> kind, List<KubernetesObject> all) {
        List<T> ofKind = new ArrayList<>();
        for (KubernetesObject object : all) {
            if (kind.type().isInstance(object)) {
                ofKind.add(kind.type().cast(object));
            }
        }
        run.replace(kind, ofKind);
    }

    /**
     * Explains one object.
     *
     * @param kind a kind of {@link Explainer#kinds()}
     * @param key its key; the namespace is empty for a kind without namespaces
     * @param more objects for this question only: in place of those of their names, or beside the others
     * @param at the time to which durations are told
     * @return empty if there is no such object
     * @throws IllegalArgumentException if objects of this kind are not explained
     */
    public Optional<Explanation> explain(
            Kind<?> kind, ObjectKey key, Collection<? extends KubernetesObject> more, Instant at) {
        return run.given(more, () -> new ExplainedCluster(Snapshot.over(objects, at), run.at(at)).explain(kind, key));
    }
}

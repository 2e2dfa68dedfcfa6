// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Explains the state of claims, volumes, pods, nodes, attachments and storage classes (semantics/binder §6 point 1, D13, I6). The binder's
 * own deciders say which rule holds for a claim, and the predicates of matching say what excludes a volume, so that no explanation can
 * drift away from what happens.
 *
 * <p>An explanation looks at all volumes. Immutable; thread-safe, as long as one snapshot is used by one thread at a time.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Explainer {
    private final BinderOptions options;
    private final PluginRegistry plugins;

    /**
     * Makes an explainer.
     *
     * @param options those of the binder whose decisions are explained
     * @param plugins the plugins of the process whose decisions are explained
     */
    public Explainer(BinderOptions options, PluginRegistry plugins) {
        this.options = options;
        this.plugins = plugins;
    }

    /** Explains a claim; empty if the snapshot has no such claim. */
    public Optional<Explanation> claim(Snapshot snapshot, ObjectKey key) {
        return new ExplainedCluster(this, snapshot).claim(key);
    }

    /** Explains a volume; empty if the snapshot has no such volume. */
    public Optional<Explanation> volume(Snapshot snapshot, String name) {
        return new ExplainedCluster(this, snapshot).volume(name);
    }

    /**
     * Explains one object.
     *
     * @param kind a kind of {@link #kinds()}
     * @param key its key; the namespace is empty for a kind without namespaces
     * @return empty if the snapshot has no such object
     * @throws IllegalArgumentException if objects of this kind are not explained
     */
    public Optional<Explanation> explain(Snapshot snapshot, Kind<?> kind, ObjectKey key) {
        return new ExplainedCluster(this, snapshot).explain(kind, key);
    }

    /** The kinds whose objects are explained. */
    public static List<Kind<?>> kinds() {
        return ExplainedCluster.KINDS;
    }

    /**
     * Explains all that waits: claims, volumes, pods, attachments and nodes.
     *
     * @param namespace only claims and pods of this namespace, and no objects without a namespace; empty for all
     * @param most how many are explained at most
     * @return those that wait longest, the oldest first
     */
    public WaitingObjects waiting(Snapshot snapshot, String namespace, int most) {
        return WaitingObjects.of(new ExplainedCluster(this, snapshot), namespace, most);
    }

    /** A cluster that is explained again and again while it changes; empty at first. */
    public FollowedCluster following() {
        return new FollowedCluster(this);
    }

    DryRun dryRun(Snapshot snapshot) {
        return new DryRun(options, plugins, snapshot.caches(), snapshot.takenAt());
    }
}

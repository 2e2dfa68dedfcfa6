// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderRule;
import dev.mooring.binder.control.DryRun;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Explains the state of claims and volumes (semantics/binder §6 point 1, D13, I6). The binder's own deciders say which rule holds, and the
 * predicates of matching say what excludes a volume, so that no explanation can drift away from what happens.
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
        return snapshot.get(Kinds.PERSISTENT_VOLUME_CLAIM, key).map(claim -> {
            DryRun run = new DryRun(options, plugins, snapshot.caches(), snapshot.takenAt());
            DryRun.Ruling ruling = run.claim(claim);
            ExplanationFindings findings = new ExplanationFindings();
            new ClaimCauses(snapshot, run, claim, findings).explain(ruling);
            return explanation(
                    "PersistentVolumeClaim",
                    claim,
                    claim.status().phase().wireName(),
                    snapshot,
                    ruling.rule(),
                    findings);
        });
    }

    /** Explains a volume; empty if the snapshot has no such volume. */
    public Optional<Explanation> volume(Snapshot snapshot, String name) {
        return snapshot.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(name)).map(volume -> {
            ExplanationFindings findings = new ExplanationFindings();
            new VolumeCauses(
                            snapshot,
                            new DryRun(options, plugins, snapshot.caches(), snapshot.takenAt()),
                            volume,
                            findings)
                    .explain();
            return explanation(
                    "PersistentVolume",
                    volume,
                    volume.status().phase().wireName(),
                    snapshot,
                    Optional.empty(),
                    findings);
        });
    }

    private static Explanation explanation(
            String kind,
            KubernetesObject object,
            String phase,
            Snapshot snapshot,
            Optional<BinderRule> rule,
            ExplanationFindings findings) {
        return new Explanation(
                kind,
                ObjectKey.of(object),
                object.metadata().isDeleting() ? "Terminating, " + phase : phase,
                snapshot.takenAt(),
                rule,
                findings.causes,
                snapshot.all(Kinds.PERSISTENT_VOLUME).size(),
                findings.excluded,
                findings.nearest,
                findings.awaited,
                findings.remedies);
    }
}

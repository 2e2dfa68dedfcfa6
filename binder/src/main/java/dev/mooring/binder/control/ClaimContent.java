// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.plugin.ContentSources;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.store.Change;
import java.util.Optional;

/**
 * What the storage of a claim is filled with, and what keeps the source until that is done (semantics/csi §8.10).
 *
 * @param source the content; empty if the storage begins empty
 * @param claim the claim that is cloned; empty if there is none
 * @param affinity from where the source can be reached; empty for everywhere
 */
record ClaimContent(
        Optional<ContentSource> source, Optional<PersistentVolumeClaim> claim, Optional<VolumeNodeAffinity> affinity) {
    /**
     * The content of a claim's storage, or why it cannot have it. Once a plugin was asked the content stays what it was: the same call has
     * to be repeated, whatever has become of the source (external-provisioner #1449).
     */
    static Outcome<ClaimContent> of(
            PersistentVolumeClaim claim, StoragePlugin plugin, ClaimState state, Caches caches) {
        Outcome<Optional<ContentSource>> wanted = state.made()
                .map(made -> Outcome.done(made.request().content()))
                .orElseGet(() -> ContentSources.wanted(claim, plugin, ProvisioningIntent.isOpen(claim), caches));
        return wanted.map(source -> new ClaimContent(
                source,
                ContentSources.claimNamed(claim).flatMap(key -> BinderContext.claim(caches, key)),
                source.flatMap(found -> volumeOf(found, caches))
                        .flatMap(volume -> volume.spec().nodeAffinity())));
    }

    private static Optional<PersistentVolume> volumeOf(ContentSource source, Caches caches) {
        return source instanceof ContentSource.OfVolume volume
                ? BinderContext.volume(caches, volume.volume().name())
                : Optional.empty();
    }

    /** The write that keeps the source claim until its clones are made; empty if it is kept already, or can be no more. */
    Optional<Effect> protecting() {
        return claim.filter(kept -> source.isPresent()
                        && !kept.metadata().isDeleting()
                        && !kept.metadata().hasFinalizer(Finalizers.CLONING_PROTECTION))
                .map(kept -> {
                    ObjectMeta metadata = kept.metadata().withFinalizer(Finalizers.CLONING_PROTECTION);
                    return new Effect.Update<>(
                            BinderOperations.PROTECT_SOURCE,
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            new Change<>(kept, kept.withMetadata(metadata)));
                });
    }

    /** Whether the source can be reached from a node. */
    boolean isOn(Caches caches, NodeRef node) {
        return affinity.isEmpty() || affinity.get().matches(NodeChoice.labelsOf(caches, Optional.of(node)));
    }

    /** Why storage on a node cannot be filled. */
    String elsewhere(NodeRef node) {
        return "the storage of "
                + claim.map(kept -> "claim \"" + kept.metadata().name() + "\"").orElse("the source")
                + ", of which this claim is to be a copy, is not on node \"" + node.name()
                + "\", which was selected. Place the pod on the node of the source";
    }
}

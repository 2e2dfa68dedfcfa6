// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What the storage of a claim is filled with, as external-provisioner decides it (semantics/csi §8.10). The binder, which plans, and a
 * node's agent, which makes the storage, ask here, so that both see the same source. Pure; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContentSources {
    private static final String CLAIM = "PersistentVolumeClaim";
    private static final String SNAPSHOT = "VolumeSnapshot";

    private ContentSources() {}

    /**
     * What a claim says that its storage is filled from.
     *
     * @return the reference, of any kind; empty if the storage begins empty
     */
    public static Optional<TypedObjectReference> named(PersistentVolumeClaim claim) {
        return claim.spec().dataSourceRef().or(() -> claim.spec().dataSource());
    }

    /**
     * The claim that a claim is to be a clone of.
     *
     * @return its key, in the namespace of the claim; empty for any other source, and for one in another namespace
     */
    public static Optional<ObjectKey> claimNamed(PersistentVolumeClaim claim) {
        return named(claim)
                .filter(source -> source.apiGroup().isEmpty() && source.kind().equals(CLAIM))
                .filter(source -> isHere(source, claim))
                .map(source -> ObjectKey.of(claim.metadata().namespace(), source.name()));
    }

    /**
     * The snapshot that a claim is to be filled from.
     *
     * @return its key, in the namespace of the claim; empty for any other source, and for one in another namespace
     */
    public static Optional<ObjectKey> snapshotNamed(PersistentVolumeClaim claim) {
        return named(claim)
                .filter(source -> source.apiGroup().equals(Kinds.VOLUME_SNAPSHOT.group())
                        && source.kind().equals(SNAPSHOT))
                .filter(source -> isHere(source, claim))
                .map(source -> ObjectKey.of(claim.metadata().namespace(), source.name()));
    }

    private static boolean isHere(TypedObjectReference source, PersistentVolumeClaim claim) {
        return source.namespace().isEmpty()
                || source.namespace().equals(claim.metadata().namespace());
    }

    /**
     * The content of the storage that a plugin makes for a claim.
     *
     * @param claim the claim, never null; a source of a kind that an external populator serves is none of a plugin's
     * @param plugin the plugin that makes the storage, never null
     * @param begun whether the storage may have been asked for already: then a source still serves that is being deleted, since it stays
     *     until the storage is made, and one that has changed, since only the same call once more shows what became of the first
     * @param caches where claims and volumes, and snapshots with their contents, are looked up; must hold the first two kinds
     * @return the content, empty if the claim names none; or a refusal in external-provisioner's words: {@link Refusal#UNSUPPORTED} if the
     *     plugin takes no such source, {@link Refusal#NOT_FOUND} or {@link Refusal#IN_USE} while the source cannot serve, {@link
     *     Refusal#INVALID} if it does not fit the claim and {@code begun} is false; never null
     */
    public static Outcome<Optional<ContentSource>> wanted(
            PersistentVolumeClaim claim, StoragePlugin plugin, boolean begun, Caches caches) {
        Optional<TypedObjectReference> source = named(claim);
        if (source.isEmpty()) {
            return Outcome.done(Optional.empty());
        }
        if (!isHere(source.get(), claim)) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED,
                    "spec.dataSourceRef.namespace is \"" + source.get().namespace()
                            + "\": a claim is filled from a source in its own namespace only");
        }
        Optional<ObjectKey> cloned =
                claimNamed(claim).filter(key -> plugin.capability(Cloning.class).isPresent());
        Optional<ObjectKey> restored = snapshotNamed(claim)
                .filter(key -> plugin.capability(Snapshotting.class).isPresent());
        if (cloned.isPresent()) {
            return clone(claim, cloned.get(), plugin, begun, caches).map(Optional::of);
        }
        if (restored.isPresent() && !caches.holds(Kinds.VOLUME_SNAPSHOT)) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED, "VolumeSnapshots are not served here, and the claim is to be filled from one");
        }
        if (restored.isPresent()) {
            return SnapshotSources.of(claim, restored.get(), plugin, begun, caches)
                    .map(Optional::of);
        }
        return Outcome.refused(
                Refusal.UNSUPPORTED,
                "plugin " + plugin.describe().name()
                        + " is not a CSI plugin. Only CSI plugin can provision a claim with a datasource");
    }

    private static Outcome<ContentSource> clone(
            PersistentVolumeClaim claim, ObjectKey key, StoragePlugin plugin, boolean begun, Caches caches) {
        Optional<PersistentVolumeClaim> found = caches.get(Kinds.PERSISTENT_VOLUME_CLAIM, key);
        if (found.isEmpty()) {
            return refused(
                    key,
                    Refusal.NOT_FOUND,
                    "error getting PVC " + key.name() + " (namespace \"" + key.namespace()
                            + "\") from api server: persistentvolumeclaim \"" + key.name() + "\" not found");
        }
        PersistentVolumeClaim source = found.get();
        if (source.status().phase() != ClaimPhase.BOUND) {
            return refused(
                    key,
                    Refusal.NOT_FOUND,
                    "the PVC DataSource " + key.name() + " must have a status of Bound.  Got "
                            + source.status().phase().wireName());
        }
        if (source.metadata().isDeleting() && !begun) {
            return refused(key, Refusal.IN_USE, "the PVC DataSource " + key.name() + " is currently being deleted");
        }
        return misfit(claim, source)
                .filter(why -> !begun)
                .<Outcome<ContentSource>>map(why -> refused(key, Refusal.INVALID, why))
                .orElseGet(() -> volume(claim, source, plugin, begun, caches));
    }

    private static <T> Outcome<T> refused(ObjectKey source, Refusal refusal, String why) {
        return Outcome.refused(
                refusal,
                "error getting handle for DataSource Type " + CLAIM + " by Name " + source.name() + ": " + why);
    }

    private static Optional<String> misfit(PersistentVolumeClaim claim, PersistentVolumeClaim source) {
        if (StorageClasses.nameOf(source).isEmpty()) {
            return Optional.of("the source PVC (" + source.metadata().name() + ") storageclass cannot be empty");
        }
        Quantity wanted = claim.spec().requestedStorage();
        Quantity given = source.spec().requestedStorage();
        return wanted.compareTo(given) < 0
                ? Optional.of("error, new PVC request must be greater than or equal in size to the specified PVC data"
                        + " source, requested " + bytes(wanted) + " but source is " + bytes(given))
                : Optional.empty();
    }

    private static BigDecimal bytes(Quantity size) {
        return size.value().setScale(0, RoundingMode.CEILING);
    }

    private static Outcome<ContentSource> volume(
            PersistentVolumeClaim claim,
            PersistentVolumeClaim source,
            StoragePlugin plugin,
            boolean begun,
            Caches caches) {
        Optional<PersistentVolume> volume = caches.get(
                        Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(source.spec().volumeName()))
                .filter(found -> found.status().phase() == PersistentVolumePhase.BOUND)
                .filter(found -> found.spec()
                        .claimRef()
                        .filter(ref -> ref.uid().equals(source.metadata().uid()))
                        .isPresent());
        Optional<VolumeSpec> spec = volume.flatMap(VolumeSpec::of).filter(found -> serves(plugin, found.source()));
        if (spec.isEmpty()) {
            return refused(ObjectKey.of(source), Refusal.NOT_FOUND, "claim in dataSource not bound or invalid");
        }
        VolumeMode wanted = claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        return begun || spec.get().mode() == wanted
                ? Outcome.done(new ContentSource.OfVolume(spec.get()))
                : refused(
                        ObjectKey.of(source),
                        Refusal.INVALID,
                        "the source PVC and destination PVCs must have the same volume mode for cloning.  Source is "
                                + spec.get().mode().wireName() + ", but new PVC requested " + wanted.wireName());
    }

    private static boolean serves(StoragePlugin plugin, VolumeSource source) {
        return CsiSource.of(source)
                .map(csi -> csi.driver().equals(plugin.describe().name().value()))
                .orElseGet(() -> plugin.describe().sourceTypes().contains(source.type()));
    }
}

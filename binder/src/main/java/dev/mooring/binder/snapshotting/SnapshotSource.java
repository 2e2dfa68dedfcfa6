// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotClass;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a snapshot is made of, and how: its claim, that claim's volume, its class. Pure.
 *
 * @param snapshot the snapshot
 * @param plugins the plugins of this process
 * @param caches where the objects are looked up
 */
record SnapshotSource(VolumeSnapshot snapshot, PluginRegistry plugins, Caches caches) {
    /**
     * A volume of which a snapshot is made.
     *
     * @param claim whose it is
     * @param spec the volume
     * @param driver the plugin that serves it
     * @param handle its name in the back-end
     */
    record Volume(PersistentVolumeClaim claim, VolumeSpec spec, String driver, String handle) {}

    Outcome<Volume> volume() {
        String name = snapshot.spec().source().persistentVolumeClaimName().orElse("");
        Optional<PersistentVolumeClaim> claim = caches.get(
                Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(snapshot.metadata().namespace(), name));
        if (claim.isEmpty()) {
            return missing("failed to retrieve PVC " + name + " from the lister: persistentvolumeclaim \"" + name
                    + "\" not found");
        }
        if (claim.get().status().phase() != ClaimPhase.BOUND) {
            return missing("the PVC " + name + " is not yet bound to a PV, will not attempt to take a snapshot");
        }
        String volumeName = claim.get().spec().volumeName();
        return caches.get(Kinds.PERSISTENT_VOLUME, ObjectKey.cluster(volumeName))
                .filter(found -> isOf(found, claim.get()))
                .map(found -> volume(claim.get(), found))
                .orElseGet(() -> missing("failed to retrieve PV " + volumeName + " from the API server: it is not"
                        + " there, or is bound to another claim"));
    }

    private static boolean isOf(PersistentVolume volume, PersistentVolumeClaim claim) {
        return volume.spec()
                .claimRef()
                .filter(ref -> ref.uid().equals(claim.metadata().uid()))
                .isPresent();
    }

    private Outcome<Volume> volume(PersistentVolumeClaim claim, PersistentVolume volume) {
        Optional<VolumeSpec> spec = VolumeSpec.of(volume);
        Optional<StoragePlugin> plugin = spec.flatMap(found -> plugins.serving(found.source()))
                .filter(found -> found.capability(Snapshotting.class).isPresent());
        if (spec.isEmpty() || plugin.isEmpty()) {
            return missing("volume " + volume.metadata().name() + " is of no plugin here that makes snapshots");
        }
        String driver = plugin.get().describe().name().value();
        String handle = CsiSource.of(spec.get().source())
                .map(CsiSource::volumeHandle)
                .orElseGet(() -> plugin.get().identify(spec.get().source()).backend());
        return Outcome.done(new Volume(claim, spec.get(), driver, handle));
    }

    private static <T> Outcome<T> missing(String why) {
        return Outcome.refused(Refusal.NOT_FOUND, why);
    }

    /** The class that the snapshot names, or else the default one of the driver. */
    Outcome<VolumeSnapshotClass> snapshotClass(Volume volume) {
        Optional<String> named = snapshot.spec().volumeSnapshotClassName();
        if (named.isPresent()) {
            Optional<VolumeSnapshotClass> found =
                    caches.get(Kinds.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(named.get()));
            return found.isEmpty()
                    ? missing("volumesnapshotclass.snapshot.storage.k8s.io \"" + named.get() + "\" not found")
                    : found.get().driver().equals(volume.driver())
                            ? Outcome.done(found.get())
                            : Outcome.refused(
                                    Refusal.INVALID,
                                    "the class is for the driver " + found.get().driver() + ", and the volume is of "
                                            + volume.driver());
        }
        List<VolumeSnapshotClass> defaults = caches.of(Kinds.VOLUME_SNAPSHOT_CLASS).all().stream()
                .filter(each -> each.metadata()
                        .annotation(SnapshotMarks.DEFAULT_CLASS)
                        .filter("true"::equals)
                        .isPresent())
                .filter(each -> each.driver().equals(volume.driver()))
                .toList();
        return switch (defaults.size()) {
            case 0 -> missing("cannot find default snapshot class");
            case 1 -> Outcome.done(defaults.get(0));
            default -> Outcome.refused(Refusal.INVALID, defaults.size() + " default snapshot classes were found");
        };
    }

    /** The wish as the plugin is given it. */
    SnapshotRequest request(Map<String, String> parameters) {
        return new SnapshotRequest(
                "snapshot-" + snapshot.metadata().uid(),
                ObjectKey.of(snapshot),
                SnapshotMarks.contentName(snapshot),
                parameters);
    }

    /** Metadata of the content, with what the plugin will need to destroy the snapshot. */
    Outcome<ObjectMeta> contentMetadata(VolumeSnapshotClass made) {
        return plugins.named(made.driver())
                .flatMap(plugin -> plugin.capability(Snapshotting.class))
                .orElseThrow()
                .planSnapshot(request(made.parameters()))
                .map(annotations -> ObjectMeta.named(SnapshotMarks.contentName(snapshot))
                        .withAnnotations(annotations)
                        .withFinalizer(Finalizers.SNAPSHOT_CONTENT));
    }
}

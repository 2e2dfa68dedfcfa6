// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentStatus;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.StoragePlugin;
import java.math.RoundingMode;
import java.util.Optional;

/** The snapshot that a claim is filled from, if it can serve now, in external-provisioner's words (semantics/csi §8.10). Pure. */
final class SnapshotSources {
    private static final String MODE_MAY_CHANGE = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

    private SnapshotSources() {}

    static Outcome<ContentSource> of(
            PersistentVolumeClaim claim, ObjectKey key, StoragePlugin plugin, boolean begun, Caches caches) {
        String name = key.name();
        Optional<VolumeSnapshot> found = caches.get(Kinds.VOLUME_SNAPSHOT, key);
        if (found.isEmpty()) {
            return refused(
                    name,
                    Refusal.NOT_FOUND,
                    "error getting snapshot " + name + " from api server: volumesnapshots.snapshot.storage.k8s.io \""
                            + name + "\" not found");
        }
        VolumeSnapshot snapshot = found.get();
        if (snapshot.metadata().isDeleting() && !begun) {
            return refused(name, Refusal.IN_USE, "snapshot " + name + " is currently being deleted");
        }
        Optional<VolumeSnapshotContent> content = snapshot.status()
                .flatMap(VolumeSnapshotStatus::boundVolumeSnapshotContentName)
                .flatMap(bound -> caches.get(Kinds.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(bound)))
                .filter(bound -> isFor(bound.spec().volumeSnapshotRef(), snapshot))
                .filter(bound ->
                        bound.spec().driver().equals(plugin.describe().name().value()));
        if (content.isEmpty()) {
            return refused(name, Refusal.NOT_FOUND, "snapshot " + name + " not bound");
        }
        boolean ready =
                snapshot.status().flatMap(VolumeSnapshotStatus::readyToUse).orElse(false);
        if (!ready && !begun) {
            return refused(name, Refusal.NOT_FOUND, "snapshot " + name + " is not Ready");
        }
        Optional<String> handle = content.get().status().flatMap(VolumeSnapshotContentStatus::snapshotHandle);
        if (handle.isEmpty()) {
            return refused(name, Refusal.NOT_FOUND, "snapshot handle " + name + " is not available");
        }
        return misfit(claim, snapshot, content.get())
                .filter(why -> !begun)
                .<Outcome<ContentSource>>map(why -> refused(name, Refusal.INVALID, why))
                .orElseGet(() -> Outcome.done(new ContentSource.OfSnapshot(new SnapshotRef(
                        content.get().metadata().name(),
                        handle.get(),
                        content.get().metadata().annotations()))));
    }

    private static boolean isFor(ObjectReference reference, VolumeSnapshot snapshot) {
        return reference.uid().equals(snapshot.metadata().uid())
                && reference.namespace().equals(snapshot.metadata().namespace())
                && reference.name().equals(snapshot.metadata().name());
    }

    private static Optional<String> misfit(
            PersistentVolumeClaim claim, VolumeSnapshot snapshot, VolumeSnapshotContent content) {
        Quantity wanted = claim.spec().requestedStorage();
        Optional<Quantity> least = snapshot.status().flatMap(VolumeSnapshotStatus::restoreSize);
        if (least.filter(size -> wanted.compareTo(size) < 0).isPresent()) {
            return Optional.of("requested volume size " + bytes(wanted) + " is less than the size "
                    + bytes(least.get()) + " for the source snapshot "
                    + snapshot.metadata().name());
        }
        VolumeMode mode = claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM);
        boolean changed = content.spec()
                .sourceVolumeMode()
                .filter(source -> !source.equals(mode.wireName()))
                .isPresent();
        boolean allowed = content.metadata()
                .annotation(MODE_MAY_CHANGE)
                .filter("true"::equals)
                .isPresent();
        return changed && !allowed
                ? Optional.of("requested volume "
                        + ObjectKey.of(claim)
                        + " modifies the mode of the source volume but does not have permission to do so. "
                        + MODE_MAY_CHANGE + " annotation is not present on snapshotcontent "
                        + content.metadata().name())
                : Optional.empty();
    }

    private static String bytes(Quantity size) {
        return size.value().setScale(0, RoundingMode.CEILING).toPlainString();
    }

    private static <T> Outcome<T> refused(String source, Refusal refusal, String why) {
        return Outcome.refused(
                refusal, "error getting handle for DataSource Type VolumeSnapshot by Name " + source + ": " + why);
    }
}

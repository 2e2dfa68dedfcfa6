// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.snapshotting;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentStatus;
import dev.mooring.storage.model.VolumeSnapshotError;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import java.util.Optional;

/** Names and marks of external-snapshotter. */
final class SnapshotMarks {
    /** On a content: its snapshot is being deleted, so it may go. */
    static final String BEING_DELETED = "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

    /** On a content: the back-end was, or is about to be, asked for the snapshot, and has not surely refused every time. */
    static final String BEING_CREATED = "snapshot.storage.kubernetes.io/volumesnapshot-being-created";

    /** On a class: it is for snapshots of its driver's volumes that name none. */
    static final String DEFAULT_CLASS = "snapshot.storage.kubernetes.io/is-default-class";

    static final String YES = "yes";

    private SnapshotMarks() {}

    static String contentName(VolumeSnapshot snapshot) {
        return "snapcontent-" + snapshot.metadata().uid();
    }

    /** The content that stands for a snapshot, by its own word or by the name that it gets. */
    static ObjectKey contentOf(VolumeSnapshot snapshot) {
        return ObjectKey.cluster(snapshot.status()
                .flatMap(VolumeSnapshotStatus::boundVolumeSnapshotContentName)
                .or(() -> snapshot.spec().source().volumeSnapshotContentName())
                .orElseGet(() -> contentName(snapshot)));
    }

    static boolean isReady(VolumeSnapshot snapshot) {
        return snapshot.status().flatMap(VolumeSnapshotStatus::readyToUse).orElse(false);
    }

    static VolumeSnapshotContentStatus statusOf(VolumeSnapshotContent content) {
        return content.status().orElse(VolumeSnapshotContentStatus.EMPTY);
    }

    static boolean isFor(VolumeSnapshotContent content, VolumeSnapshot snapshot) {
        return content.spec()
                .volumeSnapshotRef()
                .uid()
                .equals(snapshot.metadata().uid());
    }

    static ObjectKey snapshotOf(VolumeSnapshotContent content) {
        return ObjectKey.of(
                content.spec().volumeSnapshotRef().namespace(),
                content.spec().volumeSnapshotRef().name());
    }

    /** Whether an error says something already, whenever that was. */
    static boolean says(Optional<VolumeSnapshotError> error, String message) {
        return error.flatMap(VolumeSnapshotError::message).equals(Optional.of(message));
    }
}

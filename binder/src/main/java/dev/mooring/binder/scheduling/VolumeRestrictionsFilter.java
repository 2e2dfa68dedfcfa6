// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Optional;

/** Volumes that two pods must not use at once (semantics/binder §3.8). A function of the view. */
final class VolumeRestrictionsFilter {
    static final String PLUGIN = "VolumeRestrictions";
    static final String DISK_CONFLICT = "node(s) had no available disk";
    static final String ONE_POD_CONFLICT = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod"
            + " access mode already in-use by another pod";

    private VolumeRestrictionsFilter() {}

    /** Why not; empty if no other pod is in the way. */
    static Optional<Rejection> check(Pod pod, String node, SchedulingView view) {
        ObjectKey key = ObjectKey.of(pod);
        boolean sameDisk = view.pods().on(node).stream()
                .filter(other -> !ObjectKey.of(other).equals(key))
                .anyMatch(other -> shareDisk(pod, other));
        if (sameDisk) {
            return Optional.of(Rejection.resolvable(PLUGIN, DISK_CONFLICT));
        }
        boolean onePod = pod.spec().volumes().stream()
                .flatMap(volume -> volume.persistentVolumeClaimName().stream())
                .map(name -> ObjectKey.of(pod.metadata().namespace(), name))
                .anyMatch(claim -> isForOnePod(claim, view) && view.pods().isUsedByOther(claim, key));
        return onePod ? Optional.of(Rejection.resolvable(PLUGIN, ONE_POD_CONFLICT)) : Optional.empty();
    }

    private static boolean isForOnePod(ObjectKey claim, SchedulingView view) {
        return view.claim(claim)
                .filter(found -> found.spec().accessModes().contains(AccessMode.READ_WRITE_ONCE_POD))
                .isPresent();
    }

    private static boolean shareDisk(Pod pod, Pod other) {
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.source().stream())
                .anyMatch(source -> other.spec().volumes().stream()
                        .map(PodVolume::source)
                        .flatMap(Optional::stream)
                        .anyMatch(theirs -> isSameDisk(source, theirs)));
    }

    private static boolean isSameDisk(VolumeSource ours, VolumeSource theirs) {
        if (!ours.type().equals(theirs.type())) {
            return false;
        }
        Document a = ours.attributes();
        Document b = theirs.attributes();
        boolean bothReadOnly = isReadOnly(a) && isReadOnly(b);
        return switch (ours.type()) {
            case "gcePersistentDisk" -> same(a, b, "pdName") && !bothReadOnly;
            case "awsElasticBlockStore" -> same(a, b, "volumeID");
            case "iscsi" -> same(a, b, "iqn") && !bothReadOnly;
            case "rbd" -> overlap(a, b, "monitors") && pool(a).equals(pool(b)) && same(a, b, "image") && !bothReadOnly;
            default -> false;
        };
    }

    private static boolean isReadOnly(Document source) {
        return source.at("readOnly").filter(Boolean.TRUE::equals).isPresent();
    }

    private static boolean same(Document a, Document b, String key) {
        return a.text(key).orElse("").equals(b.text(key).orElse(""));
    }

    private static String pool(Document source) {
        return source.text("pool").orElse("rbd");
    }

    private static boolean overlap(Document a, Document b, String key) {
        return list(a, key).stream().anyMatch(list(b, key)::contains);
    }

    private static List<?> list(Document source, String key) {
        return source.asMap().get(key) instanceof List<?> list ? list : List.of();
    }
}

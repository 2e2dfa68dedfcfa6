// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The disks that a pod names itself, of the four kinds that two pods of a node must not share (semantics/binder §3.8).
 *
 * <p>Two pods are compared in time linear in their volumes: a pod with tens of thousands of volumes holds up no other pod.
 */
final class UniqueDisks {
    /** Whether a volume of the pod may write to the disk. */
    private final Map<Disk, Boolean> written;

    private UniqueDisks(Map<Disk, Boolean> written) {
        this.written = written;
    }

    static UniqueDisks of(Pod pod) {
        Map<Disk, Boolean> written = new HashMap<>();
        sources(pod)
                .forEach(source ->
                        disks(source).forEach(disk -> written.merge(disk, mayWrite(source), Boolean::logicalOr)));
        return new UniqueDisks(written);
    }

    boolean isEmpty() {
        return written.isEmpty();
    }

    /** Whether the other pod names one of these disks, and one of the two may write to it. */
    boolean conflictWith(Pod other) {
        return sources(other)
                .anyMatch(source ->
                        disks(source).map(written::get).anyMatch(ours -> ours != null && (ours || mayWrite(source))));
    }

    private static Stream<VolumeSource> sources(Pod pod) {
        return pod.spec().volumes().stream().map(PodVolume::source).flatMap(Optional::stream);
    }

    /** A source of Ceph's names its disk once for each monitor: two are the same disk if they have one monitor in common. */
    private static Stream<Disk> disks(VolumeSource source) {
        Document named = source.attributes();
        return switch (source.type()) {
            case "gcePersistentDisk" -> Stream.of(new Disk(source.type(), List.of(text(named, "pdName"))));
            case "awsElasticBlockStore" -> Stream.of(new Disk(source.type(), List.of(text(named, "volumeID"))));
            case "iscsi" -> Stream.of(new Disk(source.type(), List.of(text(named, "iqn"))));
            case "rbd" ->
                monitors(named)
                        .map(monitor -> new Disk(
                                source.type(),
                                List.of(monitor, named.text("pool").orElse("rbd"), text(named, "image"))));
            default -> Stream.empty();
        };
    }

    /** A disk of AWS is for one pod, even if both only read. */
    private static boolean mayWrite(VolumeSource source) {
        return source.type().equals("awsElasticBlockStore")
                || source.attributes()
                        .at("readOnly")
                        .filter(Boolean.TRUE::equals)
                        .isEmpty();
    }

    private static String text(Document source, String key) {
        return source.text(key).orElse("");
    }

    private static Stream<?> monitors(Document source) {
        return source.asMap().get("monitors") instanceof List<?> list ? list.stream() : Stream.empty();
    }

    private record Disk(String kind, List<Object> names) {}
}

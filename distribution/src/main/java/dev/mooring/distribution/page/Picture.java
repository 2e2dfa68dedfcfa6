// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.model.VolumeSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The objects of one moment, taken on the decider's thread without more work than copying references.
 *
 * @param claims in no order
 * @param volumes in no order
 * @param attachments in no order
 */
record Picture(List<PersistentVolumeClaim> claims, List<PersistentVolume> volumes, List<VolumeAttachment> attachments) {
    /** More rows than that nobody reads; the page says how many there are. */
    static final int MOST_ROWS = 500;

    static Picture of(Caches caches) {
        return new Picture(
                all(caches, Kinds.PERSISTENT_VOLUME_CLAIM),
                all(caches, Kinds.PERSISTENT_VOLUME),
                all(caches, Kinds.VOLUME_ATTACHMENT));
    }

    private static <T extends KubernetesObject> List<T> all(Caches caches, Kind<T> kind) {
        return caches.holds(kind) ? List.copyOf(caches.of(kind).all()) : List.of();
    }

    /** The document that the page draws: what is not as it should be comes first. */
    Document document(Collection<RecordEntry> mounts) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("deciding", true);
        fields.put(
                "claims",
                table(
                        claims,
                        Comparator.comparing((PersistentVolumeClaim claim) ->
                                        claim.status().phase() == ClaimPhase.BOUND)
                                .thenComparing(claim -> claim.metadata().namespace())
                                .thenComparing(claim -> claim.metadata().name()),
                        Picture::row));
        fields.put(
                "volumes",
                table(volumes, Comparator.comparing(volume -> volume.metadata().name()), Picture::row));
        fields.put(
                "attachments",
                table(
                        attachments,
                        Comparator.comparing(
                                        (VolumeAttachment each) -> each.status().attached())
                                .thenComparing(each -> each.metadata().name()),
                        Picture::row));
        fields.put("mounts", table(mounts, Comparator.comparing(RecordEntry::key), Picture::row));
        return Document.of(fields);
    }

    /** While this process stands by. */
    static Document standingBy() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("deciding", false);
        for (String each : List.of("claims", "volumes", "attachments", "mounts")) {
            fields.put(each, table(List.<RecordEntry>of(), Comparator.comparing(RecordEntry::key), Picture::row));
        }
        return Document.of(fields);
    }

    private static <T> Map<String, Object> table(
            Collection<T> all, Comparator<T> order, Function<T, Map<String, Object>> row) {
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("count", (long) all.size());
        table.put("rows", all.stream().sorted(order).limit(MOST_ROWS).map(row).toList());
        return table;
    }

    private static Map<String, Object> row(PersistentVolumeClaim claim) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("key", claim.metadata().uid());
        row.put("namespace", claim.metadata().namespace());
        row.put("name", claim.metadata().name());
        row.put("phase", phase(claim, claim.status().phase().wireName()));
        row.put("volume", claim.spec().volumeName());
        row.put(
                "size",
                text(Optional.ofNullable(claim.status().capacity().get("storage"))
                        .or(() -> Optional.ofNullable(
                                claim.spec().resources().requests().get("storage")))));
        row.put("class", claim.spec().storageClassName().orElse(""));
        return row;
    }

    private static Map<String, Object> row(PersistentVolume volume) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("key", volume.metadata().uid());
        row.put("name", volume.metadata().name());
        row.put("phase", phase(volume, volume.status().phase().wireName()));
        row.put("size", text(Optional.ofNullable(volume.spec().capacity().get("storage"))));
        row.put(
                "claim",
                volume.spec()
                        .claimRef()
                        .map(claim -> claim.namespace() + "/" + claim.name())
                        .orElse(""));
        row.put("class", volume.spec().storageClassName().orElse(""));
        row.put("policy", volume.spec().persistentVolumeReclaimPolicy().wireName());
        row.put("source", volume.spec().source().map(VolumeSource::type).orElse(""));
        return row;
    }

    private static Map<String, Object> row(VolumeAttachment attachment) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("key", attachment.metadata().uid());
        row.put("name", attachment.metadata().name());
        row.put(
                "volume",
                attachment
                        .spec()
                        .source()
                        .persistentVolumeName()
                        .orElseGet(() -> attachment.metadata().name()));
        row.put("node", attachment.spec().nodeName());
        row.put("attacher", attachment.spec().attacher());
        String state = attachment.status().attached() ? "attached" : "not attached";
        row.put("state", attachment.metadata().deletionTimestamp().isPresent() ? "detaching" : state);
        row.put(
                "error",
                attachment
                        .status()
                        .detachError()
                        .or(attachment.status()::attachError)
                        .map(VolumeError::message)
                        .orElse(""));
        return row;
    }

    private static Map<String, Object> row(RecordEntry entry) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("key", entry.key());
        row.put("volume", entry.volume());
        row.put("plugin", entry.volumeId().plugin().value());
        row.put(
                "for",
                entry.match(
                        publish ->
                                publish.pod().namespace() + "/" + publish.pod().name(),
                        stage -> "this node"));
        row.put(
                "path",
                entry.match(
                        publish -> publish.target().toString(),
                        stage -> stage.stagingPath().map(Object::toString).orElse("")));
        row.put(
                "state",
                switch (entry.phase()) {
                    case INTENT -> "being mounted";
                    case DONE -> "mounted";
                    case UNDO -> "being unmounted";
                    case GONE -> "gone";
                });
        return row;
    }

    private static String phase(KubernetesObject object, String phase) {
        return object.metadata().deletionTimestamp().isPresent() ? "Terminating" : phase;
    }

    private static String text(Optional<Quantity> quantity) {
        return quantity.map(Quantity::toString).orElse("");
    }
}

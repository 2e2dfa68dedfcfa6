// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.HostPathSource;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeError;
import dev.mooring.storage.model.VolumeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a line shows, by column: a text, or a list of links to other objects. Pure. */
final class PageCells {
    /** More links in one cell would be a list of their own; how many there are stands beside them. */
    private static final int MOST_LINKS = 4;

    private static final String SIZE = "storage";

    private final PageRelations relations;

    PageCells(PageRelations relations) {
        this.relations = relations;
    }

    /** A line as the page gets it. */
    Map<String, Object> of(PageRow row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", row.kind().wireName());
        fields.put("key", row.id());
        fields.put("namespace", row.key().namespace());
        fields.put("name", row.key().name());
        fields.put("state", row.state());
        fields.put("attention", row.attention());
        fields.put("since", row.since().map(Object::toString).orElse(""));
        fields.put("created", row.created().map(Object::toString).orElse(""));
        fields.putAll(cells(row));
        return fields;
    }

    /** The cells of a line, without those that every line has. */
    Map<String, Object> cells(PageRow row) {
        Map<String, Object> cells = new LinkedHashMap<>();
        if (row.subject() instanceof PersistentVolumeClaim claim) {
            fill(cells, claim);
        } else if (row.subject() instanceof PersistentVolume volume) {
            fill(cells, volume);
        } else if (row.subject() instanceof VolumeAttachment attachment) {
            fill(cells, attachment);
        } else if (row.subject() instanceof Pod pod) {
            fill(cells, pod);
        } else if (row.subject() instanceof Node node) {
            fill(cells, node);
        } else if (row.subject() instanceof PageGroup group) {
            fill(cells, group);
        } else if (row.subject() instanceof RecordEntry entry) {
            fill(cells, entry);
        }
        return cells;
    }

    private void fill(Map<String, Object> cells, PersistentVolumeClaim claim) {
        cells.put("why", why(claim));
        cells.put("size", text(size(claim)));
        cells.put(
                "modes",
                modes(
                        claim.status().accessModes().isEmpty()
                                ? claim.spec().accessModes()
                                : claim.status().accessModes()));
        cells.put("class", claim.spec().storageClassName().orElse(""));
        String volume = claim.spec().volumeName();
        cells.put("volume", volume.isEmpty() ? List.of() : List.of(link(PageKind.VOLUMES, ObjectKey.cluster(volume))));
        cells.put("pods", podLinks(relations.podsOfClaim(ObjectKey.of(claim))));
        cells.put("node", nodeLinks(relations.nodesOf(claim)));
    }

    private void fill(Map<String, Object> cells, PersistentVolume volume) {
        cells.put("why", why(volume));
        cells.put("size", text(Optional.ofNullable(volume.spec().capacity().get(SIZE))));
        cells.put("modes", modes(volume.spec().accessModes()));
        cells.put("class", volume.spec().storageClassName().orElse(""));
        cells.put(
                "claim",
                volume.spec()
                        .claimRef()
                        .map(ref -> List.of(link(PageKind.CLAIMS, ObjectKey.of(ref.namespace(), ref.name()))))
                        .orElse(List.of()));
        cells.put("policy", volume.spec().persistentVolumeReclaimPolicy().wireName());
        cells.put("source", source(volume));
        cells.put("pods", podLinks(relations.podsOfVolume(volume)));
        cells.put("node", nodeLinks(relations.nodesOf(volume)));
    }

    private static void fill(Map<String, Object> cells, VolumeAttachment attachment) {
        cells.put("why", PageStates.error(attachment).map(VolumeError::message).orElse(""));
        cells.put(
                "volume",
                PageRelations.volumeOf(attachment)
                        .map(name -> List.of(link(PageKind.VOLUMES, ObjectKey.cluster(name))))
                        .orElse(List.of()));
        cells.put(
                "node",
                List.of(link(PageKind.NODES, ObjectKey.cluster(attachment.spec().nodeName()))));
        cells.put("attacher", attachment.spec().attacher());
    }

    private void fill(Map<String, Object> cells, Pod pod) {
        cells.put("why", why(pod));
        List<ObjectKey> claims = PageRelations.claimsOf(pod);
        cells.put("claims", links(PageKind.CLAIMS, claims));
        cells.put(
                "node",
                nodeLinks(
                        pod.spec().nodeName().isEmpty()
                                ? List.of()
                                : List.of(pod.spec().nodeName())));
    }

    private void fill(Map<String, Object> cells, Node node) {
        String name = node.metadata().name();
        cells.put("why", "");
        cells.put("pods", podLinks(relations.podsOfNode(name)));
        cells.put("attachments", Long.toString(relations.attachmentsOfNode(name).size()));
    }

    private static void fill(Map<String, Object> cells, PageGroup group) {
        cells.put("why", "");
        cells.put("claims", group.claims);
        cells.put("volumes", group.volumes);
        cells.put("count", counted(group.claims) + counted(group.volumes));
    }

    private static long counted(Map<String, Long> states) {
        return states.values().stream().mapToLong(Long::longValue).sum();
    }

    private void fill(Map<String, Object> cells, RecordEntry entry) {
        cells.put("why", "");
        cells.put(
                "volume",
                relations.volume(entry.volume()).isPresent()
                        ? List.of(link(PageKind.VOLUMES, ObjectKey.cluster(entry.volume())))
                        : List.of());
        cells.put("plugin", entry.volumeId().plugin().value());
        cells.put(
                "pods",
                entry.match(
                        publish -> List.of(link(
                                PageKind.PODS,
                                ObjectKey.of(
                                        publish.pod().namespace(), publish.pod().name()))),
                        stage -> List.of()));
        cells.put(
                "path",
                entry.match(
                        publish -> publish.target().toString(),
                        stage -> stage.stagingPath().map(Object::toString).orElse("")));
    }

    // ---- why, in a few words ----

    private String why(PersistentVolumeClaim claim) {
        List<Pod> pods = relations.podsOfClaim(ObjectKey.of(claim));
        if (claim.metadata().isDeleting()) {
            return pods.isEmpty() ? "" : "pods still use it";
        }
        if (claim.status().phase() == ClaimPhase.LOST) {
            return "its volume " + claim.spec().volumeName() + " is gone";
        }
        boolean waits = claim.status().phase() == ClaimPhase.PENDING
                && pods.isEmpty()
                && claim.spec()
                        .storageClassName()
                        .flatMap(relations::storageClass)
                        .flatMap(each -> each.volumeBindingMode())
                        .filter(mode -> mode == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                        .isPresent();
        return waits ? "waits for its first pod" : "";
    }

    private String why(PersistentVolume volume) {
        PersistentVolumePhase phase = volume.status().phase();
        if (!volume.status().message().isEmpty()) {
            return volume.status().message();
        }
        if (phase == PersistentVolumePhase.RELEASED) {
            return "its claim is gone; policy "
                    + volume.spec().persistentVolumeReclaimPolicy().wireName();
        }
        return volume.metadata().isDeleting() && relations.claimOf(volume).isPresent() ? "a claim still has it" : "";
    }

    private String why(Pod pod) {
        List<String> unbound = PageRelations.claimsOf(pod).stream()
                .filter(key -> relations
                        .claim(key)
                        .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                        .isEmpty())
                .map(ObjectKey::name)
                .limit(MOST_LINKS)
                .toList();
        return unbound.isEmpty() ? "" : "not bound: " + String.join(", ", unbound);
    }

    // ---- parts ----

    static Optional<Quantity> size(PersistentVolumeClaim claim) {
        return Optional.ofNullable(claim.status().capacity().get(SIZE))
                .or(() ->
                        Optional.ofNullable(claim.spec().resources().requests().get(SIZE)));
    }

    static String storageClass(PageRow row) {
        if (row.subject() instanceof PersistentVolumeClaim claim) {
            return claim.spec().storageClassName().orElse("");
        }
        return row.subject() instanceof PersistentVolume volume
                ? volume.spec().storageClassName().orElse("")
                : "";
    }

    /** What a size is compared by; empty for what has none. */
    static Optional<Quantity> size(PageRow row) {
        if (row.subject() instanceof PersistentVolumeClaim claim) {
            return size(claim);
        }
        return row.subject() instanceof PersistentVolume volume
                ? Optional.ofNullable(volume.spec().capacity().get(SIZE))
                : Optional.empty();
    }

    static Map<String, String> labels(PageRow row) {
        return row.subject() instanceof KubernetesObject object
                ? object.metadata().labels()
                : Map.of();
    }

    /** Type, server and path of a volume's storage. */
    static String source(PersistentVolume volume) {
        return volume.spec()
                .source()
                .map(source -> (source.type() + " " + place(source)).strip())
                .orElse("");
    }

    private static String place(VolumeSource source) {
        return NfsSource.of(source)
                .map(nfs -> nfs.server() + ":" + nfs.path())
                .or(() -> IscsiSource.of(source)
                        .map(iscsi -> iscsi.targetPortal() + " " + iscsi.iqn() + " lun " + iscsi.lun()))
                .or(() -> CsiSource.of(source).map(csi -> csi.driver() + " " + csi.volumeHandle()))
                .or(() -> LocalSource.of(source).map(LocalSource::path))
                .or(() -> HostPathSource.of(source).map(HostPathSource::path))
                .orElse("");
    }

    private static String modes(List<AccessMode> modes) {
        return modes.stream().map(PageCells::brief).collect(Collectors.joining(", "));
    }

    private static String brief(AccessMode mode) {
        return switch (mode) {
            case READ_WRITE_ONCE -> "RWO";
            case READ_ONLY_MANY -> "ROX";
            case READ_WRITE_MANY -> "RWX";
            case READ_WRITE_ONCE_POD -> "RWOP";
            default -> mode.wireName();
        };
    }

    private static String text(Optional<Quantity> quantity) {
        return quantity.map(Quantity::toString).orElse("");
    }

    private static List<Object> podLinks(List<Pod> pods) {
        return links(PageKind.PODS, pods.stream().map(ObjectKey::of).toList());
    }

    private static List<Object> nodeLinks(Collection<String> nodes) {
        return links(PageKind.NODES, nodes.stream().map(ObjectKey::cluster).toList());
    }

    /** The first of many, and how many more there are. */
    private static List<Object> links(PageKind kind, List<ObjectKey> keys) {
        List<Object> links = new ArrayList<>();
        keys.stream().limit(MOST_LINKS).forEach(key -> links.add(link(kind, key)));
        if (keys.size() > MOST_LINKS) {
            links.add("and " + (keys.size() - MOST_LINKS) + " more");
        }
        return links;
    }

    static Map<String, Object> link(PageKind kind, ObjectKey key) {
        return Map.of("kind", kind.wireName(), "namespace", key.namespace(), "name", key.name());
    }
}

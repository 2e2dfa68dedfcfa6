// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What belongs to one object: boxes in layers from pods to back-ends, and what ties them. Made for one answer. */
final class PageGraph {
    /** A layer with more boxes is too much to take in; the page tells how many are left out. */
    private static final int MOST = 12;

    /** The layers, from left to right. Storage stands where attachments do: both come after the volume. */
    private enum Layer {
        PODS("pods", 0),
        CLAIMS("claims", 1),
        VOLUMES("volumes", 2),
        ATTACHMENTS("attachments", 3),
        BACK_ENDS("backend", 3),
        NODES("nodes", 4);

        private final String kind;
        private final int place;

        Layer(String kind, int place) {
            this.kind = kind;
            this.place = place;
        }
    }

    private record Box(Layer layer, ObjectKey key) {
        String id() {
            return layer.kind + "/" + key;
        }
    }

    private record Tie(Box from, Box to, String words) {}

    private final PageRelations relations;
    private final PageStates states;
    private final Box self;
    private final Set<ObjectKey> pods = new LinkedHashSet<>();
    private final Set<ObjectKey> claims = new LinkedHashSet<>();
    private final Set<ObjectKey> volumes = new LinkedHashSet<>();
    private final Set<ObjectKey> attachments = new LinkedHashSet<>();
    private final Set<ObjectKey> nodes = new LinkedHashSet<>();
    private final Map<String, Long> left = new LinkedHashMap<>();
    private final Map<Box, Map<String, Object>> boxes = new LinkedHashMap<>();
    private final List<Tie> ties = new ArrayList<>();

    private PageGraph(PageMoment moment, PageRow row) {
        this.relations = moment.relations();
        this.states = new PageStates(moment.takenAt());
        this.self = new Box(layer(row.kind()), row.key());
    }

    /** The surroundings of an object of the kinds that have a place in the picture. */
    static Map<String, Object> around(PageMoment moment, PageRow row) {
        PageGraph graph = new PageGraph(moment, row);
        graph.collect(row);
        graph.draw();
        return graph.document();
    }

    private static Layer layer(PageKind kind) {
        return switch (kind) {
            case PODS -> Layer.PODS;
            case CLAIMS -> Layer.CLAIMS;
            case VOLUMES -> Layer.VOLUMES;
            case ATTACHMENTS -> Layer.ATTACHMENTS;
            case NODES -> Layer.NODES;
            case CLASSES, NAMESPACES, MOUNTS -> throw new IllegalArgumentException(kind + " has no picture");
        };
    }

    // ---- what is in it ----

    private void collect(PageRow row) {
        if (row.subject() instanceof Pod pod) {
            pods.add(row.key());
            claims.addAll(PageRelations.claimsOf(pod));
        } else if (row.subject() instanceof PersistentVolumeClaim) {
            claims.add(row.key());
        } else if (row.subject() instanceof PersistentVolume) {
            volumes.add(row.key());
        } else if (row.subject() instanceof VolumeAttachment attachment) {
            attachments.add(row.key());
            addVolumeOf(attachment);
        } else {
            ofNode(row.key().name());
        }
        claimsOfVolumes();
        if (row.kind() != PageKind.NODES && row.kind() != PageKind.PODS) {
            claims.forEach(claim -> addPods(relations.podsOfClaim(claim)));
        }
        claims.forEach(key -> relations
                .claim(key)
                .map(claim -> claim.spec().volumeName())
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> volumes.add(ObjectKey.cluster(name))));
        if (row.kind() != PageKind.NODES) {
            volumes.forEach(volume -> addAttachments(relations.attachmentsOfVolume(volume.name())));
            pods.forEach(pod ->
                    relations.pod(pod).ifPresent(each -> addNode(each.spec().nodeName())));
            attachments.forEach(attachment -> relations
                    .attachment(attachment.name())
                    .ifPresent(each -> addNode(each.spec().nodeName())));
        }
        limit(Layer.PODS, pods);
        limit(Layer.CLAIMS, claims);
        limit(Layer.VOLUMES, volumes);
        limit(Layer.ATTACHMENTS, attachments);
        limit(Layer.NODES, nodes);
    }

    private void ofNode(String node) {
        nodes.add(ObjectKey.cluster(node));
        addPods(relations.podsOfNode(node));
        pods.forEach(key -> relations.pod(key).ifPresent(pod -> claims.addAll(PageRelations.claimsOf(pod))));
        addAttachments(relations.attachmentsOfNode(node));
        relations.attachmentsOfNode(node).forEach(this::addVolumeOf);
    }

    private void claimsOfVolumes() {
        volumes.forEach(volume -> relations
                .volume(volume.name())
                .flatMap(each -> each.spec().claimRef())
                .ifPresent(claim -> claims.add(ObjectKey.of(claim.namespace(), claim.name()))));
    }

    private void addVolumeOf(VolumeAttachment attachment) {
        PageRelations.volumeOf(attachment).ifPresent(name -> volumes.add(ObjectKey.cluster(name)));
    }

    /** Objects that need attention come first: they stay if there are too many. */
    private void addPods(List<Pod> more) {
        more.stream()
                .map(states::of)
                .sorted(Comparator.comparing((PageRow row) -> !row.attention()).thenComparing(PageRow::key))
                .forEach(row -> pods.add(row.key()));
    }

    private void addAttachments(List<VolumeAttachment> more) {
        more.stream()
                .map(states::of)
                .sorted(Comparator.comparing((PageRow row) -> !row.attention()).thenComparing(PageRow::key))
                .forEach(row -> attachments.add(row.key()));
    }

    private void addNode(String name) {
        if (!name.isEmpty()) {
            nodes.add(ObjectKey.cluster(name));
        }
    }

    private void limit(Layer layer, Set<ObjectKey> keys) {
        if (keys.size() > MOST) {
            left.put(layer.kind, (long) keys.size() - MOST);
            List<ObjectKey> first = keys.stream().limit(MOST).toList();
            keys.retainAll(Set.copyOf(first));
        }
    }

    // ---- how it is drawn ----

    private void draw() {
        pods.forEach(key -> box(Layer.PODS, key, relations.pod(key).map(states::of)));
        claims.forEach(key -> box(Layer.CLAIMS, key, relations.claim(key).map(states::of)));
        volumes.forEach(
                key -> box(Layer.VOLUMES, key, relations.volume(key.name()).map(states::of)));
        attachments.forEach(key ->
                box(Layer.ATTACHMENTS, key, relations.attachment(key.name()).map(states::of)));
        volumes.forEach(key -> relations.volume(key.name()).ifPresent(this::backEnd));
        nodes.forEach(key -> box(Layer.NODES, key, relations.node(key.name()).map(states::of)));
        pods.forEach(key -> relations.pod(key).ifPresent(this::tiesOf));
        claims.forEach(key -> relations.claim(key).ifPresent(this::tiesOf));
        volumes.forEach(key -> relations.volume(key.name()).ifPresent(this::tiesOf));
        attachments.forEach(key -> relations.attachment(key.name()).ifPresent(this::tiesOf));
    }

    private void box(Layer layer, ObjectKey key, Optional<PageRow> row) {
        box(new Box(layer, key), row.map(PageRow::state).orElse("Missing"), row.isPresent());
    }

    private void box(Box box, String state, boolean there) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", box.id());
        fields.put("kind", box.layer().kind);
        fields.put("layer", (long) box.layer().place);
        fields.put("namespace", box.key().namespace());
        fields.put("name", box.key().name());
        fields.put("state", state);
        fields.put("there", there);
        fields.put("self", box.equals(self));
        boxes.put(box, fields);
    }

    private void backEnd(PersistentVolume volume) {
        String source = PageCells.source(volume);
        if (!source.isEmpty()) {
            Box box = new Box(Layer.BACK_ENDS, ObjectKey.cluster(source));
            box(box, "", false);
            tie(volumeBox(volume.metadata().name()), box, "is on");
        }
    }

    private void tiesOf(Pod pod) {
        Box box = new Box(Layer.PODS, ObjectKey.of(pod));
        String node = pod.spec().nodeName();
        boolean shownByAttachment = false;
        for (ObjectKey claim : PageRelations.claimsOf(pod)) {
            tie(box, new Box(Layer.CLAIMS, claim), "uses");
            shownByAttachment |= relations
                    .claim(claim)
                    .map(each -> relations.attachmentsOfVolume(each.spec().volumeName()))
                    .filter(all ->
                            all.stream().anyMatch(each -> each.spec().nodeName().equals(node)))
                    .isPresent();
        }
        if (!shownByAttachment && !node.isEmpty()) {
            tie(box, new Box(Layer.NODES, ObjectKey.cluster(node)), "is on");
        }
    }

    private void tiesOf(PersistentVolumeClaim claim) {
        String volume = claim.spec().volumeName();
        if (!volume.isEmpty()) {
            boolean mutual = relations
                    .volume(volume)
                    .flatMap(relations::claimOf)
                    .filter(each -> ObjectKey.of(each).equals(ObjectKey.of(claim)))
                    .isPresent();
            tie(new Box(Layer.CLAIMS, ObjectKey.of(claim)), volumeBox(volume), mutual ? "has" : "names");
        }
    }

    private void tiesOf(PersistentVolume volume) {
        String name = volume.metadata().name();
        volume.spec().claimRef().ifPresent(ref -> {
            ObjectKey key = ObjectKey.of(ref.namespace(), ref.name());
            boolean named = relations
                    .claim(key)
                    .filter(claim -> claim.spec().volumeName().equals(name))
                    .isPresent();
            if (!named) {
                tie(new Box(Layer.CLAIMS, key), volumeBox(name), "is named by");
            }
        });
    }

    private void tiesOf(VolumeAttachment attachment) {
        Box box = new Box(Layer.ATTACHMENTS, ObjectKey.of(attachment));
        PageRelations.volumeOf(attachment).ifPresent(volume -> tie(volumeBox(volume), box, "is attached by"));
        tie(box, new Box(Layer.NODES, ObjectKey.cluster(attachment.spec().nodeName())), "to");
    }

    private static Box volumeBox(String name) {
        return new Box(Layer.VOLUMES, ObjectKey.cluster(name));
    }

    private void tie(Box from, Box to, String words) {
        if (boxes.containsKey(from) && boxes.containsKey(to)) {
            ties.add(new Tie(from, to, words));
        }
    }

    private Map<String, Object> document() {
        Collection<Map<String, Object>> shown = boxes.values();
        List<Object> drawn = new ArrayList<>();
        ties.forEach(
                tie -> drawn.add(Map.of("from", tie.from().id(), "to", tie.to().id(), "words", tie.words())));
        return Map.of("boxes", List.copyOf(shown), "ties", drawn, "left", left);
    }
}

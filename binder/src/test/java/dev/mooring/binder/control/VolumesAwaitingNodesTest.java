// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.placement.NodeChoice;
import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.plugin.NodeIntent;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.store.Revision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which volumes hear of a node: all for which it makes a difference, and few others. */
@Tag("long")
class VolumesAwaitingNodesTest {
    private static final List<String> ZONES = List.of("a", "b", "c");

    private final Caches caches = new Caches(List.of(Kinds.NODE), change -> {});
    private final KnownNodes nodes = new KnownNodes();
    private final VolumesAwaitingNodes awaiting = new VolumesAwaitingNodes(nodes);
    private final Map<String, PersistentVolume> volumes = new TreeMap<>();

    private static PersistentVolume in(String name, Optional<String> zone) {
        PersistentVolume volume = BinderObjects.volume(name, "1Gi");
        return volume.withSpec(volume.spec()
                .withNodeAffinity(zone.map(value ->
                        new VolumeNodeAffinity(Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                                List.of(new NodeSelectorRequirement("zone", "In", List.of(value))), List.of()))))))));
    }

    private Set<String> put(String name, Optional<Node> node) {
        node.ifPresentOrElse(
                found -> caches.of(Kinds.NODE).put(found, Origin.WATCH),
                () -> caches.of(Kinds.NODE)
                        .remove(ObjectKey.cluster(name), "uid-of-" + name, new Revision(1_000_000), Origin.WATCH));
        return nodes.update(name, node).map(awaiting::concernedBy).orElse(Set.of());
    }

    private static Node node(String name, String zone, int version) {
        Node node = Node.of(name);
        return node.withMetadata(node.metadata()
                .withUid("uid-of-" + name)
                .withResourceVersion("" + version)
                .withLabels(Map.of("zone", zone)));
    }

    /** What a decision about the volume sees of the nodes. */
    private String seen(PersistentVolume volume) {
        return volume.metadata()
                        .annotation(NodeIntent.RECLAIM_ON)
                        .map(name -> "" + caches.get(Kinds.NODE, ObjectKey.cluster(name)))
                        .orElseGet(
                                () -> NodeChoice.holding(caches, volume) + " " + NodeChoice.isNowhere(caches, volume))
                + NodeChoice.hasNodes(caches);
    }

    @Test
    void whateverIsDecidedOtherwiseBecauseOfANodeHearsOfIt() {
        Random random = new Random(28);
        int version = 1;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(4) == 0) {
                String name = "pv-" + random.nextInt(12);
                if (random.nextBoolean()) {
                    awaiting.remove(name);
                    volumes.remove(name);
                } else {
                    Optional<String> zone =
                            random.nextInt(4) == 0 ? Optional.empty() : Optional.of(ZONES.get(random.nextInt(3)));
                    PersistentVolume volume = in(name, zone);
                    PersistentVolume asked = random.nextBoolean()
                            ? volume
                            : BinderObjects.annotated(volume, NodeIntent.RECLAIM_ON, "n" + random.nextInt(5));
                    awaiting.add(asked);
                    volumes.put(name, asked);
                }
            }
            Map<String, String> before = new HashMap<>();
            volumes.forEach((name, volume) -> before.put(name, seen(volume)));
            String name = "n" + random.nextInt(5);
            Optional<Node> node = random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(node(name, ZONES.get(random.nextInt(3)), version++));
            Set<String> heard = put(name, node.filter(found -> true));
            volumes.forEach((other, volume) -> {
                if (!withoutVersion(before.get(other)).equals(withoutVersion(seen(volume)))) {
                    assertThat(heard).contains(other);
                }
            });
            assertThat(volumes.keySet()).containsAll(heard);
        }
    }

    private static String withoutVersion(String seen) {
        return seen.replaceAll("resourceVersion=\\d+", "");
    }

    @Test
    void nodesOfOtherPlacesAndMoreOfManyConcernNoVolume() {
        put("n1", Optional.of(node("n1", "a", 1)));
        awaiting.add(in("pv-1", Optional.of("b")));
        awaiting.add(in("pv-2", Optional.empty()));
        assertThat(put("n2", Optional.of(node("n2", "a", 1)))).containsExactly("pv-2");
        for (int i = 3; i < 100; i++) {
            assertThat(put("n" + i, Optional.of(node("n" + i, "a", 1)))).isEmpty();
        }
        assertThat(put("n2", Optional.of(node("n2", "b", 2)))).containsExactly("pv-1");
    }
}

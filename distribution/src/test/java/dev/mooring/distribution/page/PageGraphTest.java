// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.NodeSpec;
import dev.mooring.storage.model.NodeStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodStatus;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeAttachment;
import dev.mooring.storage.model.VolumeAttachmentSource;
import dev.mooring.storage.model.VolumeAttachmentSpec;
import dev.mooring.storage.model.VolumeAttachmentStatus;
import dev.mooring.storage.model.VolumeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which boxes and ties the picture around an object has. */
class PageGraphTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final String ALL =
            "attachments/att backend/csi csi.example.com h claims/shop/cart nodes/n pods/shop/web volumes/v";

    private static ObjectMeta named(String namespace, String name) {
        return ObjectMeta.named(namespace, name).withUid("uid-" + name);
    }

    private static Pod pod(String name, String node, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(
                    "of-" + claim,
                    Optional.of(new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", claim))))));
        }
        return new Pod(named("shop", name), PodSpec.EMPTY.withNodeName(node).withVolumes(volumes), PodStatus.EMPTY);
    }

    private static PersistentVolumeClaim claim(String name, String volume) {
        return new PersistentVolumeClaim(
                named("shop", name),
                PersistentVolumeClaimSpec.EMPTY.withVolumeName(volume),
                PersistentVolumeClaimStatus.EMPTY.withPhase(ClaimPhase.BOUND));
    }

    private static PersistentVolume volume(String name, String claim) {
        return new PersistentVolume(
                named("", name),
                PersistentVolumeSpec.EMPTY
                        .withClaimRef(Optional.of(
                                ObjectReference.EMPTY.withNamespace("shop").withName(claim)))
                        .withSource(Optional.of(new CsiSource("csi.example.com", "h", "", false, Map.of()).toSource())),
                PersistentVolumeStatus.EMPTY.withPhase(PersistentVolumePhase.BOUND));
    }

    private static VolumeAttachment attachment(String name, String volume, String node) {
        return new VolumeAttachment(
                named("", name),
                VolumeAttachmentSpec.EMPTY
                        .withNodeName(node)
                        .withSource(VolumeAttachmentSource.EMPTY.withPersistentVolumeName(Optional.of(volume))),
                VolumeAttachmentStatus.EMPTY.withAttached(true));
    }

    private static PageMoment moment(
            List<PersistentVolumeClaim> claims,
            List<PersistentVolume> volumes,
            List<VolumeAttachment> attachments,
            List<Pod> pods) {
        List<Node> nodes = List.of(new Node(named("", "n"), NodeSpec.EMPTY, NodeStatus.EMPTY));
        return new PageMoment(
                "1", new PageObjects(claims, volumes, attachments, pods, nodes, List.of(), List.of()), List.of(), NOW);
    }

    private static PageMoment whole() {
        return moment(
                List.of(claim("cart", "v"), claim("other", "")),
                List.of(volume("v", "cart")),
                List.of(attachment("att", "v", "n")),
                List.of(pod("web", "n", "cart"), pod("alone", "n")));
    }

    private static Document around(PageMoment moment, PageKind kind, String namespace, String name) {
        return Document.of(PageGraph.around(
                moment, moment.row(kind, ObjectKey.of(namespace, name)).orElseThrow()));
    }

    private static List<?> list(Document graph, String key) {
        return (List<?>) graph.at(key).orElseThrow();
    }

    private static String ids(Document graph) {
        return list(graph, "boxes").stream()
                .map(box -> String.valueOf(((Map<?, ?>) box).get("id")))
                .sorted()
                .collect(Collectors.joining(" "));
    }

    private static String ties(Document graph) {
        return list(graph, "ties").stream()
                .map(tie -> (Map<?, ?>) tie)
                .map(tie -> tie.get("from") + " " + tie.get("words") + " " + tie.get("to"))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    @ParameterizedTest
    @CsvSource({"CLAIMS,shop,cart", "VOLUMES,'',v", "ATTACHMENTS,'',att", "PODS,shop,web", "NODES,'',n"})
    void eachOfThemHasTheWholePicture(PageKind kind, String namespace, String name) {
        Document graph = around(whole(), kind, namespace, name);
        assertThat(ids(graph)).isEqualTo(ALL);
        assertThat(ties(graph))
                .isEqualTo(
                        "attachments/att to nodes/n; claims/shop/cart has volumes/v; pods/shop/web uses claims/shop/cart;"
                                + " volumes/v is attached by attachments/att; volumes/v is on backend/csi csi.example.com h");
    }

    @Test
    void aPodIsTiedToItsNodeWhereNoAttachmentShowsIt() {
        PageMoment moment = moment(
                List.of(claim("cart", "v")), List.of(volume("v", "cart")), List.of(), List.of(pod("web", "n", "cart")));
        assertThat(ties(around(moment, PageKind.PODS, "shop", "web"))).contains("pods/shop/web is on nodes/n");
    }

    @Test
    void whatIsNamedAndDoesNotExistIsMissing() {
        PageMoment moment = moment(
                List.of(claim("cart", "gone")), List.of(), List.of(), List.of(pod("web", "left", "cart", "never")));
        Document graph = around(moment, PageKind.PODS, "shop", "web");
        assertThat(ids(graph)).isEqualTo("claims/shop/cart claims/shop/never nodes/left pods/shop/web volumes/gone");
        assertThat(list(graph, "boxes").stream()
                        .map(box -> (Map<?, ?>) box)
                        .filter(box -> "Missing".equals(box.get("state")))
                        .map(box -> String.valueOf(box.get("id"))))
                .containsExactlyInAnyOrder("claims/shop/never", "nodes/left", "volumes/gone");
    }

    @Test
    void aVolumeThatIsForAClaimWhichDoesNotNameItSaysSo() {
        PageMoment moment = moment(List.of(claim("cart", "")), List.of(volume("v", "cart")), List.of(), List.of());
        assertThat(ties(around(moment, PageKind.VOLUMES, "", "v"))).contains("claims/shop/cart is named by volumes/v");
    }

    @Test
    void moreThanCanBeSeenAreCounted() {
        List<Pod> pods = new ArrayList<>();
        for (int number = 0; number < 5_000; number++) {
            pods.add(pod("web-" + number, "n", "cart"));
        }
        PageMoment moment = moment(List.of(claim("cart", "v")), List.of(volume("v", "cart")), List.of(), pods);
        Document graph = around(moment, PageKind.CLAIMS, "shop", "cart");
        assertThat(list(graph, "boxes")).hasSize(16);
        assertThat(graph.at("left")).contains(Map.of("pods", 4_988L));
    }
}

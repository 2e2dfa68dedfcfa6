// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.Call;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plugin passes on to a back-end that remembers answers is another text for another effect on the same volume. */
class OccasionsTest {
    private static final PluginName PLUGIN = new PluginName("disks.example.com");
    private static final VolumeSource SOURCE = new VolumeSource("disk", Document.empty());

    private static VolumeSpec volume(Map<String, String> annotations) {
        return new VolumeSpec(
                "pv", "uid", SOURCE, List.of(), VolumeMode.FILESYSTEM, Quantity.ZERO, List.of(), annotations);
    }

    private static VolumeSpec leftBy(String claimUid) {
        return volume(Map.of(Annotations.RECLAIMING, claimUid));
    }

    private static String expand(String size) {
        return new ExpandCall(PLUGIN, volume(Map.of()), Quantity.parse(size)).occasion();
    }

    private static Map<String, String> ordered(String first, String second) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(first, "1");
        parameters.put(second, "1");
        return parameters;
    }

    private static String modify(Map<String, String> parameters) {
        return new ModifyCall(PLUGIN, volume(Map.of()), parameters).occasion();
    }

    private static String provision(String node) {
        return provision(node, Map.of());
    }

    private static String provision(String node, Map<String, String> attributes) {
        Optional<NodeRef> selected = node.isEmpty() ? Optional.empty() : Optional.of(new NodeRef(node, "uid"));
        ProvisionRequest request = new ProvisionRequest(
                "pvc-a",
                ObjectKey.of("ns", "a"),
                "a",
                Map.of(),
                Map.of(),
                Quantity.parse("1Gi"),
                List.of(),
                VolumeMode.FILESYSTEM,
                "fast",
                Map.of(),
                attributes,
                List.of(),
                ReclaimPolicy.DELETE,
                selected,
                Map.of());
        VolumeTemplate plan = new VolumeTemplate(SOURCE, Quantity.parse("1Gi"), List.of(), Optional.empty(), Map.of());
        return new ProvisionCall(PLUGIN, request, plan).occasion();
    }

    @Test
    void whatTwoClaimsHaveLeftIsEmptiedTwice() {
        Call first = new RecycleCall(PLUGIN, leftBy("a"));
        assertThat(first.occasion()).isEqualTo("a");
        assertThat(new RecycleCall(PLUGIN, leftBy("b")).occasion()).isEqualTo("b");
        assertThat(new DeleteCall(PLUGIN, leftBy("b")).occasion()).isEqualTo("b");
        assertThat(new DeleteCall(PLUGIN, volume(Map.of())).occasion()).isEmpty();
    }

    @Test
    void anotherSizeIsAnotherEffectAndAnotherNotationIsNot() {
        assertThat(expand("10Gi")).isEqualTo(expand("10240Mi")).isNotEqualTo(expand("20Gi"));
    }

    @Test
    void otherAttributesAreAnotherEffectAndAnotherOrderIsNot() {
        assertThat(modify(ordered("iops", "throughput")))
                .isEqualTo(modify(ordered("throughput", "iops")))
                .isNotEqualTo(modify(Map.of("iops", "1")));
    }

    @Test
    void storageOfOtherAttributesIsOtherStorage() {
        assertThat(provision("", ordered("iops", "throughput")))
                .isEqualTo(provision("", ordered("throughput", "iops")))
                .startsWith("a/")
                .isNotEqualTo(provision("", Map.of("iops", "1")));
    }

    @Test
    void onAnotherNodeItIsOtherStorage() {
        assertThat(List.of(provision(""), provision("n1"), provision("n2"))).containsExactly("a", "a/n1", "a/n2");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.NodeSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.NodeSelectorTerm;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeNodeAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever a volume stands by its affinity, a node finds it exactly if it reaches it, as long as it is there. */
class AffinityBucketsTest {
    private static final Map<String, String> NODE = Map.of("disk", "ssd", SchedulingObjects.ZONE, "a");

    private static NodeSelectorRequirement requirement(String key, String operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }

    private static NodeSelectorTerm term(NodeSelectorRequirement... expressions) {
        return new NodeSelectorTerm(List.of(expressions), List.of());
    }

    static Stream<Arguments> affinities() {
        NodeSelectorRequirement ssd = requirement("disk", "In", "ssd");
        NodeSelectorRequirement name = requirement("metadata.name", "In", "n1");
        return Stream.of(
                Arguments.of("one label, the node's value", List.of(term(ssd)), true),
                Arguments.of("one label, one of several", List.of(term(requirement("disk", "In", "hdd", "ssd"))), true),
                Arguments.of("one label, another value", List.of(term(requirement("disk", "In", "hdd"))), false),
                Arguments.of("one label, no value", List.of(term(requirement("disk", "In"))), false),
                Arguments.of("a label that the node lacks", List.of(term(requirement("rack", "In", "1"))), false),
                Arguments.of("not that value", List.of(term(requirement("disk", "NotIn", "ssd"))), false),
                Arguments.of("not another value", List.of(term(requirement("disk", "NotIn", "hdd"))), true),
                Arguments.of("two labels", List.of(term(ssd, requirement(SchedulingObjects.ZONE, "In", "a"))), true),
                Arguments.of(
                        "two labels, one wrong",
                        List.of(term(ssd, requirement(SchedulingObjects.ZONE, "In", "b"))),
                        false),
                Arguments.of("a second way", List.of(term(requirement("disk", "In", "hdd")), term(ssd)), true),
                Arguments.of(
                        "a field, which the rule does not look at",
                        List.of(new NodeSelectorTerm(List.of(ssd), List.of(name))),
                        false),
                Arguments.of("an empty term", List.of(term()), false),
                Arguments.of("no term", List.of(), false));
    }

    private static StaticVolume volume(String name, String size, List<NodeSelectorTerm> terms) {
        PersistentVolume volume = SchedulingObjects.volume(name, size);
        NodeSelector selector = new NodeSelector(terms);
        return StaticVolume.of(
                volume.withSpec(
                        volume.spec().withNodeAffinity(Optional.of(new VolumeNodeAffinity(Optional.of(selector))))),
                false);
    }

    private static Optional<String> first(AffinityBuckets buckets) {
        return buckets.first(Quantity.parse("1Gi"), NODE, volume -> true).map(StaticVolume::name);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("affinities")
    void isFoundIfReached(String what, List<NodeSelectorTerm> terms, boolean reached) {
        AffinityBuckets buckets = new AffinityBuckets();
        StaticVolume small = volume("small", "1Gi", terms);
        StaticVolume large = volume("large", "2Gi", terms);
        buckets.add(large);
        buckets.add(small);
        assertThat(first(buckets)).as(what).isEqualTo(reached ? Optional.of("small") : Optional.empty());
        buckets.remove(small);
        assertThat(first(buckets)).as(what).isEqualTo(reached ? Optional.of("large") : Optional.empty());
        buckets.remove(large);
        assertThat(first(buckets)).isEmpty();
        assertThat(buckets.isEmpty()).isTrue();
    }
}

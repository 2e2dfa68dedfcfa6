// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A host's plugins")
class PluginRegistryTest {
    private record Toy(PluginDescriptor describe) implements StoragePlugin {
        static Toy of(String name, String... types) {
            return new Toy(PluginDescriptor.of(new PluginName(name), List.of(types), Place.CONTROLLER));
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            throw new UnsupportedOperationException("a toy has no volumes");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }
    }

    @Test
    @DisplayName("have distinct names and source types; the message names both that have not")
    void duplicates() {
        assertThatThrownBy(() -> new PluginRegistry(List.of(Toy.of("x/one", "nfs"), Toy.of("x/one", "iscsi"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x/one");
        assertThatThrownBy(() -> new PluginRegistry(List.of(Toy.of("x/one", "nfs"), Toy.of("x/two", "nfs"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("nfs", "x/one", "x/two");
    }

    @Test
    @DisplayName("that fail at a source have found a problem, and identify nothing")
    void failing() {
        Toy toy = Toy.of("x/one", "nfs");
        VolumeSource source = new VolumeSource("nfs", Document.empty());
        assertThat(PluginRegistry.problems(toy, source))
                .singleElement()
                .hasToString("spec.nfs: plugin x/one failed to identify it: java.lang.UnsupportedOperationException");
        assertThat(new PluginRegistry(List.of(toy)).identify(source)).isEmpty();
    }

    @Test
    @DisplayName("are found by name, and a malformed name finds none")
    void byName() {
        Toy two = Toy.of("x/two", "nfs");
        PluginRegistry registry = new PluginRegistry(List.of(two, Toy.of("x/one", "iscsi")));
        assertThat(registry.named("x/two")).contains(two);
        assertThat(registry.named("no name at all")).isEmpty();
        assertThat(registry.all())
                .extracting(plugin -> plugin.describe().name().value())
                .containsExactly("x/one", "x/two");
    }

    @Test
    @DisplayName("leave results that are read as they were written")
    void nodeIntent() {
        for (Outcome<?> outcome : List.<Outcome<?>>of(
                Outcome.done(),
                Outcome.refused(Refusal.INVALID, "why not"),
                Outcome.uncertain("who knows"),
                Outcome.deferred("later"),
                new Outcome.InUseElsewhere<>(List.of(), "there"))) {
            assertThat(NodeIntent.parse(NodeIntent.format(outcome, "u"), "u"))
                    .hasValueSatisfying(read -> assertThat(read).isEqualTo(outcome));
        }
        assertThat(NodeIntent.parse(NodeIntent.format(Outcome.done(), "u"), "other"))
                .isEmpty();
        assertThat(NodeIntent.parse("nonsense", "u")).isEmpty();
        assertThat(NodeIntent.format(Outcome.uncertain("x\n".repeat(2_000)), "u"))
                .hasSizeLessThanOrEqualTo(NodeIntent.RESULT_LIMIT)
                .doesNotContain("\n");
    }
}

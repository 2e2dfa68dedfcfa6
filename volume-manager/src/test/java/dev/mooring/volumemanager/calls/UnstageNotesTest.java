// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.control.UncancelledTicket;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.MemoryRecordLog;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordEntryStageBuilder;
import dev.mooring.runtime.record.RecordPhase;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an unstage has to leave behind can be noted on the volume, for the node that comes next (semantics/plugins §3.6, §3.8). */
class UnstageNotesTest {
    private static final NodeRef NODE = new NodeRef("n1", "node-uid");
    private static final PluginName NAME = new PluginName("example.com/leaving");

    /** Notes that it could not clean up. */
    private static final class Leaving implements StoragePlugin, Staging {
        private Optional<Outcome<Nothing>> noted = Optional.empty();

        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of("leaving"), Place.NODE)
                    .withSupportsMountOptions(true)
                    .withManagesOwnership(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, "x");
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
            throw new UnsupportedOperationException("no test stages here");
        }

        @Override
        public Outcome<Nothing> unstage(
                OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
            noted = Optional.of(context.notes().write("mooring.dev/left", Optional.empty(), "key"));
            return Outcome.done();
        }
    }

    private final Leaving plugin = new Leaving();
    private final NodeCallHandler handler = new NodeCallHandler(
                    NODE,
                    Path.of("/nowhere"),
                    new PluginRegistry(List.of(plugin)),
                    new MemoryRecordLog(),
                    HostServices.none(),
                    Secrets.NONE)
            .withNotes(NotedOn::new);

    /** Tells on which volume. */
    private record NotedOn(VolumeSpec volume) implements VolumeNotes {
        @Override
        public Outcome<Optional<String>> find(String key) {
            return Outcome.done(Optional.empty());
        }

        @Override
        public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
            return Outcome.deferred("noted on " + volume.uid());
        }
    }

    private String noted(Optional<VolumeSpec> volume) {
        Stage record = RecordEntryStageBuilder.builder()
                .volume("pv1")
                .volumeId(new VolumeId(NAME, "x"))
                .mode(VolumeMode.FILESYSTEM)
                .stagingPath(Path.of("/nowhere/staging"))
                .accessModes(List.of())
                .state(PluginState.NONE)
                .phase(RecordPhase.UNDO)
                .bootId("boot-1")
                .build();
        handler.perform(
                new UnstageCall(NODE, record, volume),
                new UncancelledTicket(InstantSource.system(), Instant.MAX, 1, "test", notice -> {}));
        return plugin.noted.orElseThrow().message();
    }

    @Test
    void theyAreThoseOfTheObjectThatTheCallNames() {
        VolumeSpec volume = new VolumeSpec(
                "pv1",
                "pv1-uid",
                new VolumeSource("leaving", Document.empty()),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.ZERO,
                List.of(),
                Map.of());

        assertThat(noted(Optional.of(volume))).isEqualTo("noted on pv1-uid");
    }

    @Test
    void withoutAnObjectNothingCanBeNoted() {
        assertThat(noted(Optional.empty())).contains("no object");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.SnapshotPolicy;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSnapshot;
import dev.mooring.storage.model.VolumeSnapshotContent;
import dev.mooring.storage.model.VolumeSnapshotContentSource;
import dev.mooring.storage.model.VolumeSnapshotContentSpec;
import dev.mooring.storage.model.VolumeSnapshotContentStatus;
import dev.mooring.storage.model.VolumeSnapshotSource;
import dev.mooring.storage.model.VolumeSnapshotSpec;
import dev.mooring.storage.model.VolumeSnapshotStatus;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.SnapshotFacts;
import dev.mooring.storage.spi.SnapshotRef;
import dev.mooring.storage.spi.SnapshotRequest;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A source that does not fit serves no first call, and serves the call that is made once more (semantics/csi §8.10). */
class ContentSourcesTest {
    private static final PluginName NAME = new PluginName("disk.example.com");
    private static final ObjectReference SNAPSHOT = new ObjectReference("", "ns", "snap", "uid-snap", "", "", "");

    private final Caches caches = new Caches(
            List.of(
                    Kinds.PERSISTENT_VOLUME_CLAIM,
                    Kinds.PERSISTENT_VOLUME,
                    Kinds.VOLUME_SNAPSHOT,
                    Kinds.VOLUME_SNAPSHOT_CONTENT),
            change -> {});

    /** Fills volumes from both kinds of source; this test asks it for nothing. */
    private record Filler() implements StoragePlugin, Cloning, Snapshotting {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(NAME, List.of(), Place.CONTROLLER).withSupportsMountOptions(true);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return new VolumeId(NAME, source.attributes().toString());
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<VolumeTemplate> cloneVolume(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
            return Outcome.done(plan);
        }

        @Override
        public Outcome<Map<String, String>> planSnapshot(SnapshotRequest request) {
            return Outcome.done(Map.of());
        }

        @Override
        public Outcome<SnapshotFacts> createSnapshot(
                OperationContext context, SnapshotRequest request, VolumeSpec source) {
            return Outcome.deferred("not asked");
        }

        @Override
        public Outcome<Nothing> deleteSnapshot(OperationContext context, SnapshotRef snapshot) {
            return Outcome.done();
        }

        @Override
        public Outcome<Optional<SnapshotFacts>> findSnapshot(OperationContext context, SnapshotRef snapshot) {
            return Outcome.done(Optional.empty());
        }

        @Override
        public Outcome<VolumeTemplate> restore(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan, SnapshotRef snapshot) {
            return Outcome.done(plan);
        }
    }

    private static PersistentVolumeClaim claim(String name, String size, VolumeMode mode) {
        return PersistentVolumeClaim.of(
                "ns",
                name,
                PersistentVolumeClaimSpec.EMPTY
                        .withStorageClassName(Optional.of("gold"))
                        .withVolumeMode(Optional.of(mode))
                        .withRequestedStorage(Quantity.parse(size)));
    }

    private static PersistentVolumeClaim filledFrom(TypedObjectReference source, VolumeMode mode) {
        PersistentVolumeClaim claim = claim("copy", "1Gi", mode);
        return claim.withSpec(claim.spec().withDataSourceRef(Optional.of(source)));
    }

    private Outcome<Optional<ContentSource>> wanted(PersistentVolumeClaim claim, boolean begun) {
        return ContentSources.wanted(claim, new Filler(), begun, caches);
    }

    @ParameterizedTest
    @CsvSource({
        "1Gi, FILESYSTEM, ''",
        "2Gi, FILESYSTEM, must be greater than or equal in size",
        "1Gi, BLOCK, must have the same volume mode"
    })
    void aCloneOfASourceThatHasChanged(String size, VolumeMode mode, String problem) {
        PersistentVolumeClaim source = claim("data", size, VolumeMode.FILESYSTEM);
        caches.of(Kinds.PERSISTENT_VOLUME_CLAIM)
                .put(
                        source.withMetadata(source.metadata().withUid("uid-data"))
                                .withSpec(source.spec().withVolumeName("pv"))
                                .withStatus(source.status().withPhase(ClaimPhase.BOUND)),
                        Origin.WATCH);
        PersistentVolume volume = PersistentVolume.of(
                "pv",
                PersistentVolumeSpec.EMPTY
                        .withSource(Optional.of(new CsiSource(NAME.value(), "handle", "", false, Map.of()).toSource()))
                        .withClaimRef(Optional.of(new ObjectReference("", "ns", "data", "uid-data", "", "", ""))));
        caches.of(Kinds.PERSISTENT_VOLUME)
                .put(volume.withStatus(volume.status().withPhase(PersistentVolumePhase.BOUND)), Origin.WATCH);
        PersistentVolumeClaim copy =
                filledFrom(new TypedObjectReference("", "PersistentVolumeClaim", "data", ""), mode);

        check(copy, problem);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 1Gi, FILESYSTEM, ''",
        "false, 1Gi, FILESYSTEM, snapshot snap is not Ready",
        "true, 2Gi, FILESYSTEM, is less than the size 2147483648 for the source snapshot",
        "true, 1Gi, BLOCK, modifies the mode of the source volume"
    })
    void aClaimFromASnapshotThatHasChanged(boolean ready, String size, VolumeMode mode, String problem) {
        caches.of(Kinds.VOLUME_SNAPSHOT)
                .put(
                        new VolumeSnapshot(
                                ObjectMeta.named("ns", "snap").withUid(SNAPSHOT.uid()),
                                new VolumeSnapshotSpec(
                                        new VolumeSnapshotSource(Optional.of("data"), Optional.empty()),
                                        Optional.empty()),
                                Optional.of(new VolumeSnapshotStatus(
                                        Optional.of("content"),
                                        Optional.empty(),
                                        Optional.of(ready),
                                        Optional.of(Quantity.parse(size)),
                                        Optional.empty()))),
                        Origin.WATCH);
        caches.of(Kinds.VOLUME_SNAPSHOT_CONTENT)
                .put(
                        new VolumeSnapshotContent(
                                ObjectMeta.named("content"),
                                new VolumeSnapshotContentSpec(
                                        SNAPSHOT,
                                        SnapshotPolicy.DELETE,
                                        NAME.value(),
                                        Optional.empty(),
                                        new VolumeSnapshotContentSource(Optional.of("handle"), Optional.empty()),
                                        Optional.of("Filesystem")),
                                Optional.of(new VolumeSnapshotContentStatus(
                                        Optional.of("snapshot-handle"),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.of(ready),
                                        Optional.empty()))),
                        Origin.WATCH);
        PersistentVolumeClaim restored =
                filledFrom(new TypedObjectReference("snapshot.storage.k8s.io", "VolumeSnapshot", "snap", ""), mode);

        check(restored, problem);
    }

    private void check(PersistentVolumeClaim claim, String problem) {
        assertThat(wanted(claim, false).isDone()).isEqualTo(problem.isEmpty());
        assertThat(wanted(claim, false).message()).contains(problem);
        assertThat(wanted(claim, true).message()).isEmpty();
        assertThat(wanted(claim, true).result().flatMap(content -> content)).isPresent();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Place;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Claims that ask for more than they have, whose storage another process makes larger (semantics/binder §3.5, X4, X5). */
class ExternalExpansionTest {
    private static final PersistentVolume NFS = BinderObjects.volume("pv", "1Gi");
    private static final PersistentVolume MIGRATED =
            BinderObjects.annotated(NFS, Annotations.MIGRATED_TO, "nfs.csi.example.com");

    private static final PersistentVolumeClaim CLAIM = BinderObjects.ofClass(BinderObjects.boundTo("pv"), "gold");

    /** A claim and a volume that are bound for long, as they are when the process starts. */
    private static Cluster bound(PluginRegistry plugins, PersistentVolume volume, PersistentVolumeClaim claim) {
        PersistentVolume claimed = BinderObjects.claimedBy(volume, "data", BinderObjects.UID);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, plugins, 1)
                .load(
                        BinderObjects.storageClass("gold", "far.example.com", VolumeBindingMode.IMMEDIATE)
                                .withAllowVolumeExpansion(Optional.of(true)),
                        BinderObjects.inPhase(
                                claimed.withSpec(claimed.spec().withStorageClassName(Optional.of("gold"))),
                                PersistentVolumePhase.BOUND),
                        claim.withStatus(claim.status()
                                .withAccessModes(List.of(AccessMode.READ_WRITE_ONCE))
                                .withCapacity(Map.of("storage", Quantity.parse("1Gi")))))
                .settle();
        assertThat(cluster.writes).isEmpty();
        return cluster;
    }

    private static Cluster asking(PersistentVolume volume) {
        return ExpandedDiskPlugin.request(bound(PluginRegistry.EMPTY, volume, CLAIM), "3Gi")
                .settle();
    }

    private static Announcement told(Cluster cluster) {
        assertThat(cluster.reasons()).containsExactly("ExternalExpanding");
        return cluster.news.get(0);
    }

    @Test
    void x5ThatAResizerIsAwaitedIsToldOnce() {
        Cluster cluster = asking(NFS);
        assertThat(told(cluster).message()).isEqualTo("waiting for an external controller to expand this PVC");
        assertThat(told(cluster).warning()).isFalse();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.news).hasSize(1);
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void x5AVolumeThatDoesNotTellWhereItIsIsWarnedOf() {
        assertThat(told(asking(NFS.withSpec(NFS.spec().withSource(Optional.empty()))))
                        .warning())
                .isTrue();
    }

    private static String migratedFrom(Cluster cluster) {
        String message = told(cluster).message();
        assertThat(message)
                .startsWith("CSI migration enabled for ")
                .endsWith("; waiting for external resizer to expand the pvc");
        return message.substring("CSI migration enabled for ".length(), message.indexOf(';'));
    }

    @Test
    void x4TheResizerOfAMigratedVolumeIsAskedAndThePluginIsNamed() {
        Cluster cluster = asking(MIGRATED);
        assertThat(migratedFrom(cluster)).isEqualTo("nfs");
        assertThat(told(cluster).warning()).isFalse();
        assertThat(cluster.claim("data").metadata().annotation(Annotations.STORAGE_RESIZER))
                .contains("nfs.csi.example.com");

        PersistentVolume provisioned =
                BinderObjects.annotated(MIGRATED, Annotations.PROVISIONED_BY, "kubernetes.io/nfs");
        assertThat(migratedFrom(asking(provisioned))).isEqualTo("kubernetes.io/nfs");

        PluginRegistry toy = new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER)));
        Cluster served =
                ExpandedDiskPlugin.request(bound(toy, MIGRATED, CLAIM), "3Gi").settle();
        assertThat(migratedFrom(served)).isEqualTo(ToyPlugin.NAME);
    }

    @Test
    void x4AResizerThatHasBeenAskedIsNotAskedAgain() {
        PersistentVolumeClaim asked =
                BinderObjects.annotated(CLAIM, Annotations.STORAGE_RESIZER, "nfs.csi.example.com");
        Cluster cluster = ExpandedDiskPlugin.request(bound(PluginRegistry.EMPTY, MIGRATED, asked), "3Gi")
                .settle();
        assertThat(told(cluster).reason()).isEqualTo("ExternalExpanding");
        assertThat(cluster.writes).isEmpty();
    }

    @Test
    void x3NoResizerIsAskedForWhatTheClaimHas() {
        Cluster cluster = bound(PluginRegistry.EMPTY, MIGRATED, CLAIM);
        cluster.annotateVolume("pv", Annotations.PRE_RESIZE_CAPACITY, "1Gi").settle();
        assertThat(cluster.news).isEmpty();
        assertThat(cluster.writes).isEmpty();
    }
}

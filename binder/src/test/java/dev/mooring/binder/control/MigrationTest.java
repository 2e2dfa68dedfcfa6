// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.MigratedPlugins;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Place;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** In-tree plugins whose volumes CSI drivers have taken over (semantics/binder §1.2 SC0, §1.6 SV0, §1.9 R0, §1.10 PE). */
class MigrationTest {
    private static final String IN_TREE = "kubernetes.io/aws-ebs";
    private static final String DRIVER = "ebs.csi.aws.com";

    private static Cluster cluster(MigratedPlugins migrated) {
        return new Cluster(
                BinderOptions.DEFAULT.withMigrated(migrated),
                new PluginRegistry(List.of(new ToyPlugin(Place.CONTROLLER))),
                1);
    }

    @ParameterizedTest(name = "{0}, beta {1}, before {2} → {3}")
    @CsvSource(
            value = {
                "kubernetes.io/aws-ebs, -, -, ebs.csi.aws.com",
                "-, kubernetes.io/aws-ebs, -, ebs.csi.aws.com",
                "kubernetes.io/gce-pd, kubernetes.io/aws-ebs, -, pd.csi.storage.gke.io",
                "kubernetes.io/aws-ebs, -, ebs.csi.aws.com, ebs.csi.aws.com",
                "toy.example.com/nfs, -, toy.csi.example.com, -",
                "who.example.com/knows, -, some.csi.example.com, some.csi.example.com",
                "-, -, some.csi.example.com, some.csi.example.com"
            },
            nullValues = "-")
    void aClaimIsMarkedByItsProvisioner(String provisioner, String beta, String before, String after) { // SC0
        PersistentVolumeClaim claim = BinderObjects.data();
        claim = provisioner == null
                ? claim
                : BinderObjects.annotated(claim, Annotations.STORAGE_PROVISIONER, provisioner);
        claim = beta == null ? claim : BinderObjects.annotated(claim, Annotations.BETA_STORAGE_PROVISIONER, beta);
        claim = before == null ? claim : BinderObjects.annotated(claim, Annotations.MIGRATED_TO, before);
        Cluster cluster = cluster(MigratedPlugins.UPSTREAM);
        cluster.load(claim).settle();
        assertThat(cluster.claim("data").metadata().annotation(Annotations.MIGRATED_TO))
                .isEqualTo(Optional.ofNullable(after));
    }

    @Test
    void aMigratedClassIsProvisionedUnderTheNameOfTheDriver() { // PE
        Cluster cluster = cluster(MigratedPlugins.UPSTREAM);
        cluster.load(
                        BinderObjects.storageClass("gold", IN_TREE, VolumeBindingMode.IMMEDIATE),
                        BinderObjects.ofClass(BinderObjects.data(), "gold"))
                .settle();
        ObjectMeta metadata = cluster.claim("data").metadata();
        assertThat(metadata.annotation(Annotations.STORAGE_PROVISIONER)).contains(DRIVER);
        assertThat(metadata.annotation(Annotations.BETA_STORAGE_PROVISIONER)).contains(DRIVER);
        assertThat(metadata.annotation(Annotations.MIGRATED_TO)).contains(DRIVER);
        assertThat(cluster.news).hasSize(1);
        assertThat(cluster.news.get(0).message()).contains("external provisioner '" + DRIVER + "'");
        assertThat(cluster.writes).hasSize(1);
    }

    static Stream<Arguments> volumes() {
        String ours = Finalizers.PV_CONTROLLER;
        String theirs = Finalizers.EXTERNAL_PROVISIONER;
        String toy = ToyPlugin.NAME;
        ReclaimPolicy delete = ReclaimPolicy.DELETE;
        return Stream.of(
                Arguments.of("not provisioned", "", delete, List.of(theirs), List.of(theirs)),
                Arguments.of("migrated", IN_TREE, delete, List.of(ours, theirs), List.of(theirs)),
                Arguments.of("a CSI driver's", DRIVER, delete, List.of(theirs), List.of(theirs)),
                Arguments.of("in-tree, Delete", toy, delete, List.of(), List.of(ours)),
                Arguments.of("in-tree, rolled back", toy, delete, List.of(theirs), List.of(ours)),
                Arguments.of("in-tree, Retain", toy, ReclaimPolicy.RETAIN, List.of(ours), List.of()),
                Arguments.of("in-tree, not known here", "kubernetes.io/x", delete, List.of(), List.of(ours)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("volumes")
    void aVolumeHasTheFinalizerOfTheProgramThatDestroysIt(
            String what, String provisioner, ReclaimPolicy policy, List<String> before, List<String> after) { // SV0
        PersistentVolume volume = BinderObjects.volume("pv", "1Gi", policy);
        ObjectMeta metadata = volume.metadata();
        for (String finalizer : before) {
            metadata = metadata.withFinalizer(finalizer);
        }
        metadata = provisioner.isEmpty() ? metadata : metadata.withAnnotation(Annotations.PROVISIONED_BY, provisioner);
        Cluster cluster = cluster(MigratedPlugins.UPSTREAM);
        cluster.load(BinderObjects.inPhase(volume.withMetadata(metadata), PersistentVolumePhase.AVAILABLE))
                .settle();
        assertThat(cluster.volume("pv").metadata().finalizers())
                .filteredOn(finalizer -> !finalizer.equals(Finalizers.PV_PROTECTION))
                .isEqualTo(after);
        assertThat(cluster.volume("pv").metadata().annotation(Annotations.MIGRATED_TO))
                .isEqualTo(provisioner.equals(IN_TREE) ? Optional.of(DRIVER) : Optional.empty());
        int writes = cluster.writes.size();
        cluster.restart();
        cluster.settle();
        assertThat(cluster.writes).hasSize(writes); // I5
    }

    @Test
    void noPluginHereReclaimsAMigratedVolume() { // R0
        PersistentVolume volume = BinderObjects.annotated(
                BinderObjects.claimedBy(
                        BinderObjects.volume("pv", "1Gi", ReclaimPolicy.DELETE), "gone", BinderObjects.OTHER_UID),
                Annotations.PROVISIONED_BY,
                IN_TREE);
        Cluster cluster = cluster(MigratedPlugins.UPSTREAM);
        cluster.load(volume).settle();
        assertThat(cluster.volume("pv").status().phase()).isEqualTo(PersistentVolumePhase.RELEASED);
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void withoutMigrationNoPluginHasAnInTreeName() { // P1
        Cluster cluster = cluster(MigratedPlugins.NONE);
        cluster.load(
                        BinderObjects.storageClass("gold", IN_TREE, VolumeBindingMode.IMMEDIATE),
                        BinderObjects.ofClass(BinderObjects.data(), "gold"))
                .settle();
        assertThat(cluster.reasons()).containsExactly("ProvisioningFailed");
        assertThat(cluster.writes).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectReference;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of semantics/binder §1.10: who makes the storage, what is written, what is told. */
class ProvisioningRowsTest {
    private static final String VOLUME = "pvc-" + BinderObjects.UID;

    /** Neither mounts with options nor plans anything larger than it has room for. */
    private record PlainPlugin(ToyPlugin toy) implements StoragePlugin, Provisioning {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(ToyPlugin.NAME), List.of("nfs"), Place.CONTROLLER);
        }

        @Override
        public VolumeId identify(VolumeSource source) {
            return toy.identify(source);
        }

        @Override
        public List<FieldProblem> validate(VolumeSource source) {
            return List.of();
        }

        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            return request.parameters().containsKey("impossible")
                    ? Outcome.refused(Refusal.INVALID, "parameter impossible is not known")
                    : toy.plan(request);
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return Outcome.done(plan);
        }
    }

    private static Cluster cluster(StoragePlugin plugin, StorageClass storageClass, PersistentVolumeClaim claim) {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(plugin)), 1);
        cluster.backend = toy::answer;
        return cluster.load(storageClass, claim);
    }

    private static PersistentVolumeClaim wish() {
        return BinderObjects.ofClass(BinderObjects.data(), "gold");
    }

    private static StorageClass gold() {
        return StorageClass.of("gold", ToyPlugin.NAME);
    }

    @Test
    void peAnExternalProvisionerIsAskedByBothAnnotationsOnce() {
        Cluster cluster = new Cluster()
                .load(StorageClass.of("gold", "vendor.example.com/disk"), wish())
                .advance(Duration.ofHours(1));
        assertThat(cluster.writesInOrder()).isEqualTo("pvc data");
        assertThat(cluster.claim("data").metadata().annotations())
                .containsEntry(Annotations.STORAGE_PROVISIONER, "vendor.example.com/disk")
                .containsEntry(Annotations.BETA_STORAGE_PROVISIONER, "vendor.example.com/disk");
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("ExternalProvisioning");
            assertThat(news.warning()).isFalse();
            assertThat(news.message()).contains("'vendor.example.com/disk'");
        });
        assertThat(cluster.hasTimer()).isFalse();
    }

    @ParameterizedTest(name = "policy {0}")
    @EnumSource(
            value = ReclaimPolicy.class,
            names = {"DELETE", "RETAIN"})
    void piTheVolumeSaysWhoseItIsAndWhoMadeIt(ReclaimPolicy policy) {
        Cluster cluster = cluster(
                        new ToyPlugin(Place.CONTROLLER), gold().withReclaimPolicy(Optional.of(policy)), wish())
                .settle();
        BindingTest.assertBound(cluster, VOLUME, "data");
        PersistentVolume volume = cluster.volume(VOLUME);
        ObjectReference claimRef = volume.spec().claimRef().orElseThrow();
        assertThat(claimRef.kind()).isEqualTo("PersistentVolumeClaim");
        assertThat(claimRef.namespace() + "/" + claimRef.name() + "/" + claimRef.uid())
                .isEqualTo("default/data/" + BinderObjects.UID);
        assertThat(volume.spec().storageClassName()).contains("gold");
        assertThat(volume.spec().persistentVolumeReclaimPolicy()).isEqualTo(policy);
        assertThat(volume.metadata().annotations())
                .containsEntry(Annotations.BOUND_BY_CONTROLLER, "yes")
                .containsEntry(Annotations.PROVISIONED_BY, ToyPlugin.NAME);
        assertThat(volume.metadata().hasFinalizer(Finalizers.PV_CONTROLLER)).isEqualTo(policy == ReclaimPolicy.DELETE);
        assertThat(cluster.reasons()).containsExactly("ProvisioningSucceeded");
        assertThat(cluster.writesInOrder())
                .as("the intent, the volume, the claim, what both show")
                .startsWith("pvc data, pv " + VOLUME + ", pvc data, pv " + VOLUME + "/status, pvc data/status");
    }

    private void assertFailed(Cluster cluster, String why) {
        cluster.settle();
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("ProvisioningFailed");
            assertThat(news.warning()).isTrue();
            assertThat(news.message()).contains(why);
        });
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.news).as("told once").hasSize(1);
    }

    @ParameterizedTest(name = "as {0}")
    @ValueSource(strings = {"dataSource", "dataSourceRef"})
    void piADataSourceIsForCsiPlugins(String field) {
        PersistentVolumeClaim claim = wish();
        Optional<TypedObjectReference> source =
                Optional.of(new TypedObjectReference("snapshot.storage.k8s.io", "VolumeSnapshot", "monday", ""));
        assertFailed(
                cluster(
                        new ToyPlugin(Place.CONTROLLER),
                        gold(),
                        claim.withSpec(
                                field.equals("dataSource")
                                        ? claim.spec().withDataSource(source)
                                        : claim.spec().withDataSourceRef(source))),
                "is not a CSI plugin. Only CSI plugin can provision a claim with a datasource");
    }

    @ParameterizedTest(name = "{1} of group {0}")
    @CsvSource({
        "example.com, Image",
        "backup.example.com, VolumeSnapshot",
        "'', VolumeSnapshot",
        "example.com, PersistentVolumeClaim"
    })
    void x6ADataSourceOfAnotherKindIsLeftToAPopulator(String group, String kind) {
        PersistentVolumeClaim claim = wish();
        TypedObjectReference source = new TypedObjectReference(group, kind, "monday", "");
        Cluster cluster = cluster(
                new ToyPlugin(Place.CONTROLLER),
                gold(),
                claim.withSpec(claim.spec().withDataSourceRef(Optional.of(source))));
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.volumes()).isEmpty();
        assertThat(cluster.news).singleElement().satisfies(news -> {
            assertThat(news.reason()).isEqualTo("Provisioning");
            assertThat(news.warning()).isFalse();
            assertThat(news.message()).startsWith("Assuming an external populator will provision the volume");
        });
    }

    @Test
    void x6AClaimThatChoosesByLabelsGetsNoNewStorage() {
        PersistentVolumeClaim claim = wish();
        LabelSelector chosen = LabelSelector.EMPTY.withMatchLabels(Map.of("tier", "fast"));
        assertFailed(
                cluster(
                        new ToyPlugin(Place.CONTROLLER),
                        gold(),
                        claim.withSpec(claim.spec().withSelector(Optional.of(chosen)))),
                "Failed to provision volume with StorageClass \"gold\": claim Selector is not supported");
    }

    @Test
    void anEmptySelectorChoosesNothing() {
        PersistentVolumeClaim claim = wish();
        Cluster cluster = cluster(
                new ToyPlugin(Place.CONTROLLER),
                gold(),
                claim.withSpec(claim.spec().withSelector(Optional.of(LabelSelector.EMPTY))));
        cluster.settle();
        assertThat(cluster.volumes()).hasSize(1);
    }

    @Test
    void piMountOptionsThatThePluginDoesNotSupport() {
        assertFailed(
                cluster(
                        new PlainPlugin(new ToyPlugin(Place.CONTROLLER)),
                        gold().withMountOptions(List.of("noatime")),
                        wish()),
                "Mount options are not supported by the provisioner but StorageClass \"gold\" has mount options");
    }

    @Test
    void piAPlanThatThePluginRefuses() {
        assertFailed(
                cluster(
                        new PlainPlugin(new ToyPlugin(Place.CONTROLLER)),
                        gold().withParameters(java.util.Map.of("impossible", "yes")),
                        wish()),
                "Failed to provision volume with StorageClass \"gold\": parameter impossible is not known");
    }

    @ParameterizedTest(name = "the answer is {0}: the selected node stays {1}")
    @CsvSource({"refused, false", "uncertain, true"})
    void piAFailureGivesTheClaimBackToTheSchedulerIfSurelyNothingWasMade(String answer, boolean stays) {
        StorageClass late =
                BinderObjects.storageClass("gold", ToyPlugin.NAME, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
        Cluster cluster = cluster(
                new ToyPlugin(Place.CONTROLLER),
                late,
                BinderObjects.annotated(wish(), Annotations.SELECTED_NODE, "n1"));
        cluster.load(dev.mooring.storage.model.Node.of("n1"), BinderObjects.pod("web", "", "data"));
        cluster.backend = call ->
                answer.equals("refused") ? Outcome.refused(Refusal.EXHAUSTED, "full") : Outcome.uncertain("time-out");
        cluster.settle();
        assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                .isEqualTo(stays ? Optional.of("n1") : Optional.empty());
        assertThat(cluster.told("ProvisioningFailed")).isEqualTo(1);
    }
}

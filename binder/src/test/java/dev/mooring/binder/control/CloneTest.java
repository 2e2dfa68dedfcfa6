// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.TypedObjectReference;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A claim that is to hold what another claim holds (semantics/csi §8.10). */
class CloneTest {
    private static final String NAME = "disk.example.com";
    private static final Duration LONG = Duration.ofHours(1);
    private static final String HANDLE_FAILED =
            "Failed to provision volume with StorageClass \"gold\": error getting handle for DataSource Type"
                    + " PersistentVolumeClaim by Name data: ";

    /** Makes storage of CSI, and clones unless it cannot. */
    private record Maker(ToyPlugin toy, boolean clones) implements LikeToy, Provisioning, Cloning, Deleting {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(NAME), List.of(), Place.CONTROLLER)
                    .withSupportsMountOptions(true);
        }

        @Override
        public <C extends Capability> Optional<C> capability(Class<C> type) {
            return type == Cloning.class && !clones ? Optional.empty() : LikeToy.super.capability(type);
        }

        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            CsiSource source = new CsiSource(NAME, request.volumeName(), "", false, Map.of());
            return Outcome.done(new VolumeTemplate(
                    source.toSource(), request.requested(), request.accessModes(), Optional.empty(), Map.of()));
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return Outcome.done(plan);
        }

        @Override
        public Outcome<VolumeTemplate> cloneVolume(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan, VolumeSpec source) {
            return Outcome.done(plan);
        }

        @Override
        public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
            return Outcome.done();
        }
    }

    private static Cluster cluster(boolean clones) {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster = new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new Maker(toy, clones))), 1);
        cluster.backend = toy::answer;
        return cluster.load(BinderObjects.storageClass("gold", NAME, VolumeBindingMode.IMMEDIATE)
                .withAllowVolumeExpansion(Optional.of(true)));
    }

    /** A cluster in which the claim {@code data} is bound to a volume of 1Gi. */
    private static Cluster withSource() {
        Cluster cluster = cluster(true).load(source()).advance(LONG);
        assertThat(cluster.claim("data").status().phase()).isEqualTo(ClaimPhase.BOUND);
        cluster.calls.clear();
        cluster.news.clear();
        return cluster;
    }

    private static PersistentVolumeClaim source() {
        return BinderObjects.ofClass(BinderObjects.data(), "gold");
    }

    private static PersistentVolumeClaim clone(String size) {
        PersistentVolumeClaim claim = source();
        TypedObjectReference data = new TypedObjectReference("", "PersistentVolumeClaim", "data", "");
        return claim.withMetadata(BinderObjects.claim("copy", "1Gi").metadata())
                .withSpec(claim.spec()
                        .withDataSource(Optional.of(data))
                        .withDataSourceRef(Optional.of(data))
                        .withRequestedStorage(Quantity.parse(size)));
    }

    private static List<String> messages(Cluster cluster) {
        return cluster.news.stream().map(Announcement::message).toList();
    }

    private static List<String> contents(Cluster cluster) {
        return cluster.calls.stream()
                .filter(ProvisionCall.class::isInstance)
                .map(call -> ((ProvisionCall) call).request().content())
                .map(content -> content.map(source ->
                                ((ContentSource.OfVolume) source).volume().name())
                        .orElse("nothing"))
                .toList();
    }

    @Test
    void thePluginIsToldTheVolumeOfTheSource() {
        Cluster cluster = withSource().load(clone("2Gi")).advance(LONG);

        assertThat(contents(cluster))
                .containsExactly(cluster.claim("data").spec().volumeName());
        assertThat(cluster.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void theSourceIsKeptWhileItIsCopiedAndNotLonger() {
        Cluster cluster = withSource();
        cluster.backend = call -> Outcome.uncertain("no answer yet");
        cluster.load(clone("1Gi")).advance(Duration.ofSeconds(5));
        assertThat(cluster.claim("data").metadata().finalizers()).contains(Finalizers.CLONING_PROTECTION);

        cluster.deleteClaim("data");
        cluster.advance(LONG);
        assertThat(cluster.findClaim("data").isPresent()).as("the source stays").isTrue();

        cluster.backend = new ToyPlugin(Place.CONTROLLER)::answer;
        cluster.advance(LONG);
        assertThat(cluster.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
        assertThat(cluster.findClaim("data").isPresent()).as("the source goes").isFalse();
        assertThat(contents(cluster))
                .as("each call asks for the same")
                .containsOnly(contents(cluster).get(0));
    }

    /** A cluster in which the answer to a clone's call was lost, the binder started again, and the source grown since. */
    private static Cluster inDoubtWithGrownSource() {
        Cluster cluster = withSource();
        cluster.backend = call -> Outcome.uncertain("no answer yet");
        cluster.load(clone("1Gi")).advance(Duration.ofSeconds(5));
        assertThat(cluster.calls).isNotEmpty();
        cluster.restart();
        cluster.editClaim("data", claim -> claim.withSpec(claim.spec().withRequestedStorage(Quantity.parse("2Gi"))));
        cluster.calls.clear();
        cluster.news.clear();
        cluster.backend = new ToyPlugin(Place.CONTROLLER)::answer;
        return cluster;
    }

    @Test
    void aCallInDoubtIsRepeatedAfterARestartThoughTheSourceHasGrown() {
        Cluster cluster = inDoubtWithGrownSource().advance(LONG);
        assertThat(contents(cluster))
                .containsExactly(cluster.claim("data").spec().volumeName());
        assertThat(cluster.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void aCloneInDoubtThatIsDeletedAfterARestartLeavesNothingThoughTheSourceHasGrown() {
        Cluster cluster = inDoubtWithGrownSource();
        cluster.deleteClaim("copy");
        cluster.advance(LONG);
        assertThat(cluster.calls).extracting(Call::operation).contains("provision", "delete");
        assertThat(cluster.findClaim("copy")).isEmpty();
        assertThat(messages(cluster)).noneMatch(message -> message.contains("It is unknown"));
    }

    @Test
    void aCloneWaitsForItsSourceAndIsToldSo() {
        Cluster cluster = cluster(true).load(clone("1Gi")).advance(LONG);
        assertThat(messages(cluster))
                .containsExactly(HANDLE_FAILED
                        + "error getting PVC data (namespace \"default\") from api server: persistentvolumeclaim \"data\" not"
                        + " found");

        cluster.load(source()).advance(LONG);
        assertThat(cluster.claim("copy").status().phase()).isEqualTo(ClaimPhase.BOUND);
    }

    @Test
    void whatDoesNotFitTheSourceIsRefusedBeforeAnyCall() {
        Cluster small = withSource().load(clone("512Mi")).advance(LONG);
        assertThat(messages(small))
                .containsExactly(HANDLE_FAILED
                        + "error, new PVC request must be greater than or equal in size to the specified PVC data source,"
                        + " requested 536870912 but source is 1073741824");
        assertThat(small.calls).isEmpty();

        PersistentVolumeClaim block = clone("1Gi");
        Cluster other = withSource()
                .load(block.withSpec(block.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK))))
                .advance(LONG);
        assertThat(messages(other))
                .containsExactly(HANDLE_FAILED
                        + "the source PVC and destination PVCs must have the same volume mode for cloning.  Source is"
                        + " Filesystem, but new PVC requested Block");
        assertThat(other.calls).isEmpty();
        assertThat(other.claim("data").metadata().finalizers()).doesNotContain(Finalizers.CLONING_PROTECTION);
    }

    @Test
    void aSourceThatIsBeingDeletedServesNoNewClone() {
        Cluster cluster = withSource();
        cluster.editClaim("data", claim -> claim.withMetadata(claim.metadata().withFinalizer("example.com/hold")));
        cluster.deleteClaim("data");
        cluster.load(clone("1Gi")).advance(LONG);
        assertThat(messages(cluster))
                .containsExactly(HANDLE_FAILED + "the PVC DataSource data is currently being deleted");
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void aPluginThatDoesNotCloneIsNotAsked() {
        Cluster cluster = cluster(false).load(source()).advance(LONG);
        cluster.calls.clear();
        cluster.news.clear();
        cluster.load(clone("1Gi")).advance(LONG);
        assertThat(messages(cluster))
                .containsExactly("plugin disk.example.com is not a CSI plugin. Only CSI plugin can provision a claim"
                        + " with a datasource");
        assertThat(cluster.calls).isEmpty();
    }

    @Test
    void aSourceInAnotherNamespaceIsRefused() {
        PersistentVolumeClaim claim = clone("1Gi");
        TypedObjectReference far = new TypedObjectReference("", "PersistentVolumeClaim", "data", "far");
        Cluster cluster = withSource()
                .load(claim.withSpec(
                        claim.spec().withDataSource(Optional.empty()).withDataSourceRef(Optional.of(far))))
                .advance(LONG);
        assertThat(cluster.calls).isEmpty();
        assertThat(messages(cluster).get(0)).contains("dataSourceRef.namespace is \"far\"");
    }
}

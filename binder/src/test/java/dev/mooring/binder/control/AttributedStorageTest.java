// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.binder.explain.CauseCode;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** New storage for a claim that names a class of attributes (semantics/binder §1.10 X5). */
class AttributedStorageTest {
    private static final String VOLUME = "pvc-" + BinderObjects.UID;
    private static final String NAME = "disk.example.com";
    private static final Duration LONG = Duration.ofHours(1);

    /** Makes storage with attributes, of CSI unless it is plain. */
    private record Maker(ToyPlugin toy, boolean modifies, boolean plain)
            implements LikeToy, Provisioning, Deleting, Modifying {
        @Override
        public PluginDescriptor describe() {
            return PluginDescriptor.of(new PluginName(NAME), List.of(), Place.CONTROLLER)
                    .withSupportsMountOptions(true);
        }

        @Override
        public <C extends Capability> Optional<C> capability(Class<C> type) {
            return type == Modifying.class && !modifies ? Optional.empty() : LikeToy.super.capability(type);
        }

        @Override
        public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
            if (request.attributes().containsKey("impossible")) {
                return Outcome.refused(Refusal.INVALID, "attribute impossible is not known");
            }
            CsiSource source = new CsiSource(NAME, request.volumeName(), "", false, Map.of());
            return plain
                    ? toy.plan(request)
                    : Outcome.done(new VolumeTemplate(
                            source.toSource(), request.requested(), request.accessModes(), Optional.empty(), Map.of()));
        }

        @Override
        public Outcome<VolumeTemplate> provision(
                OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
            return Outcome.done(plan);
        }

        @Override
        public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
            return Outcome.done();
        }

        @Override
        public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
            return Outcome.done();
        }
    }

    private static Cluster cluster(boolean modifies, boolean plain, VolumeBindingMode mode) {
        ToyPlugin toy = new ToyPlugin(Place.CONTROLLER);
        Cluster cluster =
                new Cluster(BinderOptions.DEFAULT, new PluginRegistry(List.of(new Maker(toy, modifies, plain))), 1);
        cluster.backend = toy::answer;
        cluster.load(BinderObjects.storageClass("gold", NAME, mode));
        attributes(cluster, "fast", NAME, Map.of("iops", "3000"));
        attributes(cluster, "theirs", "far.example.com", Map.of("iops", "3000"));
        attributes(cluster, "wrong", NAME, Map.of("impossible", "yes"));
        return cluster;
    }

    private static Cluster cluster() {
        return cluster(true, false, VolumeBindingMode.IMMEDIATE);
    }

    private static void attributes(Cluster cluster, String name, String driver, Map<String, String> parameters) {
        VolumeAttributesClass made = new VolumeAttributesClass(ObjectMeta.named(name), driver, parameters);
        cluster.store.create(Kinds.VOLUME_ATTRIBUTES_CLASS, made).orThrow();
    }

    private static PersistentVolumeClaim wish(String attributesClass) {
        PersistentVolumeClaim claim = BinderObjects.ofClass(BinderObjects.data(), "gold");
        return claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of(attributesClass)));
    }

    private static List<Map<String, String>> asked(Cluster cluster) {
        return cluster.calls.stream()
                .map(call -> ((ProvisionCall) call).request().attributes())
                .toList();
    }

    /** Nothing of it was told to the plugin before, and volume and claim showed the class all the same. */
    @Test
    void theStorageIsMadeWithTheAttributesThatVolumeAndClaimShow() {
        Cluster cluster = cluster().load(wish("fast")).advance(LONG);
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(asked(cluster)).containsExactly(Map.of("iops", "3000"));
        assertThat(cluster.volume(VOLUME).spec().volumeAttributesClassName()).contains("fast");
        assertThat(cluster.claim("data").status().currentVolumeAttributesClassName())
                .contains("fast");
        assertThat(cluster.reasons()).containsExactly("ProvisioningSucceeded");
    }

    @ParameterizedTest
    @CsvSource({"true, ''", "false, ''", "false,"})
    void whoNamesNoClassGetsNoAttributes(boolean modifies, String named) {
        PersistentVolumeClaim claim = wish("");
        Cluster cluster = cluster(modifies, true, VolumeBindingMode.IMMEDIATE)
                .load(claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.ofNullable(named))))
                .settle();
        BindingTest.assertBound(cluster, VOLUME, "data");
        assertThat(asked(cluster)).containsExactly(Map.of());
    }

    // ---- what is refused ----

    @ParameterizedTest
    @CsvSource({
        "fast, false, false, 'plugin disk.example.com gives storage no attributes, and the claim names VAC fast'",
        "gone, true, false, VAC gone does not exist",
        "theirs, true, false, 'VAC theirs is for the driver far.example.com, not for disk.example.com'",
        "wrong, true, false, attribute impossible is not known",
        "fast, true, true, 'plugin disk.example.com is not a CSI plugin. Only volumes of CSI plugins have a"
                + " VolumeAttributesClass, and the claim names \"fast\"'"
    })
    void whatCannotBeGivenIsToldOnceAndTheClaimWaits(String named, boolean modifies, boolean plain, String why) {
        for (VolumeBindingMode mode : List.of(VolumeBindingMode.IMMEDIATE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)) {
            Cluster cluster = cluster(modifies, plain, mode)
                    .load(Node.of("n1"), BinderObjects.pod("web", "", "data"))
                    .load(BinderObjects.annotated(wish(named), Annotations.SELECTED_NODE, "n1"))
                    .advance(LONG);
            assertThat(cluster.calls).isEmpty();
            assertThat(cluster.volumes()).isEmpty();
            assertThat(cluster.news).singleElement().satisfies(news -> {
                assertThat(news.reason()).isEqualTo("ProvisioningFailed");
                assertThat(news.warning()).isTrue();
                assertThat(news.message()).isEqualTo("Failed to provision volume with StorageClass \"gold\": " + why);
            });
            assertThat(cluster.claim("data").metadata().annotation(Annotations.SELECTED_NODE))
                    .as("it is as wrong on every node")
                    .contains("n1");
            assertThat(cluster.hasTimer()).isFalse();
        }
    }

    /** What one process may have made it can make for certain only with the attributes that it was made with. */
    @ParameterizedTest
    @CsvSource({"gone, VAC gone does not exist", "theirs, VAC theirs is for the driver far.example.com"})
    void aClaimThatGoesIsNotSettledWithoutItsAttributes(String named, String why) {
        PersistentVolumeClaim claim = wish(named);
        Cluster cluster = cluster()
                .load(claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PROVISIONING)))
                .deleteClaim("data")
                .advance(LONG);
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.calls).isEmpty();
        assertThat(cluster.told("ProvisioningCleanupFailed")).isEqualTo(1);
        assertThat(cluster.news)
                .last()
                .satisfies(news -> assertThat(news.message()).contains(why));
    }

    @Test
    void aClaimThatGoesIsSettledWithItsAttributes() {
        PersistentVolumeClaim claim = wish("fast");
        Cluster cluster = cluster();
        cluster.backend =
                call -> call instanceof ProvisionCall provision ? Outcome.done(provision.plan()) : Outcome.done();
        cluster.load(claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PROVISIONING)))
                .deleteClaim("data")
                .advance(LONG);
        assertThat(cluster.findClaim("data")).isEmpty();
        assertThat(cluster.operations()).containsExactly("provision", "delete");
        assertThat(((ProvisionCall) cluster.calls.get(0)).request().attributes())
                .isEqualTo(Map.of("iops", "3000"));
    }

    // ---- what helps ----

    @Test
    void theClassThatComesIsWhatHelps() {
        Cluster cluster = cluster().load(wish("later")).advance(LONG);
        assertThat(cluster.calls).isEmpty();
        attributes(cluster, "later", NAME, Map.of("iops", "100"));
        BindingTest.assertBound(cluster.settle(), VOLUME, "data");
        assertThat(asked(cluster)).containsExactly(Map.of("iops", "100"));
    }

    // ---- what is explained ----

    @ParameterizedTest
    @CsvSource({
        "fast, true, plugin disk.example.com, a volume for the claim",
        "gone, true, administrator, VAC gone of driver disk.example.com",
        "theirs, true, administrator, VAC theirs of driver disk.example.com",
        "fast, false, user, 'a claim that names no VAC, as disk.example.com gives no attributes'",
        "gone, false, user, 'a claim that names no VAC, as disk.example.com gives no attributes'"
    })
    void whoHasToActIsExplained(String named, boolean modifies, String actor, String what) {
        Maker maker = new Maker(new ToyPlugin(Place.CONTROLLER), modifies, false);
        Snapshot snapshot = Snapshot.of(
                List.of(
                        wish(named),
                        BinderObjects.storageClass("gold", NAME, VolumeBindingMode.IMMEDIATE),
                        new VolumeAttributesClass(ObjectMeta.named("fast"), NAME, Map.of("iops", "3000")),
                        new VolumeAttributesClass(ObjectMeta.named("theirs"), "far.example.com", Map.of())),
                Instant.EPOCH);
        Explanation explanation = new Explainer(BinderOptions.DEFAULT, new PluginRegistry(List.of(maker)))
                .claim(snapshot, ObjectKey.of("default", "data"))
                .orElseThrow();
        assertThat(explanation.codes())
                .containsExactly(actor.startsWith("plugin") ? CauseCode.PROVISIONING : CauseCode.PROVISIONING_FAILED);
        assertThat(explanation.awaited()).singleElement().satisfies(awaited -> {
            assertThat(awaited.actor()).isEqualTo(actor);
            assertThat(awaited.what()).isEqualTo(what);
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static dev.mooring.junit.StorageCalls.storageClass;
import static dev.mooring.junit.Times.always;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.junit.Kubeconfig;
import dev.mooring.junit.MooringCluster;
import dev.mooring.junit.MooringWorld;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clients that a test world injects, with their defaults. */
@MooringCluster(
        nodes = 3,
        storageClasses = {"standard", "fast"})
@Tag("long")
class InjectedClientsTest {
    private static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("1Gi")))
                .endResources()
                .endSpec()
                .build();
    }

    private static Pod pod(String name, String claim) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("image")
                .addNewVolumeMount()
                .withName("data")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec()
                .build();
    }

    private static String phase(KubernetesClient client, String pod) {
        return client.pods().withName(pod).get().getStatus().getPhase();
    }

    @Test
    void fabric8SeesAClaimBoundAndItsPodRunning(KubernetesClient client, MooringWorld world) {
        client.resource(claim("data")).create();
        client.resource(pod("web", "data")).create();
        world.settle();
        assertThat(client.persistentVolumeClaims()
                        .withName("data")
                        .get()
                        .getStatus()
                        .getPhase())
                .isEqualTo("Bound");
        assertThat(phase(client, "web")).isEqualTo("Running");
        assertThat(client.getNamespace()).isEqualTo(world.namespace());
    }

    @Test
    void aPodWaitsForACallThatFailsAndRunsAfterTheBackOff(KubernetesClient client, MooringWorld world) {
        world.fail(storageClass("standard").publish(), always());
        client.resource(claim("data")).create();
        client.resource(pod("web", "data")).create();
        world.settle();
        assertThat(phase(client, "web")).isEqualTo("Pending");
        assertThat(world.explain("pod/web")).contains("FailedMount");
        world.endFaults();
        world.advance(Duration.ofMinutes(2));
        assertThat(phase(client, "web")).isEqualTo("Running");
    }

    @Test
    void aFaultOfOneClassDoesNotStrikeAnother(KubernetesClient client, MooringWorld world) {
        world.fail(storageClass("fast").provision(), always());
        client.resource(claim("data")).create();
        world.settle();
        assertThat(world.explain("pvc/data")).contains("is Bound");
        client.resource(claim("quick")
                        .edit()
                        .editSpec()
                        .withStorageClassName("fast")
                        .endSpec()
                        .build())
                .create();
        world.settle();
        assertThat(world.explain("pvc/quick")).contains("is Pending");
        world.endFaults();
    }

    @Test
    void theOfficialClientLists(ApiClient client, MooringWorld world, KubernetesClient fabric8) throws Exception {
        fabric8.resource(claim("data")).create();
        world.settle();
        CoreV1Api core = new CoreV1Api(client);
        assertThat(core.listNode().execute().getItems()).hasSize(3);
        assertThat(core.readNamespacedPersistentVolumeClaim("data", world.namespace())
                        .execute()
                        .getStatus()
                        .getPhase())
                .isEqualTo("Bound");
    }

    @Test
    void anOperatorReconciles(Operator operator, KubernetesClient client, MooringWorld world) {
        operator.register(new ClaimOfConfigMap(), options -> options.settingNamespace(world.namespace()));
        operator.start();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("wanted")
                        .endMetadata()
                        .withData(Map.of("size", "1Gi"))
                        .build())
                .create();
        world.eventually(() -> assertThat(world.explain("pvc/wanted")).contains("is Bound"));
    }

    /** Makes a claim for each ConfigMap, by server-side apply. */
    @ControllerConfiguration
    static final class ClaimOfConfigMap implements Reconciler<ConfigMap> {
        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap primary, Context<ConfigMap> context) {
            PersistentVolumeClaim wanted = claim(primary.getMetadata().getName());
            wanted.getMetadata().setNamespace(primary.getMetadata().getNamespace());
            wanted.addOwnerReference(primary);
            context.getClient().resource(wanted).forceConflicts().serverSideApply();
            return UpdateControl.noUpdate();
        }
    }

    @Test
    void aKubeconfigLeadsToTheTestsNamespace(@Kubeconfig String text, @Kubeconfig Path file, MooringWorld world)
            throws Exception {
        assertThat(text).contains(world.url(), "namespace: " + world.namespace());
        assertThat(Files.readString(file)).isEqualTo(text);
    }

    @Nested
    class InANestedClass {
        @Test
        void theClusterIsThatOfTheOuterClass(MooringWorld world, KubernetesClient client) {
            assertThat(client.nodes().list().getItems()).hasSize(3);
            assertThat(world.namespace()).startsWith("the-cluster-is-that-of-the-outer-class-");
        }
    }
}

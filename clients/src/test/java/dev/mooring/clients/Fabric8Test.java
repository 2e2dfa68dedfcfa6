// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.standalone.Standalone;
import dev.mooring.distribution.standalone.StandaloneOptions;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.storage.model.Kinds;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** fabric8's client with its defaults: it watches by WebSocket. */
class Fabric8Test {
    private static final String NAMESPACE = "default";

    @TempDir
    private Path directory = Path.of("");

    /** The ways in which the client speaks HTTP. */
    enum Http {
        JDK,
        VERTX;

        private HttpClient.Factory factory() {
            return this == JDK ? new JdkHttpClientFactory() : new VertxHttpClientFactory();
        }

        KubernetesClient client(String kubeconfig) {
            return new KubernetesClientBuilder()
                    .withHttpClientFactory(factory())
                    .withConfig(Config.fromKubeconfig(kubeconfig))
                    .build();
        }
    }

    static List<Arguments> ways() {
        return List.of(
                Arguments.of(Http.JDK, true),
                Arguments.of(Http.JDK, false),
                Arguments.of(Http.VERTX, true),
                Arguments.of(Http.VERTX, false));
    }

    private static MemoryClusterStore store() {
        return new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new SecureRandom())));
    }

    private ApiServer.Builder server(MemoryClusterStore store, boolean tls) {
        ApiServer.Builder described = ApiServer.builder(store).credentialsIn(directory.resolve("keys"));
        return tls ? described : described.plain();
    }

    private static ConfigMap configMap(String name, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withData(Map.of("text", text))
                .build();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void anInformerSeesWhatIsMadeChangedAndDeleted(Http http, boolean tls) throws Exception {
        try (MemoryClusterStore store = store();
                ApiServer server = server(store, tls).start();
                KubernetesClient client = http.client(server.kubeconfig())) {
            var configMaps = client.configMaps().inNamespace(NAMESPACE);
            configMaps.resource(configMap("before", "")).create();
            InformedWorld<ConfigMap> world = new InformedWorld<>();
            try (SharedIndexInformer<ConfigMap> informer = configMaps.inform(world, 1_000)) {
                world.await("added before");

                configMaps.resource(configMap("a", "1")).create();
                world.await("added a");
                configMaps.resource(configMap("a", "2".repeat(300_000))).update();
                world.await("updated a");
                assertThat(informer.getStore()
                                .getByKey(NAMESPACE + "/a")
                                .getData()
                                .get("text"))
                        .hasSize(300_000);
                world.await("resynced a");
                configMaps.withName("a").delete();
                world.await("deleted a");

                assertThat(informer.isWatching()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void aWatchGoesOnAfterARestartOfTheServer(Http http, boolean tls) throws Exception {
        try (MemoryClusterStore store = store()) {
            ApiServer server = server(store, tls).start();
            try (KubernetesClient client = http.client(server.kubeconfig())) {
                var configMaps = client.configMaps().inNamespace(NAMESPACE);
                InformedWorld<ConfigMap> world = new InformedWorld<>();
                try (Watch watch = configMaps.watch(new TellingWatcher<>(world))) {
                    assertThat(watch).isNotNull();
                    configMaps.resource(configMap("a", "1")).create();
                    world.await("ADDED a");
                    int port = server.port();
                    server.close();
                    server = server(store, tls).port(port).start();
                    configMaps.resource(configMap("b", "1")).create();
                    world.await("ADDED b");
                }
                world.await("closed");
            } finally {
                server.close();
            }
        }
    }

    /** What another store knows nothing of is gone, and the watch of an informer is told 410. */
    @ParameterizedTest
    @MethodSource("ways")
    void anInformerListsAnewWhenItsRevisionIsForgotten(Http http, boolean tls) throws Exception {
        try (MemoryClusterStore first = store();
                MemoryClusterStore second = store()) {
            ApiServer server = server(first, tls).start();
            try (KubernetesClient client = http.client(server.kubeconfig())) {
                var configMaps = client.configMaps().inNamespace(NAMESPACE);
                for (int i = 0; i < 20; i++) {
                    configMaps.resource(configMap("old-" + i, "")).create();
                }
                InformedWorld<ConfigMap> world = new InformedWorld<>();
                try (SharedIndexInformer<ConfigMap> informer = configMaps.inform(world)) {
                    world.await("added old-19");
                    int port = server.port();
                    server.close();
                    server = server(second, tls).port(port).start();
                    world.await("deleted old-19");
                    configMaps.resource(configMap("new", "")).create();
                    world.await("added new");
                    assertThat(informer.getStore().list())
                            .extracting(each -> each.getMetadata().getName())
                            .containsExactly("new");
                }
            } finally {
                server.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Http.class)
    void aWatchWithoutTheTokenIsRefusedAtOnce(Http http) throws Exception {
        try (MemoryClusterStore store = store();
                ApiServer server = server(store, true).start();
                KubernetesClient client = http.client(server.kubeconfig().replaceAll("token: .*", "token: another"))) {
            var configMaps = client.configMaps().inNamespace(NAMESPACE);
            assertThatThrownBy(() -> configMaps.watch(new TellingWatcher<>(new InformedWorld<ConfigMap>())))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(401));
        }
    }

    @ParameterizedTest
    @EnumSource(Http.class)
    void aWatchOfWhatThereIsNotIsRefusedAtOnce(Http http) throws Exception {
        try (MemoryClusterStore store = store();
                ApiServer server = server(store, true).start();
                KubernetesClient client = http.client(server.kubeconfig())) {
            ResourceDefinitionContext widgets = new ResourceDefinitionContext.Builder()
                    .withGroup("example.com")
                    .withVersion("v1")
                    .withKind("Widget")
                    .withPlural("widgets")
                    .withNamespaced(true)
                    .build();
            assertThatThrownBy(() -> client.genericKubernetesResources(widgets)
                            .inNamespace(NAMESPACE)
                            .watch(new TellingWatcher<>(new InformedWorld<>())))
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            refused -> assertThat(refused.getCode()).isEqualTo(404));
        }
    }

    @ParameterizedTest
    @EnumSource(Http.class)
    void anInformerSeesAClaimBecomeBoundInStandalone(Http http) throws Exception {
        Path data = directory.resolve("data");
        StandaloneOptions options = new StandaloneOptions(
                data,
                data.resolve("kubeconfig"),
                InetAddress.getLoopbackAddress(),
                0,
                "here",
                "0.1.0",
                KeptPlaces.in(directory.resolve("places").toAbsolutePath()));
        try (Standalone standalone = Standalone.start(options, List.of());
                KubernetesClient client = http.client(kubeconfig(data))) {
            assertThat(standalone).isNotNull();
            var claims = client.persistentVolumeClaims().inNamespace(NAMESPACE);
            InformedWorld<PersistentVolumeClaim> world = new InformedWorld<>();
            try (SharedIndexInformer<PersistentVolumeClaim> informer = claims.inform(world)) {
                claims.resource(claim()).create();
                world.await("added data");
                client.resource(new PersistentVolumeBuilder()
                                .withNewMetadata()
                                .withName("disk")
                                .endMetadata()
                                .withNewSpec()
                                .withCapacity(Map.of("storage", new Quantity("1Gi")))
                                .withAccessModes("ReadWriteOnce")
                                .withStorageClassName("manual")
                                .withNewHostPath()
                                .withPath("/tmp")
                                .endHostPath()
                                .endSpec()
                                .build())
                        .create();
                PersistentVolumeClaim bound = claims.withName("data")
                        .waitUntilCondition(
                                each -> each != null
                                        && each.getStatus() != null
                                        && "Bound".equals(each.getStatus().getPhase()),
                                60,
                                TimeUnit.SECONDS);
                assertThat(bound.getSpec().getVolumeName()).isEqualTo("disk");
                world.await("updated data");
                assertThat(informer.isWatching()).isTrue();
            }
        }
    }

    private static String kubeconfig(Path data) throws IOException {
        return Files.readString(data.resolve("kubeconfig"));
    }

    private static PersistentVolumeClaim claim() {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("data")
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName("manual")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("1Gi")))
                .endResources()
                .endSpec()
                .build();
    }

    private static final class TellingWatcher<T extends HasMetadata> implements Watcher<T> {
        private final InformedWorld<T> world;

        TellingWatcher(InformedWorld<T> world) {
            this.world = world;
        }

        @Override
        public void eventReceived(Action action, T object) {
            world.add(action.name(), object);
        }

        @Override
        public void onClose() {
            world.add("closed");
        }

        @Override
        public void onClose(WatcherException cause) {
            world.add("failed: " + cause.getMessage());
        }
    }
}

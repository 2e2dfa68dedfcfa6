// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.topic.KafkaTopicSpec;
import io.strimzi.api.kafka.model.topic.KafkaTopicStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definitions of operators (Strimzi and its access operator, Debezium, Flink, Camel K) and of volume snapshots, and objects of their kinds, by fabric8's client. */
@Tag("long")
class OperatorDefinitionsTest {
    private static final String STRIMZI = "io.strimzi.api.kafka.model.";
    private static final List<String> STRIMZI_KINDS = List.of(
            "kafka.Kafka",
            "nodepool.KafkaNodePool",
            "topic.KafkaTopic",
            "user.KafkaUser",
            "connect.KafkaConnect",
            "connector.KafkaConnector",
            "bridge.KafkaBridge",
            "mirrormaker2.KafkaMirrorMaker2",
            "rebalance.KafkaRebalance");
    private static final List<String> PUBLISHED = List.of(
            "META-INF/fabric8/kafkaaccesses.access.strimzi.io-v1.yml",
            "META-INF/fabric8/debeziumservers.debezium.io-v1.yml",
            "META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml",
            "META-INF/fabric8/flinksessionjobs.flink.apache.org-v1.yml",
            "META-INF/fabric8/flinkstatesnapshots.flink.apache.org-v1.yml",
            "camel.apache.org_builds.yaml",
            "camel.apache.org_camelcatalogs.yaml",
            "camel.apache.org_integrationkits.yaml",
            "camel.apache.org_integrationplatforms.yaml",
            "camel.apache.org_integrations.yaml",
            "camel.apache.org_kameletbindings.yaml",
            "camel.apache.org_kamelets.yaml",
            "camel.apache.org_pipes.yaml");
    private static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));

    @TempDir
    private Path directory = Path.of("");

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new SecureRandom())));
    private ApiServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        server = ApiServer.builder(store).plain().start();
        client = new KubernetesClientBuilder()
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withConfig(Config.fromKubeconfig(server.kubeconfig()))
                .build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        store.close();
    }

    private void define(InputStream manifest) {
        for (HasMetadata each : client.load(manifest).items()) {
            client.resource(each).create();
        }
    }

    private void defineStrimzi(List<String> kinds) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("--target-kube", "1.25+", "--yaml"));
        kinds.forEach(kind -> arguments.add(STRIMZI + kind + "=" + directory.resolve(kind + ".yaml")));
        // The program that makes Strimzi's definitions ends its process.
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.strimzi.crdgenerator.CrdGenerator"));
        command.addAll(arguments);
        Process generator = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("generator.log").toFile())
                .start();
        assertThat(generator.waitFor())
                .as("the definitions of Strimzi are made")
                .isZero();
        for (String kind : kinds) {
            try (InputStream in = Files.newInputStream(directory.resolve(kind + ".yaml"))) {
                define(in);
            }
        }
    }

    private void definePublished() throws IOException {
        for (String each : PUBLISHED) {
            try (InputStream in = getClass().getClassLoader().getResourceAsStream(each)) {
                define(in);
            }
        }
    }

    private void defineSnapshots() throws IOException {
        try (InputStream in = Files.newInputStream(ROOT.resolve("docs/manifests/snapshot-definitions.yaml"))) {
            define(in);
        }
    }

    @Test
    void theirDefinitionsAreEstablishedAndTheirExamplesAccepted() throws Exception {
        defineStrimzi(STRIMZI_KINDS);
        definePublished();
        defineSnapshots();

        List<CustomResourceDefinition> all =
                client.apiextensions().v1().customResourceDefinitions().list().getItems();
        assertThat(all).hasSize(STRIMZI_KINDS.size() + PUBLISHED.size() + 6);
        assertThat(all)
                .allSatisfy(each -> assertThat(each.getStatus().getConditions())
                        .as(each.getMetadata().getName())
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True")));
        try (InputStream in = getClass().getResourceAsStream("/operators/examples.yaml")) {
            for (HasMetadata example : client.load(in).items()) {
                HasMetadata made = client.resource(example).create();
                GenericKubernetesResource sent = (GenericKubernetesResource) example;
                assertThat(((GenericKubernetesResource) made).getAdditionalProperties())
                        .as("nothing of it is pruned: " + example.getKind())
                        .containsKeys(sent.getAdditionalProperties().keySet().toArray(String[]::new));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snapshot.storage.k8s.io/v1 | VolumeSnapshot | {"spec":{"source":{}}} | (oneOf)
                    snapshot.storage.k8s.io/v1 | VolumeSnapshot | {"spec":{}} | spec.source: Required value
                    snapshot.storage.k8s.io/v1 | VolumeSnapshotClass | {"driver":"d","deletionPolicy":"Keep"} | deletionPolicy: Unsupported value: "Keep"
                    snapshot.storage.k8s.io/v1 | VolumeSnapshotContent | {"spec":{"driver":"d","deletionPolicy":"Delete","source":{"volumeHandle":5},"volumeSnapshotRef":{}}} | spec.source.volumeHandle
                    groupsnapshot.storage.k8s.io/v1beta1 | VolumeGroupSnapshot | {"spec":{"source":{"selector":5}}} | spec.source.selector
                    groupsnapshot.storage.k8s.io/v1beta1 | VolumeGroupSnapshotContent | {"spec":{}} | spec.driver: Required value
                    """)
    void wrongSnapshotsAreRefusedWithTheField(String apiVersion, String kind, String fields, String problem)
            throws IOException {
        defineSnapshots();
        boolean namespaced = kind.endsWith("Snapshot");
        String text =
                "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"wrong\""
                        + (namespaced ? ",\"namespace\":\"default\"" : "") + "}," + fields.substring(1);
        assertThatThrownBy(() -> client.resource(text).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, refusal -> {
                    assertThat(refusal.getCode()).isEqualTo(422);
                    assertThat(refusal.getMessage()).contains(problem);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    access.strimzi.io/v1alpha1 | KafkaAccess | {"user":{"kind":"KafkaUser","apiGroup":"kafka.strimzi.io","name":"u"}} | spec.kafka: Required value
                    access.strimzi.io/v1alpha1 | KafkaAccess | {"kafka":{"name":"a"},"user":{"kind":"KafkaUser"}} | spec.user.apiGroup: Required value
                    debezium.io/v1alpha1 | DebeziumServer | {"runtime":{"storage":{"data":{"type":"none"}}}} | spec.runtime.storage.data.type: Unsupported value: "none"
                    debezium.io/v1alpha1 | DebeziumServer | {"sink":"kafka"} | spec.sink in body must be of type object
                    flink.apache.org/v1beta1 | FlinkDeployment | {"flinkVersion":"v0_9"} | spec.flinkVersion: Unsupported value: "v0_9"
                    flink.apache.org/v1beta1 | FlinkSessionJob | {"job":{"parallelism":"two"}} | spec.job.parallelism in body must be of type integer
                    camel.apache.org/v1 | Integration | {"replicas":"two"} | spec.replicas in body must be of type integer
                    """)
    void wrongObjectsOfOperatorsAreRefusedWithTheField(String apiVersion, String kind, String spec, String problem)
            throws IOException {
        definePublished();
        String text = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind
                + "\",\"metadata\":{\"name\":\"wrong\",\"namespace\":\"default\"},\"spec\":" + spec + "}";
        assertThatThrownBy(() -> client.resource(text).create())
                .isInstanceOfSatisfying(KubernetesClientException.class, refusal -> {
                    assertThat(refusal.getCode()).isEqualTo(422);
                    assertThat(refusal.getMessage()).contains(problem);
                });
    }

    @Test
    void wrongTopicsAreRefusedWithTheField() throws Exception {
        defineStrimzi(List.of("topic.KafkaTopic"));
        assertThatThrownBy(() -> topics().resource(topic("a", 0)).create())
                .hasMessageContaining("spec.partitions in body should be greater than or equal to 1");
    }

    private static KafkaTopic topic(String name, int partitions) {
        KafkaTopicSpec spec = new KafkaTopicSpec();
        spec.setPartitions(partitions);
        KafkaTopic topic = new KafkaTopic();
        topic.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        topic.setSpec(spec);
        return topic;
    }

    private MixedOperation<KafkaTopic, KubernetesResourceList<KafkaTopic>, Resource<KafkaTopic>> topics() {
        return client.resources(KafkaTopic.class);
    }

    @Test
    void typedObjectsAreCreatedListedWatchedAndTheirStatusIsWritten() throws Exception {
        defineStrimzi(List.of("topic.KafkaTopic"));
        topics().resource(topic("before", 1)).create();
        InformedWorld<KafkaTopic> world = new InformedWorld<>();
        try (SharedIndexInformer<KafkaTopic> informer =
                topics().inNamespace("default").inform(world, 1_000)) {
            world.await("added before");
            KafkaTopic made = topics().resource(topic("a", 3)).create();
            world.await("added a");
            KafkaTopicStatus status = new KafkaTopicStatus();
            status.setTopicName("a");
            made.setStatus(status);
            KafkaTopic written = topics().resource(made).updateStatus();
            assertThat(written.getStatus().getTopicName()).isEqualTo("a");
            assertThat(written.getMetadata().getGeneration()).isEqualTo(1);
            world.await("updated a");
            topics().resource(topic("a", 5)).forceConflicts().serverSideApply();
            topics().inNamespace("default").withName("a").delete();
            world.await("deleted a");
            assertThat(informer.getStore().list()).hasSize(1);
        }
        assertThat(Stream.of(topics().inNamespace("default").list().getItems().toArray(KafkaTopic[]::new))
                        .map(each -> each.getMetadata().getName()))
                .containsExactly("before");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta.LabelSelector;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.Time;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Storage;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies in protocol buffers, as clients in Go send them: the side-cars of CSI drivers, kube-scheduler, kubectl. */
class ProtobufBodiesTest {
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new SecureRandom())));

    private @Nullable ApiServer server;
    private String url = "";

    @BeforeEach
    void start() throws Exception {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", "default"))));
        server = ApiServer.builder(store).plain().start();
        url = server.url();
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
        store.close();
    }

    private Document create(String path, String apiVersion, String kind, Message object) throws Exception {
        return create(path, apiVersion, kind, object.toByteString());
    }

    private Document create(String path, String apiVersion, String kind, ByteString object) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.write(new byte[] {'k', '8', 's', 0});
        Unknown.newBuilder()
                .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(object)
                .build()
                .writeTo(body);
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/vnd.kubernetes.protobuf")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(body.toByteArray()))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return KubernetesJson.standard().read(answer.body(), "answer");
    }

    private static ObjectMeta.Builder named(String name) {
        // Go writes texts and times that are not set, too.
        return ObjectMeta.newBuilder()
                .setName(name)
                .setGenerateName("")
                .setUid("")
                .setCreationTimestamp(Time.newBuilder())
                .setGeneration(0);
    }

    private static Quantity quantity(String text) {
        return Quantity.newBuilder().setString(text).build();
    }

    @Test
    void aVolumeAsAProvisionerWritesIt() throws Exception {
        Document volume = create(
                "/api/v1/persistentvolumes",
                "v1",
                "PersistentVolume",
                V1.PersistentVolume.newBuilder()
                        .setMetadata(named("pvc-1").putAnnotations("pv.kubernetes.io/provisioned-by", "example.com"))
                        .setSpec(V1.PersistentVolumeSpec.newBuilder()
                                .putCapacity("storage", quantity("5Gi"))
                                .addAccessModes("ReadWriteOnce")
                                .setPersistentVolumeReclaimPolicy("Delete")
                                .setStorageClassName("fast")
                                .setVolumeMode("Filesystem")
                                .setClaimRef(V1.ObjectReference.newBuilder()
                                        .setKind("PersistentVolumeClaim")
                                        .setNamespace("default")
                                        .setName("data")
                                        .setUid("u"))
                                .setPersistentVolumeSource(V1.PersistentVolumeSource.newBuilder()
                                        .setCsi(V1.CSIPersistentVolumeSource.newBuilder()
                                                .setDriver("example.com")
                                                .setVolumeHandle("h-1")
                                                .setReadOnly(false)
                                                .setFsType("ext4")
                                                .putVolumeAttributes("tier", "gold")))
                                .setNodeAffinity(V1.VolumeNodeAffinity.newBuilder()
                                        .setRequired(V1.NodeSelector.newBuilder()
                                                .addNodeSelectorTerms(V1.NodeSelectorTerm.newBuilder()
                                                        .addMatchExpressions(V1.NodeSelectorRequirement.newBuilder()
                                                                .setKey("zone")
                                                                .setOperator("In")
                                                                .addValues("a"))))))
                        .setStatus(V1.PersistentVolumeStatus.newBuilder().setPhase(""))
                        .build());
        assertThat(volume.at("spec", "csi"))
                .contains(Map.of(
                        "driver",
                        "example.com",
                        "volumeHandle",
                        "h-1",
                        "readOnly",
                        false,
                        "fsType",
                        "ext4",
                        "volumeAttributes",
                        Map.of("tier", "gold")));
        assertThat(volume.at("spec", "capacity")).contains(Map.of("storage", "5Gi"));
        assertThat(volume.text("spec", "claimRef", "uid")).contains("u");
        assertThat(volume.at("spec", "nodeAffinity", "required", "nodeSelectorTerms"))
                .contains(List.of(Map.of(
                        "matchExpressions", List.of(Map.of("key", "zone", "operator", "In", "values", List.of("a"))))));
    }

    @Test
    void anEmptyClassOfAClaimStaysThere() throws Exception {
        Document claim = create(
                "/api/v1/namespaces/default/persistentvolumeclaims",
                "v1",
                "PersistentVolumeClaim",
                V1.PersistentVolumeClaim.newBuilder()
                        .setMetadata(named("data"))
                        .setSpec(V1.PersistentVolumeClaimSpec.newBuilder()
                                .addAccessModes("ReadWriteOnce")
                                .setStorageClassName("")
                                .setVolumeName("")
                                .setResources(V1.VolumeResourceRequirements.newBuilder()
                                        .putRequests("storage", quantity("1Gi"))))
                        .build());
        assertThat(claim.text("spec", "storageClassName")).contains("");
        assertThat(claim.at("spec", "volumeName")).isEmpty();
    }

    @Test
    void aPodKeepsSourcesThatAreEmpty() throws Exception {
        Document pod = create(
                "/api/v1/namespaces/default/pods",
                "v1",
                "Pod",
                V1.Pod.newBuilder()
                        .setMetadata(named("web"))
                        .setSpec(V1.PodSpec.newBuilder()
                                .addVolumes(V1.Volume.newBuilder()
                                        .setName("scratch")
                                        .setVolumeSource(V1.VolumeSource.newBuilder()
                                                .setEmptyDir(V1.EmptyDirVolumeSource.newBuilder())))
                                .addContainers(V1.Container.newBuilder()
                                        .setName("main")
                                        .setImage("none")
                                        .addEnv(V1.EnvVar.newBuilder()
                                                .setName("KEY")
                                                .setValueFrom(V1.EnvVarSource.newBuilder()
                                                        .setSecretKeyRef(V1.SecretKeySelector.newBuilder()
                                                                .setLocalObjectReference(
                                                                        V1.LocalObjectReference.newBuilder()
                                                                                .setName("secret"))
                                                                .setKey("key"))))
                                        .setReadinessProbe(V1.Probe.newBuilder()
                                                .setHandler(V1.ProbeHandler.newBuilder()
                                                        .setHttpGet(V1.HTTPGetAction.newBuilder()
                                                                .setPort(IntOrString.newBuilder()
                                                                        .setType(1)
                                                                        .setStrVal("http"))))))
                                .setSecurityContext(
                                        V1.PodSecurityContext.newBuilder().setRunAsUser(0)))
                        .build());
        assertThat(pod.at("spec", "volumes")).contains(List.of(Map.of("name", "scratch", "emptyDir", Map.of())));
        assertThat(pod.at("spec", "securityContext", "runAsUser")).contains(0L);
        assertThat(pod.toString()).contains("secretKeyRef").contains("\"http\"");
    }

    @Test
    void deploymentsAndCapacitiesAreRead() throws Exception {
        Document deployment = create(
                "/apis/apps/v1/namespaces/default/deployments",
                "apps/v1",
                "Deployment",
                V1Apps.Deployment.newBuilder()
                        .setMetadata(named("web"))
                        .setSpec(V1Apps.DeploymentSpec.newBuilder()
                                .setReplicas(0)
                                .setSelector(LabelSelector.newBuilder().putMatchLabels("app", "web"))
                                .setTemplate(V1.PodTemplateSpec.newBuilder()
                                        .setMetadata(ObjectMeta.newBuilder().putLabels("app", "web"))
                                        .setSpec(V1.PodSpec.newBuilder()
                                                .addContainers(V1.Container.newBuilder()
                                                        .setName("c")
                                                        .setImage("i"))))
                                .setStrategy(V1Apps.DeploymentStrategy.newBuilder()
                                        .setType("RollingUpdate")
                                        .setRollingUpdate(V1Apps.RollingUpdateDeployment.newBuilder()
                                                .setMaxSurge(IntOrString.newBuilder()
                                                        .setType(0)
                                                        .setIntVal(2)))))
                        .build());
        assertThat(deployment.at("spec", "replicas")).contains(0L);
        assertThat(deployment.at("spec", "strategy", "rollingUpdate", "maxSurge"))
                .contains(2L);
        Document capacity = create(
                "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities",
                "storage.k8s.io/v1",
                "CSIStorageCapacity",
                V1Storage.CSIStorageCapacity.newBuilder()
                        .setMetadata(named("c"))
                        .setStorageClassName("fast")
                        .setCapacity(quantity("100Gi"))
                        .build());
        assertThat(capacity.text("capacity")).contains("100Gi");
    }

    /** Leases are written every two seconds by all that elect a leader. The message is that of k8s.io/api/coordination/v1. */
    @Test
    void aLeaseKeepsItsTimes() throws Exception {
        byte[] renewed = {8, (byte) 0x80, (byte) 0xe2, (byte) 0xcf, (byte) 0xaa, 6, 16, (byte) 0xc0, (byte) 0x84, 0x3d};
        ByteString spec = ByteString.copyFrom(new byte[] {10, 2, 'm', 'e', 16, 15, 34, (byte) renewed.length})
                .concat(ByteString.copyFrom(renewed));
        ByteString metadata = named("leader").build().toByteString();
        ByteString lease = ByteString.copyFrom(new byte[] {10, (byte) metadata.size()})
                .concat(metadata)
                .concat(ByteString.copyFrom(new byte[] {18, (byte) spec.size()}))
                .concat(spec);
        Document made = create(
                "/apis/coordination.k8s.io/v1/namespaces/default/leases", "coordination.k8s.io/v1", "Lease", lease);
        assertThat(made.text("spec", "holderIdentity")).contains("me");
        assertThat(made.at("spec", "leaseDurationSeconds")).contains(15L);
        assertThat(made.text("spec", "renewTime").orElseThrow()).matches("20\\d\\d-.*\\.001000Z");
    }
}

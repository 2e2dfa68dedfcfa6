// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.distribution.csi.DriverDeployment;
import dev.mooring.distribution.csi.DriverManifests;
import dev.mooring.runtime.plugin.PluginServer;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Manifests that deploy plugins as drivers; whether a real API server takes them, see ManifestsIT. */
class CsiManifestsTest {
    private static Document one(List<Document> all, String kind) {
        return all.stream()
                .filter(each -> each.text("kind").equals(Optional.of(kind)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + kind));
    }

    private static List<Document> containers(Document workload) {
        return workload.object("spec", "template", "spec").orElseThrow().objects("containers");
    }

    private static List<String> texts(Document document, String field) {
        return document.at(field).stream()
                .flatMap(list -> ((List<?>) list).stream())
                .map(String::valueOf)
                .toList();
    }

    /** Mooring's own side-car stands for all of them, and takes its arguments. */
    @ParameterizedTest
    @CsvSource({
        "nfs, Deployment, --leader-election, --node",
        "nfs, DaemonSet, --node, --leader-election",
        "iscsi, Deployment, --leader-election, --node",
        "hostpath, DaemonSet, --node-deployment, --leader-election",
        "local, DaemonSet, --node, --leader-election"
    })
    void oneSidecarStandsForAll(String plugin, String kind, String with, String without) {
        List<Document> containers = containers(one(PrintedManifests.read(PrintedManifests.of(plugin)), kind));
        assertThat(containers)
                .extracting(container -> container.text("name").orElse(""))
                .containsExactly("driver", "sidecar");
        Document sidecar = containers.get(1);
        assertThat(sidecar.text("image")).isEqualTo(containers.get(0).text("image"));
        List<String> arguments = texts(sidecar, "args");
        assertThat(arguments).contains(with).doesNotContain(without);
        CommandLine.ParseResult parsed = Main.commandLine(Map.of()).parseArgs(arguments.toArray(String[]::new));
        assertThat(parsed.subcommand().subcommand().commandSpec().name()).isEqualTo("sidecar");
    }

    /** A side-car for each thing that the plugin can do, and for nothing else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nfs | nfs.csi.mooring.dev | driver csi-provisioner csi-attacher csi-resizer livenessprobe"
                        + " | driver csi-node-driver-registrar livenessprobe",
                "iscsi | iscsi.csi.mooring.dev | driver csi-attacher livenessprobe"
                        + " | driver csi-node-driver-registrar livenessprobe",
                "hostpath | hostpath.csi.mooring.dev | none"
                        + " | driver csi-node-driver-registrar csi-provisioner livenessprobe",
                "local | local.csi.mooring.dev | none | driver csi-node-driver-registrar livenessprobe",
            })
    void eachPluginHasItsSidecars(String plugin, String driver, String controller, String node) {
        List<Document> all = PrintedManifests.read(PrintedManifests.of(plugin, "--stock-sidecars"));
        Document described = one(all, "CSIDriver");
        assertThat(described.text("metadata", "name")).contains(driver);
        assertThat(described.at("spec", "attachRequired")).contains(controller.contains("csi-attacher"));
        List<String> deployments = all.stream()
                .filter(each -> each.text("kind").equals(Optional.of("Deployment")))
                .map(each -> String.join(
                        " ",
                        containers(each).stream()
                                .map(container -> container.text("name").orElse(""))
                                .toList()))
                .toList();
        assertThat(deployments).isEqualTo(controller.equals("none") ? List.of() : List.of(controller));
        assertThat(containers(one(all, "DaemonSet")))
                .extracting(container -> container.text("name").orElse(""))
                .containsExactly(node.split(" "));
        boolean makes = (controller + node).contains("csi-provisioner");
        assertThat(all.stream().anyMatch(each -> each.text("kind").equals(Optional.of("StorageClass"))))
                .isEqualTo(makes);
    }

    /** What the containers are started with, this program takes. */
    @ParameterizedTest
    @ValueSource(strings = {"nfs", "iscsi", "hostpath", "local"})
    void theDriverTakesItsArguments(String plugin) {
        String setting = "kubernetes.io/host-path:root=/srv/volumes";
        String[] options = plugin.equals("hostpath") ? new String[] {"--plugin-setting", setting} : new String[0];
        List<List<String>> started = Stream.of("Deployment", "DaemonSet")
                .flatMap(kind -> PrintedManifests.read(PrintedManifests.of(plugin, options)).stream()
                        .filter(each -> each.text("kind").equals(Optional.of(kind))))
                .map(workload -> texts(containers(workload).get(0), "args"))
                .toList();
        assertThat(started).isNotEmpty().allSatisfy(arguments -> {
            CommandLine.ParseResult parsed = Main.commandLine(Map.of()).parseArgs(arguments.toArray(String[]::new));
            assertThat(parsed.subcommand().subcommand().commandSpec().name()).isEqualTo("serve");
        });
        if (plugin.equals("hostpath")) {
            assertThat(started.get(0)).contains(setting).doesNotContain("--node", "--controller");
            assertThat(PrintedManifests.of(plugin, options)).contains("path: /srv/volumes");
        }
    }

    @Test
    void optionsAreWhereTheyBelong() {
        String text = PrintedManifests.of(
                "nfs",
                "--namespace",
                "storage",
                "--kubelet-dir",
                "/data/kubelet",
                "--toleration",
                "dedicated=storage:NoSchedule",
                "--toleration",
                "*",
                "--class-parameter",
                "server=nfs.example.com",
                "--stock-sidecars",
                "--sidecar-image",
                "csi-resizer=registry.example.com/resizer:2",
                "--driver-name",
                "shares.example.com");
        List<Document> all = PrintedManifests.read(text);
        assertThat(one(all, "Namespace").text("metadata", "name")).contains("storage");
        assertThat(all.stream().map(each -> each.text("metadata", "namespace").orElse("storage")))
                .containsOnly("storage");
        assertThat(text)
                .doesNotContain("/var/lib/kubelet", "csi-resizer:v")
                .contains("--kubelet-registration-path=/data/kubelet/plugins/shares.example.com/csi.sock")
                .contains("image: registry.example.com/resizer:2");
        assertThat(one(all, "DaemonSet")
                        .object("spec", "template", "spec")
                        .orElseThrow()
                        .objects("tolerations"))
                .containsExactly(
                        Document.of(Map.of(
                                "key", "dedicated",
                                "operator", "Equal",
                                "value", "storage",
                                "effect", "NoSchedule")),
                        Document.of(Map.of("operator", "Exists")));
        assertThat(one(all, "StorageClass").text("parameters", "server")).contains("nfs.example.com");
    }

    /** With the rights and the Lease that csi-snapshotter has elsewhere. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClassOfSnapshotsComesWithItsRights(boolean wanted) {
        List<Document> all = DriverManifests.of(new DriverDeployment(
                "disks.example.com",
                "disks.csi.example.com",
                new PluginServer.Abilities(true, false, false, false, false, false, false, false, false),
                "example.com/driver:1",
                new TreeMap<>(),
                "kube-system",
                "/var/lib/kubelet",
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                wanted,
                29652));
        assertThat(all.stream()
                        .filter(each -> each.text("kind").equals(Optional.of("VolumeSnapshotClass")))
                        .map(each -> each.text("driver").orElse("") + " "
                                + each.text("deletionPolicy").orElse("")))
                .containsExactlyElementsOf(wanted ? List.of("disks.csi.example.com Delete") : List.of());
        assertThat(one(all, "ClusterRole").toString().contains("volumesnapshotcontents/status"))
                .isEqualTo(wanted);
        assertThat(one(all, "Role").toString().contains("external-snapshotter-leader-disks-csi-example-com"))
                .isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--plugin=nosuch --image=x | there is no plugin 'nosuch'",
                "--plugin=nfs --image=x --kubelet-dir=relative | --kubelet-dir 'relative'",
                "--plugin=nfs --image=x --host-dir=/ | --host-dir '/'",
                "--plugin=nfs --image=x --sidecar-image=csi-resizer=y | --sidecar-image is for --stock-sidecars",
                "--plugin=nfs --image=x --stock-sidecars --sidecar-image=csi-snapshoter=y | there is no side-car"
                        + " 'csi-snapshoter'",
                "--plugin=nfs --image=x --toleration==y | --toleration '=y'",
                "--plugin=nfs --image=x --health-port=65535 | --health-port",
                "--plugin=nfs --image=x --snapshot-class | --snapshot-class: plugin kubernetes.io/nfs takes no"
                        + " snapshots",
                "--plugin=hostpath --image=x --snapshot-class | takes snapshots on the node of their volume",
                "--plugin=nfs | --image",
            })
    void aWrongOptionIsNamed(String options, String said) {
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine(Map.of());
        line.setErr(new PrintWriter(err));
        assertThat(line.execute(("csi manifests " + options).split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains(said);
    }

    /** Twice the same object, or a field that is none, would be refused. */
    @ParameterizedTest
    @ValueSource(strings = {"nfs", "iscsi", "hostpath", "local"})
    void ourApiServerTakesThem(String plugin) throws Exception {
        MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new Random(1))));
        HttpClient client = HttpClient.newHttpClient();
        try (ApiServer server = ApiServer.builder(store).plain().start()) {
            for (Document each : PrintedManifests.read(PrintedManifests.of(plugin, "--namespace", "storage"))) {
                Kind<?> kind = StoredKinds.withStandard().all().stream()
                        .filter(known -> known.name().equals(each.text("kind").orElse("")))
                        .findFirst()
                        .orElseThrow();
                String group = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
                String place = kind.namespaced() ? "/namespaces/storage/" : "/";
                URI collection = URI.create(
                        server.url() + group + kind.version() + place + kind.plural() + "?fieldValidation=Strict");
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(collection)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        KubernetesJson.standard().write(each)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(each + ": " + answer.body()).isEqualTo(201);
            }
        } finally {
            store.close();
        }
    }
}

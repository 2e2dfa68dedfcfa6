// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.distribution.operations.Operations;
import dev.mooring.distribution.operations.OperationsAddress;
import dev.mooring.distribution.operations.OperationsEndpoint;
import dev.mooring.runtime.metrics.Metric;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the Deployment and the image say fits the program and the other manifests; whether Kubernetes takes them, see ManifestsIT. */
class ManifestsTest {
    private static final Path ROOT = Path.of(System.getProperty("mooring.root", ".."));
    private static final Path DIST = ROOT.resolve("distribution/src/dist");
    private static final int LONGEST_STOP_SECONDS = 10;

    private static List<Document> read(Path file) throws IOException {
        return KubernetesYaml.standard().readAll(Files.readString(file), file.toString());
    }

    private static Document deployment() throws IOException {
        return read(DIST.resolve("kubernetes/controller.yaml")).get(0);
    }

    @SuppressWarnings("unchecked") // maps in a document have text keys
    private static Document container() throws IOException {
        List<?> containers = (List<?>)
                deployment().at("spec", "template", "spec", "containers").orElseThrow();
        assertThat(containers).hasSize(1);
        return Document.of((Map<String, ?>) containers.get(0));
    }

    private static CommandLine.ParseResult parsed(List<String> arguments) {
        return Main.commandLine(Map.of()).parseArgs(arguments.toArray(String[]::new));
    }

    @Test
    void itsArgumentsAreThoseOfTheCommandLine() throws IOException {
        assertThat(parsed(arguments()).subcommand().commandSpec().name()).isEqualTo("controller");
        String image = image();
        Matcher command = Pattern.compile("(?m)^CMD \\[(.*)]$").matcher(image);
        assertThat(command.find()).isTrue();
        List<String> defaults =
                List.of(command.group(1).replace("\"", "").replace(" ", "").split(",", -1));
        assertThat(parsed(defaults).subcommand().commandSpec().name()).isEqualTo("controller");
        assertThat(metricsAddress(defaults)).isEqualTo(metricsAddress(arguments()));
        assertThat(image).contains("ENTRYPOINT [\"/opt/mooring/bin/mooring\"]");
    }

    private static List<String> arguments() throws IOException {
        List<String> arguments = new ArrayList<>();
        ((List<?>) container().at("args").orElseThrow()).forEach(each -> arguments.add((String) each));
        return arguments;
    }

    /** A list of mappings in a document. */
    private static List<Document> list(Document of, String... path) {
        List<Document> documents = new ArrayList<>();
        ((List<?>) of.at(path).orElseThrow())
                .forEach(each -> documents.add(
                        Document.empty().with(each, "it").object("it").orElseThrow()));
        return documents;
    }

    private static String image() throws IOException {
        return Files.readString(DIST.resolve("container/Containerfile"));
    }

    private static InetSocketAddress metricsAddress(List<String> arguments) {
        Optional<?> address =
                parsed(arguments).subcommand().matchedOptionValue("--metrics-bind-address", Optional.empty());
        return (InetSocketAddress) address.orElseThrow();
    }

    @Test
    void itsProbesAskWhereItListensForWhatItAnswers() throws Exception {
        InetSocketAddress address = metricsAddress(arguments());
        assertThat(address.getAddress().isAnyLocalAddress())
                .as("probes come from outside of the pod")
                .isTrue();
        Document port = list(container(), "ports").get(0);
        assertThat(port.at("containerPort")).contains((long) address.getPort());
        assertThat(image()).contains("\nEXPOSE " + address.getPort() + "\n");
        try (OperationsEndpoint endpoint = OperationsEndpoint.start(
                new OperationsAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ""), new Well())) {
            for (String probe : List.of("livenessProbe", "readinessProbe")) {
                Document asked = container().object(probe, "httpGet").orElseThrow();
                assertThat(asked.text("port")).isEqualTo(port.text("name"));
                URI path = URI.create("http://localhost:" + endpoint.port())
                        .resolve(asked.text("path").orElseThrow());
                HttpURLConnection answer = (HttpURLConnection) path.toURL().openConnection();
                assertThat(answer.getResponseCode()).as(probe).isEqualTo(200);
            }
        }
    }

    @Test
    void itRunsWithNothingThatItDoesNotNeed() throws IOException {
        Document pod = deployment().object("spec", "template", "spec").orElseThrow();
        assertThat(image())
                .contains("\nUSER " + pod.at("securityContext", "runAsUser").orElseThrow() + ":"
                        + pod.at("securityContext", "runAsGroup").orElseThrow() + "\n");
        assertThat(pod.at("securityContext", "runAsNonRoot")).contains(true);
        assertThat(pod.text("securityContext", "seccompProfile", "type")).contains("RuntimeDefault");
        Document container = container();
        assertThat(container.at("securityContext", "allowPrivilegeEscalation")).contains(false);
        assertThat(container.at("securityContext", "readOnlyRootFilesystem")).contains(true);
        assertThat(container.at("securityContext", "capabilities", "drop")).contains(List.of("ALL"));
        assertThat(list(container, "volumeMounts"))
                .extracting(each -> each.text("mountPath").orElseThrow())
                .as("all that can be written")
                .containsExactlyInAnyOrder(
                        "/tmp",
                        parsed(arguments())
                                .subcommand()
                                .matchedOptionValue("--root", Path.of(""))
                                .toString());
    }

    @Test
    void oneOfSeveralLeadsByTheLeaseThatItMayTake() throws IOException {
        assertThat(deployment().at("spec", "replicas")).contains(2L);
        CommandLine.Model.CommandSpec controller =
                parsed(arguments()).subcommand().commandSpec();
        assertThat(controller.findOption("--leader-elect").<Boolean>getValue()).isTrue();
        String lease = controller.findOption("--leader-elect-resource-name").getValue();
        String namespace =
                controller.findOption("--leader-elect-resource-namespace").getValue();
        assertThat(read(ROOT.resolve("docs/manifests/controller-rbac.yaml"))).anySatisfy(each -> {
            assertThat(each.text("kind")).contains("Role");
            assertThat(each.text("metadata", "namespace")).contains(namespace);
            assertThat(list(each, "rules"))
                    .anySatisfy(rule -> assertThat(rule.at("resourceNames")).contains(List.of(lease)));
        });
    }

    @Test
    void whatGoesWithItIsAboutItsPods() throws IOException {
        Map<String, Document> around = new HashMap<>();
        for (Document each : read(DIST.resolve("kubernetes/controller-around.yaml"))) {
            assertThat(each.text("metadata", "namespace"))
                    .isEqualTo(deployment().text("metadata", "namespace"));
            around.put(each.text("kind").orElseThrow(), each);
        }
        Optional<Object> labels = deployment().at("spec", "template", "metadata", "labels");
        Document service = around.get("Service");
        assertThat(service.at("spec", "selector")).isEqualTo(labels);
        Document port = list(container(), "ports").get(0);
        assertThat(list(service, "spec", "ports").get(0).text("targetPort")).isEqualTo(port.text("name"));
        Document policy = around.get("NetworkPolicy");
        assertThat(policy.at("spec", "podSelector", "matchLabels")).isEqualTo(labels);
        Document allowed = list(policy, "spec", "ingress").get(0);
        assertThat(list(allowed, "ports").get(0).text("port")).isEqualTo(port.text("name"));
        Document budget = around.get("PodDisruptionBudget");
        assertThat(budget.at("spec", "selector", "matchLabels")).isEqualTo(labels);
        assertThat(budget.at("spec", "minAvailable")).contains(1L);
    }

    @Test
    void allNamesOfTheImageHaveTheVersion() throws IOException {
        String name = "mooring:" + Version.VERSION;
        assertThat(container().text("image")).contains(name);
        assertThat(image())
                .contains("-t " + name + " ")
                .contains("org.opencontainers.image.version=\"" + Version.VERSION + "\"");
        assertThat(Files.readString(ROOT.resolve("docs/operate/image.md"))).contains("-t " + name + " ");
    }

    @Test
    void itsAccountIsThatOfTheRights() throws IOException {
        Document deployment = deployment();
        String account = deployment
                .text("spec", "template", "spec", "serviceAccountName")
                .orElseThrow();
        assertThat(read(ROOT.resolve("docs/manifests/controller-rbac.yaml"))).anySatisfy(each -> {
            assertThat(each.text("kind")).contains("ServiceAccount");
            assertThat(each.text("metadata", "name")).contains(account);
            assertThat(each.text("metadata", "namespace")).isEqualTo(deployment.text("metadata", "namespace"));
        });
    }

    @Test
    void thereIsTimeToStop() throws IOException {
        assertThat(deployment()
                        .at("spec", "template", "spec", "terminationGracePeriodSeconds")
                        .orElseThrow())
                .isInstanceOfSatisfying(
                        Long.class, seconds -> assertThat(seconds).isGreaterThan(LONGEST_STOP_SECONDS));
    }

    /** Volumes that are mounted exist, names are sound, and so on: the rules of pods. */
    @Test
    void itsPodsAreValid() throws IOException {
        Document template =
                deployment().object("spec", "template").orElseThrow().with("p", "metadata", "name");
        try (MemoryClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))))) {
            store.createDocument(Kinds.POD, template.with("default", "metadata", "namespace"))
                    .orThrow();
            Document wrong = template.with("q", "metadata", "name").without("spec", "volumes");
            assertThat(store.createDocument(Kinds.POD, wrong.with("default", "metadata", "namespace"))
                            .failure())
                    .as("a mistake would be found")
                    .isPresent();
        }
    }

    /** A process that has nothing to complain of. */
    private static final class Well implements Operations {
        @Override
        public CompletableFuture<List<Metric>> metrics() {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public Optional<String> sickness() {
            return Optional.empty();
        }

        @Override
        public Optional<String> hindrance() {
            return Optional.empty();
        }
    }
}

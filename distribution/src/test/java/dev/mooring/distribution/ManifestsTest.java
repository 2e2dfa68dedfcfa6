// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.store.IdSource;
import dev.mooring.runtime.store.MemoryClusterStore;
import dev.mooring.runtime.store.StoreOptions;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
        List<String> arguments = new ArrayList<>();
        ((List<?>) container().at("args").orElseThrow()).forEach(each -> arguments.add((String) each));
        assertThat(parsed(arguments).subcommand().commandSpec().name()).isEqualTo("controller");
        String image = Files.readString(DIST.resolve("container/Containerfile"));
        Matcher command = Pattern.compile("(?m)^CMD \\[(.*)]$").matcher(image);
        assertThat(command.find()).isTrue();
        List<String> defaults =
                List.of(command.group(1).replace("\"", "").replace(" ", "").split(",", -1));
        assertThat(parsed(defaults).subcommand().commandSpec().name()).isEqualTo("controller");
        assertThat(image).contains("ENTRYPOINT [\"/opt/mooring/bin/mooring\"]");
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
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.schema.FieldType.Structure;
import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.kubernetes.cluster.RealCluster;
import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code kubectl explain} says of types and fields is what a real API server says. */
@Tag("cluster")
class ServerDescriptionsTest {
    private static final Path FILE = Path.of(System.getProperty("mooring.root", ".."))
            .resolve("api-server/src/main/resources/dev/mooring/apiserver/schema/kubernetes-1.20.descriptions");
    private static final Pattern TYPE =
            Pattern.compile("io[.]k8s[.](api|apimachinery[.]pkg[.]apis|apiextensions-apiserver[.]pkg[.]apis)[.]"
                    + "([a-z0-9]+)[.]([a-z0-9]+)[.]([A-Za-z0-9]+)");

    private static Optional<Structure> type(String definition) {
        Matcher name = TYPE.matcher(definition);
        return name.matches() ? Schema.standard().type(name.group(2), name.group(3), name.group(4)) : Optional.empty();
    }

    private static Optional<String> text(Map<?, ?> described) {
        return Optional.ofNullable((String) described.get("description"))
                .map(text -> text.replaceAll("\\s+", " ").strip())
                .filter(text -> !text.isEmpty());
    }

    private static List<String> lines(Document openApi) {
        Map<String, String> texts = new TreeMap<>();
        openApi.object("definitions")
                .orElseThrow()
                .asMap()
                .forEach((definition, schema) -> type(definition).ifPresent(type -> {
                    Map<?, ?> described = (Map<?, ?>) schema;
                    text(described).ifPresent(text -> texts.put(type.name(), text));
                    if (described.get("properties") instanceof Map<?, ?> fields) {
                        type.fields().keySet().stream()
                                .filter(fields::containsKey)
                                .forEach(field -> text((Map<?, ?>) fields.get(field))
                                        .ifPresent(text -> texts.put(type.name() + "." + field, text)));
                    }
                }));
        List<String> lines = new ArrayList<>();
        texts.forEach((name, text) -> lines.add(name + " " + text));
        return lines;
    }

    @Test
    void theDescriptionsAreThoseOfTheServer() throws IOException {
        List<String> kept = Files.readAllLines(FILE);
        List<String> wanted = Stream.concat(
                        kept.stream().filter(line -> line.startsWith("#")),
                        lines(RealCluster.shared().admin().ok("GET", "/openapi/v2", "")).stream())
                .toList();
        if (Boolean.getBoolean("descriptions.update")) {
            Files.write(FILE, wanted);
        }
        assertThat(Files.readAllLines(FILE))
                .as("to write it again: -Ddescriptions.update=true")
                .isEqualTo(wanted);
    }
}

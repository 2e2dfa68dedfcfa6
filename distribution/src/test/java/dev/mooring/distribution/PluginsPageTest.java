// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.KubernetesYaml;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every setting, parameter and example that docs/operate/plugins.md tells operators of is one that its plugin takes. */
class PluginsPageTest {
    private static final Path EXAMPLES = Reactor.ROOT.resolve("docs/examples");
    private static final PluginRegistry PLUGINS = new PluginRegistry(Plugins.installed());
    private static final int SETTINGS_AND_PARAMETERS_AT_LEAST = 30;

    /** A row of a table: what the table is of, whose it is, and the first two columns. */
    private record Row(String plugin, String table, String name, String example) {}

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        String plugin = "";
        String table = "";
        for (String line : Reactor.read(Reactor.ROOT.resolve("docs/operate/plugins.md"))
                .lines()
                .toList()) {
            String[] cells = line.split(" *\\| *", -1);
            if (line.startsWith("## `")) {
                plugin = line.replaceAll("## `|`", "");
            } else if (line.contains("| example |")) {
                table = cells[1];
            } else if (line.startsWith("| `")) {
                rows.add(new Row(plugin, table, cells[1].replace("`", ""), cells[2].replace("`", "")));
            }
        }
        return rows;
    }

    private static StoragePlugin plugin(String name) {
        return PLUGINS.named(name).orElseThrow(() -> new AssertionError("no plugin " + name));
    }

    @TestFactory
    Stream<DynamicTest> everySettingAndParameterIsTaken() {
        List<Row> rows =
                rows().stream().filter(row -> !row.table().equals("annotation")).toList();
        assertThat(rows).hasSizeGreaterThanOrEqualTo(SETTINGS_AND_PARAMETERS_AT_LEAST);
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.plugin() + " " + row.table() + " " + row.name(), () -> {
                    Outcome<?> outcome = row.table().equals("setting") ? configured(row, rows) : planned(row, rows);
                    assertThat(outcome.message()).isEmpty();
                }));
    }

    /** With the setting that it needs beside it, if its name begins with that. */
    private static Outcome<?> configured(Row row, List<Row> rows) {
        Map<String, String> settings = new TreeMap<>();
        rows.stream()
                .filter(other ->
                        other.table().equals("setting") && other.plugin().equals(row.plugin()))
                .filter(other -> row.name().startsWith(other.name() + "."))
                .forEach(other -> settings.put(other.name(), other.example()));
        settings.put(row.name(), row.example());
        return plugin(row.plugin()).configured(settings);
    }

    /** With those parameters beside it that are needed. */
    private static Outcome<?> planned(Row row, List<Row> rows) {
        Map<String, String> parameters = new HashMap<>();
        rows.stream()
                .filter(other -> other.plugin().equals(row.plugin()))
                .filter(other -> List.of("server", "share").contains(other.name()))
                .forEach(other -> parameters.put(other.name(), other.example()));
        parameters.put(row.name(), row.example());
        return plan(row.plugin(), parameters, List.of());
    }

    private static Outcome<?> plan(String name, Map<String, String> parameters, List<String> mountOptions) {
        assertThat(plugin(name)).isInstanceOf(Provisioning.class);
        return ((Provisioning) plugin(name))
                .plan(new ProvisionRequest(
                        "pvc-1",
                        ObjectKey.of("default", "data"),
                        "uid-1",
                        Map.of(),
                        Map.of(),
                        Quantity.parse("1Gi"),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        VolumeMode.FILESYSTEM,
                        "example",
                        parameters,
                        Map.of(),
                        mountOptions,
                        ReclaimPolicy.DELETE,
                        Optional.empty(),
                        Map.of()));
    }

    @TestFactory
    Stream<DynamicTest> everyExampleIsTaken() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
                    .flatMap(file -> KubernetesYaml.standard().readAll(Reactor.read(file), file.toString()).stream()
                            .map(document -> DynamicTest.dynamicTest(
                                    file.getFileName() + " "
                                            + document.text("kind").orElse("") + " "
                                            + document.text("metadata", "name").orElse(""),
                                    () -> taken(document))));
        }
    }

    private static void taken(Document document) {
        switch (document.text("kind").orElse("")) {
            case "PersistentVolume" -> {
                PersistentVolume volume = Kinds.PERSISTENT_VOLUME.read(document);
                VolumeSource source = volume.spec().source().orElseThrow();
                StoragePlugin plugin = PLUGINS.serving(source).orElseThrow();
                assertThat(plugin.validate(source)).isEmpty();
            }
            case "StorageClass" -> {
                StorageClass storageClass = Kinds.STORAGE_CLASS.read(document);
                if (PLUGINS.named(storageClass.provisioner()).isPresent()) {
                    Outcome<?> outcome =
                            plan(storageClass.provisioner(), storageClass.parameters(), storageClass.mountOptions());
                    assertThat(outcome.message()).isEmpty();
                }
            }
            default -> assertThat(document.text("apiVersion")).isNotEmpty();
        }
    }
}

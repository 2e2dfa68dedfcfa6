// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Dependencies point one way, and what a module says of itself is true. */
class ModuleGraphTest {
    /** Which of our own modules a module may require. A module that is not in the table is not in the architecture. */
    private static final Map<String, Set<String>> MAY_REQUIRE = Map.ofEntries(
            Map.entry("storage-api", Set.of()),
            Map.entry("storage-codec", Set.of("storage-api")),
            Map.entry("runtime", Set.of("storage-api")),
            Map.entry("cluster-store", Set.of("storage-api", "storage-codec", "runtime")),
            Map.entry("host-linux", Set.of("storage-api")),
            Map.entry("plugin-testkit", Set.of("storage-api")),
            Map.entry("plugin-support", Set.of("storage-api")),
            Map.entry("csi-protocol", Set.of()),
            Map.entry(
                    "csi-server", Set.of("storage-api", "storage-codec", "plugin-support", "runtime", "csi-protocol")),
            Map.entry("plugins-csi", Set.of("storage-api", "plugin-support", "runtime", "csi-protocol")),
            Map.entry("plugins-hostpath", Set.of("storage-api", "plugin-support")),
            Map.entry("plugins-iscsi", Set.of("storage-api", "plugin-support")),
            Map.entry("plugins-nfs", Set.of("storage-api", "plugin-support")),
            Map.entry("binder", Set.of("storage-api", "runtime")),
            Map.entry("attach-detach", Set.of("storage-api", "runtime")),
            Map.entry("volume-manager", Set.of("storage-api", "runtime")),
            Map.entry("embedded-store", Set.of("storage-api", "storage-codec", "runtime", "cluster-store")),
            Map.entry("api-server", Set.of("storage-api", "storage-codec", "runtime", "cluster-store")),
            Map.entry("control-plane", Set.of("storage-api", "runtime", "binder", "attach-detach", "volume-manager")),
            Map.entry("kubernetes", Set.of("storage-api", "storage-codec", "runtime")),
            Map.entry(
                    "simulation",
                    Set.of(
                            "storage-api",
                            "storage-codec",
                            "runtime",
                            "cluster-store",
                            "host-linux",
                            "binder",
                            "attach-detach",
                            "volume-manager")),
            Map.entry(
                    "test-world",
                    Set.of(
                            "storage-api",
                            "storage-codec",
                            "runtime",
                            "cluster-store",
                            "host-linux",
                            "binder",
                            "attach-detach",
                            "volume-manager",
                            "api-server",
                            "simulation")));

    /**
     * Where an automatic module may be required: no library builds upon these, or it is in a layer of its own. cluster-store judges rules
     * of definitions, and no library for their language has a descriptor.
     */
    private static final Set<String> MAY_REQUIRE_AUTOMATIC =
            Set.of("kubernetes", "cluster-store", "csi-protocol", "csi-server", "distribution");

    /** What only generates sources: it is required statically, and no user of the module needs it. */
    private static final Set<String> GENERATES = Set.of("io.soabase.recordbuilder.core");

    @Test
    void dependenciesPointOneWay() {
        Map<String, String> directoryOf = new TreeMap<>();
        Reactor.units().forEach(unit -> directoryOf.put(unit.module(), unit.directory()));
        Set<String> wrong = new TreeSet<>();
        for (Reactor.Unit unit : Reactor.libraries()) {
            assertThat(MAY_REQUIRE)
                    .as("table of %s", getClass().getSimpleName())
                    .containsKey(unit.directory());
            for (ModuleDescriptor.Requires requires : unit.descriptor().requires()) {
                String target = directoryOf.get(requires.name());
                if (target != null && !MAY_REQUIRE.get(unit.directory()).contains(target)) {
                    wrong.add(unit.directory() + " requires " + target);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void modulesAreNamedAsTheirDirectories() {
        for (Reactor.Unit unit : Reactor.units()) {
            String expected = switch (unit.directory()) {
                case "storage-api" -> "dev.mooring.storage";
                case "storage-codec" -> "dev.mooring.storage.codec";
                case "host-linux" -> "dev.mooring.host.linux";
                case "embedded-store" -> "dev.mooring.store.embedded";
                case "plugin-testkit" -> "dev.mooring.testkit";
                case "plugin-support" -> "dev.mooring.plugin.support";
                case "csi-protocol" -> "dev.mooring.csi";
                case "test-world" -> "dev.mooring.junit";
                case "csi-server" -> "dev.mooring.csi.server";
                default ->
                    "dev.mooring."
                            + unit.directory().replace("plugins-", "plugin.").replace("-", "");
            };
            assertThat(unit.module()).isEqualTo(expected);
            assertThat(unit.descriptor().packages())
                    .allSatisfy(name -> assertThat(name + ".").startsWith(expected + "."));
        }
    }

    @Test
    void librariesRequireNoAutomaticModule() {
        ModuleFinder finder = Reactor.everything();
        Set<String> wrong = new TreeSet<>();
        for (Reactor.Unit unit : Reactor.units()) {
            if (MAY_REQUIRE_AUTOMATIC.contains(unit.directory())) {
                continue;
            }
            for (ModuleDescriptor.Requires requires : unit.descriptor().requires()) {
                if (ModuleFinder.ofSystem().find(requires.name()).isPresent()) {
                    continue;
                }
                if (GENERATES.contains(requires.name())
                        && requires.modifiers().equals(Set.of(ModuleDescriptor.Requires.Modifier.STATIC))) {
                    continue;
                }
                boolean explicit = finder.find(requires.name())
                        .map(found -> !found.descriptor().isAutomatic())
                        .orElse(false);
                if (!explicit) {
                    wrong.add(unit.directory() + " requires " + requires.name());
                }
            }
        }
        assertThat(wrong).as("automatic, or not found").isEmpty();
    }

    @Test
    void pluginsAndTheApplicationExportNothing() {
        for (Reactor.Unit unit : Reactor.units()) {
            if (unit.isPlugin() || unit.directory().equals("distribution")) {
                assertThat(unit.descriptor().exports()).as(unit.directory()).isEmpty();
            }
        }
    }

    /** Users of the class path find a provider by the file, users of the module path by the descriptor. */
    @Test
    void serviceFilesSayWhatTheDescriptorSays() {
        for (Reactor.Unit unit : Reactor.units()) {
            Map<String, List<String>> declared = new TreeMap<>();
            unit.descriptor().provides().forEach(p -> declared.put(p.service(), p.providers()));
            Map<String, List<String>> files = new TreeMap<>();
            for (Path file : Reactor.filesBelow(unit.classes().resolve("META-INF/services"), "")) {
                if (file.toFile().isFile()) {
                    files.put(
                            file.getFileName().toString(),
                            Reactor.read(file)
                                    .lines()
                                    .map(line -> line.replaceAll("#.*", "").strip())
                                    .filter(line -> !line.isEmpty())
                                    .toList());
                }
            }
            assertThat(files).as(unit.directory()).isEqualTo(declared);
        }
    }

    @Test
    void bomListsEveryLibrary() {
        String bom = Reactor.read(Reactor.ROOT.resolve("bom/pom.xml"));
        assertThat(bom).contains("<version>" + Reactor.VERSION + "</version>");
        for (Reactor.Unit unit : Reactor.libraries()) {
            assertThat(bom).contains("<artifactId>mooring-" + Reactor.published(unit) + "</artifactId>");
        }
    }
}

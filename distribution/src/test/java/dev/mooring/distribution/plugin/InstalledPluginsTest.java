// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What third parties put into the plugins' directory, good and bad. */
@Tag("long")
class InstalledPluginsTest {
    @TempDir
    private Path work = Path.of("");

    private Path plugins = Path.of("");

    @BeforeEach
    void directories() throws IOException {
        plugins = Files.createDirectory(work.resolve("with space"));
    }

    private PluginJars jar(Path... libraries) throws IOException {
        return PluginJars.in(work, libraries);
    }

    private Path good(String directory) throws IOException {
        return jar().withPlugin("org.example." + directory + ".Disks", "example.org/" + directory, directory)
                .to(plugins.resolve(directory).resolve(directory + ".jar"));
    }

    private InstalledPlugins load() {
        return InstalledPlugins.of(List.of()).with(plugins);
    }

    private static List<String> names(InstalledPlugins installed) {
        return installed.loaded().stream()
                .map(each -> each.descriptor().name().value())
                .toList();
    }

    /** The one that is good is used, whatever the other is. */
    private UnusableDirectory onlyUnusable(PluginRule rule) throws IOException {
        good("fine");
        InstalledPlugins installed = load();
        assertThat(names(installed)).containsExactly("example.org/fine");
        assertThat(installed.unusable()).hasSize(1);
        UnusableDirectory found = installed.unusable().get(0);
        assertThat(found.rule()).as(found.why()).isEqualTo(rule);
        assertThat(found.toString()).contains(found.directory().toString(), rule.name());
        return found;
    }

    @Test
    void findsEachDirectoryAndLeavesTheRestAlone() throws IOException {
        good("b");
        good("a");
        Files.writeString(plugins.resolve("README.md"), "not a plugin");
        Files.createDirectory(plugins.resolve(".hidden"));
        InstalledPlugins installed = load();
        assertThat(names(installed)).containsExactly("example.org/a", "example.org/b");
        assertThat(installed.unusable()).isEmpty();
        assertThat(installed.loaded().get(0).origin())
                .isEqualTo(plugins.resolve("a").toString());
        assertThat(installed.plugins()).allSatisfy(plugin -> assertThat(plugin).hasToString("as it is"));
    }

    @Test
    void aDirectoryThatIsNotThereHoldsNothing() {
        assertThat(InstalledPlugins.of(List.of()).with(work.resolve("none"))).isEqualTo(InstalledPlugins.of(List.of()));
    }

    @Test
    void namedModulesAreFoundByTheirDescriptors() throws IOException {
        Assumptions.assumeTrue(
                StoragePlugin.class.getModule().isNamed(), "a named module cannot require what is on the class path");
        jar().withPlugin("org.example.named.Disks", "example.org/named", "named")
                .with("module-info.java", """
                        module org.example.named {
                            requires dev.mooring.storage;
                            provides dev.mooring.storage.spi.StoragePlugin with org.example.named.Disks;
                        }
                        """)
                .to(plugins.resolve("named/named.jar"));
        assertThat(names(load())).containsExactly("example.org/named");
        assertThat(load().unusable()).isEmpty();
    }

    @Test
    void twoMayBringDifferentVersionsOfOneLibrary() throws IOException {
        for (String version : List.of("1", "2")) {
            Path library = jar().with(
                            "org/library/Library.java",
                            "package org.library; public class Library { public static final Object SAYS = \"version "
                                    + version + "\"; }")
                    .to(plugins.resolve("p" + version).resolve("library-" + version + ".jar"));
            jar(library)
                    .withPlugin(
                            "org.example.p" + version + ".Disks",
                            "example.org/p" + version,
                            "p" + version,
                            "if (!org.library.Library.SAYS.equals(\"version " + version
                                    + "\")) throw new IllegalStateException();")
                    .to(plugins.resolve("p" + version).resolve("plugin.jar"));
        }
        InstalledPlugins installed = load();
        assertThat(installed.unusable()).isEmpty();
        assertThat(names(installed)).containsExactly("example.org/p1", "example.org/p2");
    }

    @Test
    void aJarBesideTheDirectoriesIsNamed() throws IOException {
        jar().with("x", "y").to(plugins.resolve("loose.jar"));
        assertThat(onlyUnusable(PluginRule.DIRECTORY).directory()).isEqualTo(plugins.resolve("loose.jar"));
    }

    @Test
    void aDirectoryWithoutJars() throws IOException {
        Files.createDirectory(plugins.resolve("empty"));
        onlyUnusable(PluginRule.JARS);
    }

    @Test
    void aFileThatIsNoJar() throws IOException {
        Files.writeString(Files.createDirectory(plugins.resolve("text")).resolve("no.jar"), "this is no zip");
        assertThat(onlyUnusable(PluginRule.READABLE).why()).contains("no.jar");
    }

    @Test
    void aDirectoryThatIsCalledAJar() throws IOException {
        Files.createDirectories(plugins.resolve("nested").resolve("in.jar"));
        assertThat(onlyUnusable(PluginRule.READABLE).why()).contains("in.jar");
    }

    @Test
    void oneModuleTwice() throws IOException {
        Path first = good("twice");
        Files.copy(first, first.resolveSibling("twice-2.0.jar"));
        assertThat(onlyUnusable(PluginRule.READABLE).why()).contains("twice.jar", "twice-2.0.jar");
    }

    @Test
    void aModuleWhoseRequirementIsMissing() throws IOException {
        Path library = jar().with("module-info.java", "module org.library { exports org.library; }")
                .with("org/library/Library.java", "package org.library; public class Library {}")
                .to(work.resolve("elsewhere/library.jar"));
        jar(library)
                .with("module-info.java", "module org.example.incomplete { requires org.library; }")
                .with("org/example/incomplete/Some.java", "package org.example.incomplete; class Some {}")
                .to(plugins.resolve("incomplete/incomplete.jar"));
        assertThat(onlyUnusable(PluginRule.COMPLETE).why()).contains("org.example.incomplete", "org.library");
    }

    @Test
    void aClassThatIsMissing() throws IOException {
        Path library = jar().with(
                        "org/library/Library.java",
                        "package org.library; public class Library { public static void call() {} }")
                .to(work.resolve("elsewhere/library.jar"));
        jar(library)
                .withPlugin("org.example.lacking.Disks", "example.org/lacking", "x", "org.library.Library.call();")
                .to(plugins.resolve("lacking/lacking.jar"));
        assertThat(onlyUnusable(PluginRule.WORKING).why()).contains("org.library.Library");
    }

    @Test
    void aPackageInTwoModules() throws IOException {
        for (String half : List.of("left", "right")) {
            jar().with("org/split/Of" + half + ".java", "package org.split; public class Of" + half + " {}")
                    .to(plugins.resolve("split").resolve(half + ".jar"));
        }
        assertThat(onlyUnusable(PluginRule.CONSISTENT).why()).contains("org.split", "left", "right");
    }

    @Test
    void noProvider() throws IOException {
        jar().with("org/library/Library.java", "package org.library; public class Library {}")
                .to(plugins.resolve("library/library.jar"));
        assertThat(onlyUnusable(PluginRule.PROVIDER).why()).contains("library");
    }

    @Test
    void aProviderThatIsNoPlugin() throws IOException {
        jar().with("org/library/Library.java", "package org.library; public class Library {}")
                .with(PluginJars.SERVICE, "org.library.Library\n")
                .to(plugins.resolve("strange/strange.jar"));
        assertThat(onlyUnusable(PluginRule.WORKING).why()).contains("org.library.Library");
    }

    @Test
    void aDescriptionThatFailsWithAnError() throws IOException {
        for (String error : List.of("AssertionError", "NoClassDefFoundError", "Error")) {
            jar().with(PluginJars.SERVICE, "org.example.failing.Disks\n")
                    .with("org/example/failing/Disks.java", """
                            package org.example.failing;
                            import dev.mooring.storage.model.VolumeSource;
                            import dev.mooring.storage.spi.FieldProblem;
                            import dev.mooring.storage.spi.PluginDescriptor;
                            import dev.mooring.storage.spi.VolumeId;
                            import java.util.List;
                            public class Disks implements dev.mooring.storage.spi.StoragePlugin {
                                @Override public PluginDescriptor describe() { throw new %s("no words"); }
                                @Override public VolumeId identify(VolumeSource source) { return null; }
                                @Override public List<FieldProblem> validate(VolumeSource source) { return List.of(); }
                            }
                            """.formatted(error))
                    .to(plugins.resolve("failing/failing.jar"));
            assertThat(onlyUnusable(PluginRule.WORKING).why()).contains("org.example.failing.Disks", error, "no words");
        }
    }

    @Test
    void aConstructorThatThrows() throws IOException {
        jar().withPlugin(
                        "org.example.throwing.Disks",
                        "example.org/throwing",
                        "x",
                        "if (true) throw new IllegalStateException(\"no license\");")
                .to(plugins.resolve("throwing/throwing.jar"));
        assertThat(onlyUnusable(PluginRule.WORKING).why()).contains("no license", "org.example.throwing.Disks");
    }

    @Test
    void twoThatClaimOneSourceAreBothNamedAndNeitherIsUsed() throws IOException {
        good("fine");
        for (String name : List.of("one", "two")) {
            jar().withPlugin("org.example." + name + ".Disks", "example.org/" + name, "shared")
                    .to(plugins.resolve(name).resolve("plugin.jar"));
        }
        InstalledPlugins installed = load();
        assertThat(names(installed)).containsExactly("example.org/fine");
        assertThat(installed.unusable()).extracting(UnusableDirectory::rule).containsOnly(PluginRule.UNIQUE);
        assertThat(installed.unusable())
                .hasSize(2)
                .allSatisfy(each ->
                        assertThat(each.why()).contains("the source shared", "example.org/one", "example.org/two"));
        assertThat(installed.unusable().get(0).claims()).hasSize(1);
    }

    @Test
    void whatIsMooringsStaysMoorings() throws IOException {
        good("own");
        InstalledPlugins own = InstalledPlugins.of(load().plugins());
        InstalledPlugins installed = own.with(plugins);
        assertThat(installed.loaded()).isEqualTo(own.loaded());
        assertThat(installed.unusable())
                .singleElement()
                .satisfies(each -> assertThat(each.why()).contains("example.org/own", "built in"));
    }

    @Test
    void twoOfOneNameInOneDirectory() throws IOException {
        jar().withPlugin("org.example.a.Disks", "example.org/same", "a").to(plugins.resolve("both/a.jar"));
        jar().withPlugin("org.example.b.Disks", "example.org/same", "b").to(plugins.resolve("both/b.jar"));
        assertThat(onlyUnusable(PluginRule.UNIQUE).why()).contains("the name example.org/same");
    }
}

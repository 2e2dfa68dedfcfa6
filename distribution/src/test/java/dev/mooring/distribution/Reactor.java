// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the build is made of, read from the poms and from what the modules before this one compiled. */
final class Reactor {
    static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("mooring.root"), "mooring.root"));
    static final String VERSION = Objects.requireNonNull(System.getProperty("mooring.version"), "mooring.version");

    private static final Set<String> NO_DESCRIPTOR = Set.of("bom", "benchmarks", "clients", "e2e");
    private static final Set<String> GENERATED = Set.of("dev.mooring.csi.registration", "dev.mooring.csi.v1");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /** One directory that is compiled to a named module. */
    record Unit(String directory, ModuleDescriptor descriptor) {
        String module() {
            return descriptor.name();
        }

        Path classes() {
            return ROOT.resolve(directory).resolve("target/classes");
        }

        Path sources() {
            return ROOT.resolve(directory).resolve("src/main/java");
        }

        Path generatedSources() {
            return ROOT.resolve(directory).resolve("target/generated-sources/annotations");
        }

        boolean isPlugin() {
            return directory.startsWith("plugins-");
        }

        /** The packages that any program may use, in order; without those that a compiler writes, for which the .proto file stands. */
        List<String> exportedPackages() {
            return descriptor.exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .filter(pack -> !GENERATED.contains(pack))
                    .sorted()
                    .toList();
        }
    }

    private Reactor() {}

    static List<String> directories() {
        Matcher matcher = MODULE.matcher(read(ROOT.resolve("pom.xml")));
        List<String> directories = new ArrayList<>();
        while (matcher.find()) {
            directories.add(matcher.group(1));
        }
        assertThat(directories).as("modules of the root pom").isNotEmpty();
        return directories;
    }

    /** The modules of the reactor: all directories but those that have no descriptor by design. */
    static List<Unit> units() {
        List<Unit> units = new ArrayList<>();
        for (String directory : directories()) {
            if (NO_DESCRIPTOR.contains(directory)) {
                continue;
            }
            Path descriptor = ROOT.resolve(directory).resolve("target/classes/module-info.class");
            assertThat(descriptor).as("descriptor of %s", directory).exists();
            try (InputStream in = Files.newInputStream(descriptor)) {
                units.add(new Unit(directory, ModuleDescriptor.read(in, () -> packagesBelow(descriptor.getParent()))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return units;
    }

    /** The modules that others depend on. */
    static List<Unit> libraries() {
        return units().stream()
                .filter(unit -> !unit.directory().equals("distribution"))
                .toList();
    }

    /** Every module of ours and of others that this test can see. */
    static ModuleFinder everything() {
        List<Path> path = new ArrayList<>();
        units().forEach(unit -> path.add(unit.classes()));
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
                if (entry.endsWith(".jar") && !entry.contains("mooring-")) {
                    path.add(Path.of(entry));
                }
            }
        }
        return ModuleFinder.of(path.toArray(Path[]::new));
    }

    static List<Path> filesBelow(Path directory, String suffix) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> packagesBelow(Path classes) {
        Set<String> packages = new java.util.TreeSet<>();
        for (Path file : filesBelow(classes, ".class")) {
            Path parent = classes.relativize(file).getParent();
            if (parent != null) {
                packages.add(parent.toString().replace(File.separatorChar, '.'));
            }
        }
        return packages;
    }

    /** A user of the test world looks for JUnit. */
    static String published(Unit unit) {
        return unit.directory().equals("test-world") ? "junit" : unit.directory();
    }
}

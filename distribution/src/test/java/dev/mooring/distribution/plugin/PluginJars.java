// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.plugin;

import dev.mooring.storage.spi.StoragePlugin;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Makes plugins of third parties: sources in, jars out. */
final class PluginJars {
    static final String SERVICE = "META-INF/services/" + StoragePlugin.class.getName();

    private final Path work;
    private final List<Path> libraries;
    private final Map<String, String> files = new TreeMap<>();

    private PluginJars(Path work, List<Path> libraries) {
        this.work = work;
        this.libraries = libraries;
    }

    /**
     * A jar with nothing in it yet.
     *
     * @param work where it is compiled
     * @param libraries what its classes see beside the SPI
     */
    static PluginJars in(Path work, Path... libraries) throws IOException {
        return new PluginJars(Files.createTempDirectory(work, "jar"), List.of(libraries));
    }

    /** A file; one that ends with {@code .java} is compiled. */
    PluginJars with(String name, String text) {
        files.put(name, text);
        return this;
    }

    /** A plugin class with a name and a source type, and the line of {@code META-INF/services} for it. */
    PluginJars withPlugin(String type, String name, String source) {
        return withPlugin(type, name, source, "");
    }

    /** The same with statements in its constructor. */
    PluginJars withPlugin(String type, String name, String source, String constructor) {
        int dot = type.lastIndexOf('.');
        return with(SERVICE, type + "\n").with(type.replace('.', '/') + ".java", """
                package %s;
                import dev.mooring.storage.model.VolumeSource;
                import dev.mooring.storage.spi.FieldProblem;
                import dev.mooring.storage.spi.Place;
                import dev.mooring.storage.spi.PluginDescriptor;
                import dev.mooring.storage.spi.PluginName;
                import dev.mooring.storage.spi.StoragePlugin;
                import dev.mooring.storage.spi.VolumeId;
                import java.util.List;
                public class %s implements StoragePlugin {
                    public %s() { %s }
                    @Override public PluginDescriptor describe() {
                        return PluginDescriptor.of(new PluginName("%s"), List.of("%s"), Place.CONTROLLER);
                    }
                    @Override public VolumeId identify(VolumeSource source) {
                        return new VolumeId(describe().name(), "one");
                    }
                    @Override public List<FieldProblem> validate(VolumeSource source) { return List.of(); }
                    @Override public String toString() { return text(); }
                    private static String text() { return "as it is"; }
                }
                """.formatted(
                type.substring(0, dot), type.substring(dot + 1), type.substring(dot + 1), constructor, name, source));
    }

    /** Compiles and packs. */
    Path to(Path jar) throws IOException {
        Path classes = Files.createDirectories(work.resolve("classes"));
        List<Path> sources = new ArrayList<>();
        for (Map.Entry<String, String> file : files.entrySet()) {
            boolean source = file.getKey().endsWith(".java");
            Path path = (source ? work.resolve("sources") : classes).resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            if (source) {
                sources.add(path);
            }
        }
        if (!sources.isEmpty()) {
            compile(sources, classes);
        }
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out);
                Stream<Path> all = Files.walk(classes)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                packed.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private void compile(List<Path> sources, Path classes) {
        boolean modular = files.containsKey("module-info.java");
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", classes.toString()));
        arguments.add(modular ? "--module-path" : "--class-path");
        arguments.add(String.join(File.pathSeparator, path()));
        sources.forEach(source -> arguments.add(source.toString()));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int status = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalArgumentException(said.toString());
        }
    }

    private List<String> path() {
        List<String> path =
                new ArrayList<>(libraries.stream().map(Path::toString).toList());
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            String value = System.getProperty(property, "");
            if (!value.isEmpty()) {
                path.add(value);
            }
        }
        return path;
    }
}

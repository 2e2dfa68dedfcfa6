// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.StoragePlugin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The sources of the example plugin, compiled with a mistake in them or without. */
final class ExamplePlugin {
    private static final Path SOURCES = Path.of(
            System.getProperty("mooring.root", ".."), "examples/example-plugin/src/main/java/com/example/shelf");

    private ExamplePlugin() {}

    /** Makes objects of a variant. */
    static Supplier<StoragePlugin> compile(Variant variant, Path directory) throws IOException {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> arguments = new ArrayList<>(
                List.of("--release", "17", "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", contracts()));
        write(variant, directory).forEach(file -> arguments.add(file.toString()));
        StringWriter complaints = new StringWriter();
        PrintWriter out = new PrintWriter(complaints);
        int status = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(status).as(complaints::toString).isZero();
        return () -> load(classes);
    }

    /** The sources of a variant, each with its mistakes in it. */
    static List<Path> write(Variant variant, Path directory) throws IOException {
        List<Path> written = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                written.add(Files.writeString(directory.resolve(name), variant.apply(name, Files.readString(file))));
            }
        }
        return written;
    }

    private static String contracts() {
        try {
            return Path.of(StoragePlugin.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Class loader and all: what a plugin keeps in static fields is lost with it, as at a restart. */
    private static StoragePlugin load(Path classes) {
        try {
            URL[] urls = {classes.toUri().toURL()};
            URLClassLoader loader = new URLClassLoader(urls, StoragePlugin.class.getClassLoader());
            return (StoragePlugin) loader.loadClass("com.example.shelf.ShelfPlugin")
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}

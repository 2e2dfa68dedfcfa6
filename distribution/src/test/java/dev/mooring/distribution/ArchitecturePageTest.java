// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pictures of docs/inside/architecture.md name classes and methods that exist. */
class ArchitecturePageTest {
    private static final Pattern PICTURE = Pattern.compile("(?s)```\n(.*?)```");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern NAME =
            Pattern.compile("(?<![.\\w])([A-Z][a-z]+(?:[A-Z][a-z]+)+)(?:\\.([a-z]\\w*))?\\b");
    private static final Set<String> OTHER_WORDS = Set.of("ModuleLayer", "ReadWriteOncePod");
    private static final int NAMES_AT_LEAST = 50;

    @Test
    void eachNameIsThatOfAClassAndOfItsMethod() throws IOException {
        String page = Reactor.read(Reactor.ROOT.resolve("docs/inside/architecture.md"));
        Map<String, Path> classes = classes();
        Set<String> wrong = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (Pattern place : new Pattern[] {PICTURE, CODE}) {
            Matcher found = place.matcher(place == CODE ? PICTURE.matcher(page).replaceAll("") : page);
            while (found.find()) {
                Matcher name = NAME.matcher(found.group(1));
                while (name.find()) {
                    names.add(name.group(1));
                    if (!OTHER_WORDS.contains(name.group(1)) && !exists(name, classes)) {
                        wrong.add(name.group());
                    }
                }
            }
        }

        assertThat(names).hasSizeGreaterThan(NAMES_AT_LEAST);
        assertThat(wrong).as("names that no class or method has").isEmpty();
    }

    private static boolean exists(Matcher name, Map<String, Path> classes) {
        Path file = classes.get(name.group(1));
        return file != null && (name.group(2) == null || Reactor.read(file).contains(" " + name.group(2) + "("));
    }

    private static Map<String, Path> classes() throws IOException {
        Map<String, Path> classes = new TreeMap<>();
        try (Stream<Path> modules = Files.list(Reactor.ROOT)) {
            modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .forEach(sources -> addTo(classes, sources));
        }
        return classes;
    }

    private static void addTo(Map<String, Path> classes, Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                String name = file.getFileName().toString();
                classes.put(name.substring(0, name.length() - ".java".length()), file);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages, documents, comments and tests are in plain English: they do not have a few words that make a reader stop. */
class WordingTest {
    private static final Pattern WORDS = Pattern.compile(
            "(?i)\\b(whoever|whomever|whom|nobody|somebody|anybody|lest|save for|by then|to be had|anew|of its own accord)\\b");
    private static final Pattern WORDS_IN_SOURCES =
            Pattern.compile("(?i)\\b(whoever|whomever|whom|lest|save for|by then|to be had|anew|of its own accord)\\b");
    private static final Pattern WORDS_IN_COMMENTS =
            Pattern.compile("(?i)\\b(nobody|somebody|anybody|everybody|anyone|no one)\\b");

    /**
     * Also as a part of a name, and over the end of a line. The case matters: {@code noBody()} is Java's, and {@code whoMay} has another
     * word.
     */
    private static final Pattern WORDS_IN_TESTS = Pattern.compile("[Ww]hoever|WHOEVER|[Ww]hom|WHOM"
            + "|([Nn]o|[Ss]ome|[Aa]ny|[Ee]very)body|(NO|SOME|ANY|EVERY)BODY"
            + "|(?i:\\b(lest|save for|by then|to be had|anyone|no one|of its own accord)\\b)".replace(" ", "[\\s*/]+"));

    private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^\\s*//.*$)");
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    private static final Pattern NAME_OF_SCENARIO = Pattern.compile("\\bscenario:[-a-z0-9]+");

    /** Users that a request names, and names of scenarios. */
    private static final Set<String> DATA_OF_TESTS = Set.of(
            "Impersonate-User: nobody",
            "IMPERSONATE-USER: nobody",
            "X-Remote-User: nobody",
            "found-l5-a-node-past-its-time-wakes-nobody",
            "hole-h15-a-pod-whose-volume-is-missing-stops-nobody",
            "issue-43592-a-volume-on-its-way-out-is-nobodys",
            "issue-44372-storage-is-kept-while-nobody-knows");

    private static final List<String> SCENARIOS = List.of(
            "simulation/src/main/resources/corpus",
            "simulation/src/test/resources/scenarios",
            "distribution/src/test/resources/scenarios");

    private static final int SCENARIOS_AT_LEAST = 200;
    private static final int TEXTS_AT_LEAST = 2000;
    private static final int PAGES_AT_LEAST = 25;
    private static final int SOURCES_AT_LEAST = 1_000;
    private static final int TESTS_AT_LEAST = 1_000;
    private static final int COMMENTS_AT_LEAST = 8_000;

    @Test
    void messagesHaveNoneOfTheWords() throws IOException {
        Set<String> wrong = new TreeSet<>();
        int texts = 0;
        for (Path file : files("src/main/java", ".java")) {
            String code = COMMENT.matcher(Reactor.read(file)).replaceAll("");
            for (MatchResult text : TEXT.matcher(code).results().toList()) {
                texts++;
                if (text.group(1).indexOf(' ') >= 0
                        && WORDS.matcher(text.group(1)).find()) {
                    wrong.add(file.getFileName() + ": " + text.group(1));
                }
            }
        }

        assertThat(texts).isGreaterThan(TEXTS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    @Test
    void sourcesHaveNoneOfTheRarestWords() throws IOException {
        Set<String> wrong = new TreeSet<>();
        List<Path> sources = files("src/main/java", ".java");
        for (Path file : sources) {
            for (String line : Reactor.read(file).lines().toList()) {
                if (WORDS_IN_SOURCES.matcher(line).find()) {
                    wrong.add(file.getFileName() + ": " + line.strip());
                }
            }
        }

        assertThat(sources).hasSizeGreaterThan(SOURCES_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    /** A comment names the user, program, node or call that it speaks of. */
    @Test
    void commentsNameThoseTheySpeakOf() throws IOException {
        Set<String> wrong = new TreeSet<>();
        int comments = 0;
        for (Path file : files("src/main/java", ".java")) {
            for (MatchResult comment :
                    COMMENT.matcher(Reactor.read(file)).results().toList()) {
                comments++;
                Matcher word = WORDS_IN_COMMENTS.matcher(comment.group());
                if (word.find()) {
                    wrong.add(file.getFileName() + ": " + word.group() + " in " + comment.group());
                }
            }
        }

        assertThat(comments).isGreaterThan(COMMENTS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    /** Comments, texts and names of tests say who or what does what: a pod, a user, another process. */
    @Test
    void testsNameThoseTheySpeakOf() throws IOException {
        Set<String> wrong = new TreeSet<>();
        Set<String> unused = new TreeSet<>(DATA_OF_TESTS);
        List<Path> tests = files("src/test/java", ".java");
        for (Path file : tests) {
            if (file.endsWith(WordingTest.class.getSimpleName() + ".java")) {
                continue; // it has the words
            }
            String source = Reactor.read(file);
            unused.removeIf(source::contains);
            for (String data : DATA_OF_TESTS) {
                source = source.replace(data, "");
            }
            for (MatchResult word : WORDS_IN_TESTS.matcher(source).results().toList()) {
                long line = source.substring(0, word.start()).lines().count();
                wrong.add(file.getFileName() + ":" + line + ": " + word.group());
            }
        }

        assertThat(tests).hasSizeGreaterThan(TESTS_AT_LEAST);
        assertThat(wrong).isEmpty();
        assertThat(unused).as("data that no test has").isEmpty();
    }

    @Test
    void pagesHaveNoneOfTheWords() throws IOException {
        Set<String> wrong = new TreeSet<>();
        List<Path> pages = new ArrayList<>(List.of(Reactor.ROOT.resolve("README.md")));
        pages.addAll(below(Reactor.ROOT.resolve("docs"), ".md"));
        for (Path page : pages) {
            for (String line : Reactor.read(page).lines().toList()) {
                if (WORDS.matcher(NAME_OF_SCENARIO.matcher(line).replaceAll("")).find()) {
                    wrong.add(Reactor.ROOT.relativize(page) + ": " + line);
                }
            }
        }

        assertThat(pages).hasSizeGreaterThanOrEqualTo(PAGES_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    /** Comments and steps of scenarios say which object, controller or user does what; a scenario's own name stays as it is. */
    @Test
    void scenariosHaveNoneOfTheWords() {
        Set<String> wrong = new TreeSet<>();
        List<Path> scenarios = SCENARIOS.stream()
                .flatMap(directory -> below(Reactor.ROOT.resolve(directory), ".yaml").stream())
                .toList();
        for (Path file : scenarios) {
            String name = file.getFileName().toString();
            String text = Reactor.read(file).replace(name.substring(0, name.lastIndexOf('.')), "");
            for (String line : text.lines().toList()) {
                if (WORDS.matcher(line).find()
                        || WORDS_IN_COMMENTS.matcher(line).find()) {
                    wrong.add(name + ": " + line);
                }
            }
        }

        assertThat(scenarios).hasSizeGreaterThan(SCENARIOS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    private static List<Path> files(String sources, String ending) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path parent : List.of(Reactor.ROOT, Reactor.ROOT.resolve("examples"))) {
            try (Stream<Path> modules = Files.list(parent)) {
                modules.map(module -> module.resolve(sources))
                        .filter(Files::isDirectory)
                        .sorted()
                        .forEach(directory -> found.addAll(below(directory, ending)));
            }
        }
        return found;
    }

    private static List<Path> below(Path directory, String ending) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

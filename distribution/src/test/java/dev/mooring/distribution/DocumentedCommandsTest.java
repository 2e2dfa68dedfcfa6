// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages name only commands, options and tests that exist. */
class DocumentedCommandsTest {
    private static final Pattern BLOCK = Pattern.compile("(?s)```[^\n]*\n(.*?)```");
    private static final Pattern INLINE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern COMMAND = Pattern.compile("^(?:\\$ )?(?:\\S*/)?mooring((?: +[^\\s|;>&#]+)+)");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*[a-z]");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|IT|E2E))(?:\\.\\w+)?`");

    /** Done by the launcher, before there is a JVM. */
    private static final String OF_LAUNCHER = "create-archive";

    /** They name Kubernetes' commands and options; {@link ParityTest} looks at the tests that the second one names. */
    private static final Set<String> OF_KUBERNETES = Set.of("docs/semantics", "docs/inside/parity.md");

    /** Of the benchmarks' scripts. */
    private static final Set<String> OF_OTHERS = Set.of("--once", "--quick");

    private static final int OPTIONS_AT_LEAST = 60;
    private static final int COMMANDS_AT_LEAST = 80;
    private static final int TESTS_AT_LEAST = 60;

    @Test
    void commandsAndTheirOptionsExist() {
        Set<String> wrong = new TreeSet<>();
        int commands = 0;
        for (Path page : pages()) {
            for (String line : code(Reactor.read(page))) {
                Optional<String> words = COMMAND.matcher(line)
                        .results()
                        .map(found -> found.group(1))
                        .findFirst();
                if (words.isPresent()) {
                    commands++;
                    problem(words.get().strip())
                            .ifPresent(what -> wrong.add(Reactor.ROOT.relativize(page) + ": " + what + " in " + line));
                }
            }
        }

        assertThat(commands).isGreaterThan(COMMANDS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    private static Optional<String> problem(String words) {
        CommandLine command = Main.commandLine();
        boolean inOptions = false;
        for (String word : words.split(" +", -1)) {
            String option = word.split("=", 2)[0];
            if (word.equals(OF_LAUNCHER)) {
                return Optional.empty();
            } else if (OPTION.matcher(option).matches()) {
                inOptions = true;
                if (!command.getCommandSpec().optionsMap().containsKey(option)) {
                    return Optional.of("no option " + option);
                }
            } else if (!inOptions && command.getSubcommands().containsKey(word)) {
                command = command.getSubcommands().get(word);
            } else if (!inOptions && command.getParent() == null && word.matches("[a-z][a-z-]+")) {
                return Optional.of("no command " + word);
            }
        }
        return Optional.empty();
    }

    /** An option that stands alone in a text is one of some command. */
    @Test
    void optionsInTextsExist() {
        Set<String> known = new TreeSet<>(OF_OTHERS);
        addOptions(Main.commandLine(), known);
        Set<String> wrong = new TreeSet<>();
        int options = 0;
        for (Path page : pages()) {
            for (String code : code(Reactor.read(page))) {
                Matcher option = OPTION.matcher(code);
                if (option.lookingAt()) {
                    options++;
                    if (!known.contains(option.group())) {
                        wrong.add(Reactor.ROOT.relativize(page) + ": " + option.group());
                    }
                }
            }
        }

        assertThat(options).isGreaterThan(OPTIONS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    private static void addOptions(CommandLine command, Set<String> known) {
        known.addAll(command.getCommandSpec().optionsMap().keySet());
        command.getSubcommands().values().forEach(each -> addOptions(each, known));
    }

    @Test
    void testsExist() {
        Set<String> known = Reactor.directories().stream()
                .flatMap(directory ->
                        Reactor.filesBelow(Reactor.ROOT.resolve(directory).resolve("src/test/java"), ".java").stream())
                .map(file -> String.valueOf(file.getFileName()).replace(".java", ""))
                .collect(Collectors.toSet());
        Set<String> wrong = new TreeSet<>();
        int tests = 0;
        for (Path page : pages()) {
            for (MatchResult test : TEST.matcher(Reactor.read(page)).results().toList()) {
                tests++;
                if (!known.contains(test.group(1))) {
                    wrong.add(Reactor.ROOT.relativize(page) + ": " + test.group(1));
                }
            }
        }

        assertThat(tests).isGreaterThan(TESTS_AT_LEAST);
        assertThat(wrong).isEmpty();
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(List.of(Reactor.ROOT.resolve("README.md")));
        pages.addAll(Reactor.filesBelow(Reactor.ROOT.resolve("docs"), ".md"));
        pages.removeIf(page -> OF_KUBERNETES.stream()
                .anyMatch(out -> Reactor.ROOT.relativize(page).startsWith(Path.of(out))));
        return pages;
    }

    /** The lines of code blocks, with continued lines as one, and code within text. */
    private static List<String> code(String text) {
        Stream<String> blocks = BLOCK.matcher(text)
                .results()
                .flatMap(block -> block.group(1).replaceAll("\\\\\n\\s*", "").lines());
        Stream<String> inline =
                INLINE.matcher(BLOCK.matcher(text).replaceAll("")).results().map(found -> found.group(1));
        return Stream.concat(blocks, inline).map(String::strip).toList();
    }
}

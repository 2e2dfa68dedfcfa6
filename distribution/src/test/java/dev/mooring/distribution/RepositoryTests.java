// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests and scenarios of the repository, as their sources tell. */
final class RepositoryTests implements ParityPage.Sources {
    private static final List<Path> SCENARIOS = List.of(
            Reactor.ROOT.resolve("simulation/src/test/resources/scenarios"),
            Reactor.ROOT.resolve("simulation/src/main/resources/corpus"),
            Reactor.ROOT.resolve("distribution/src/test/resources/scenarios"));
    private static final Path SWITCHES =
            Reactor.ROOT.resolve("binder/src/main/java/dev/mooring/binder/BinderSwitch.java");

    private static final Pattern TEST_ANNOTATION = Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b");
    private static final Pattern BASE = Pattern.compile("(?m)^(?:abstract )?class \\w+ extends (\\w+)");

    private final Map<String, String> testClasses = new HashMap<>();
    private final String switches = Reactor.read(SWITCHES);

    RepositoryTests() {
        for (String directory : Reactor.directories()) {
            Path tests = Reactor.ROOT.resolve(directory).resolve("src/test/java");
            Reactor.filesBelow(tests, ".java")
                    .forEach(file -> testClasses.merge(
                            String.valueOf(file.getFileName()).replace(".java", ""),
                            Reactor.read(file),
                            String::concat));
        }
    }

    /** A method is a test by the annotations above it, up to the next blank line; a class may have it from those that it extends. */
    @Override
    public boolean hasTest(String className, String method) {
        String source = testClasses.getOrDefault(className, "");
        Matcher base = BASE.matcher(source);
        return isTestIn(source, method) || (base.find() && hasTest(base.group(1), method));
    }

    private static boolean isTestIn(String source, String method) {
        Matcher matcher = Pattern.compile("(?m)^ +void " + method + "\\(").matcher(source);
        return matcher.results()
                .map(found -> source.substring(0, found.start()))
                .map(above -> above.substring(above.lastIndexOf("\n\n") + 1))
                .anyMatch(above -> TEST_ANNOTATION.matcher(above).find());
    }

    @Override
    public boolean hasScenario(String name) {
        return SCENARIOS.stream().anyMatch(folder -> Files.isRegularFile(folder.resolve(name + ".yaml")));
    }

    @Override
    public boolean hasSwitch(String constant) {
        return Pattern.compile("^    " + constant + "\\((true|false)\\)", Pattern.MULTILINE)
                .matcher(switches)
                .find();
    }
}

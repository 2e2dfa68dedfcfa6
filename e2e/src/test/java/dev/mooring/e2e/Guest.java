// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A machine with a kernel of its own, which shows this build's directories at the same paths and runs one command. */
final class Guest {
    private static final Path ROOT =
            Path.of(Objects.requireNonNull(System.getProperty("mooring.root"), "mooring.root"));
    private static final Path KIT = ROOT.resolve("e2e/guest");
    private static final int CANNOT = 3;

    private final Path directory;
    private final List<String> options = new ArrayList<>();
    private final List<String> classes = new ArrayList<>();

    /** A guest that leaves its output in a directory, which it can write to. */
    Guest(String name) {
        directory = ROOT.resolve("e2e/target/guests").resolve(name);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the tests of a module of this build lie, compiled. */
    static Path testsOf(String module) {
        String where = System.getProperty("mooring.e2e.tests", "%s/target/test-classes");
        return ROOT.resolve(where.formatted(module));
    }

    /** Builds what guests run on; answers why this machine cannot have any, empty if it can. */
    static Optional<String> whyNot() {
        try {
            Path said = Files.createTempFile("mooring-guest-build", ".log");
            Process build = new ProcessBuilder(KIT.resolve("build").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            int status = build.waitFor();
            String text = Files.readString(said).strip();
            Files.delete(said);
            if (status != 0 && status != CANNOT) {
                throw new IllegalStateException("the guest cannot be built: " + text);
            }
            return status == 0 ? Optional.empty() : Optional.of(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Where it may write, at the same path inside and outside. */
    Path directory() {
        return directory;
    }

    /** One more option of the kit's {@code run}. */
    Guest with(String option, String value) {
        options.addAll(List.of(option, value));
        return this;
    }

    /** One more directory of classes. */
    Guest withClasses(Path directory) {
        classes.add(directory.toString());
        return this;
    }

    /** Boots it with a class of the class path as its command, and waits for its end; answers the exit status. */
    int java(Duration limit, Class<?> main, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(KIT.resolve("run").toString(), "--timeout", "" + limit.toSeconds()));
        command.addAll(List.of("--memory", "1536M", "--jdk", System.getProperty("java.home")));
        command.addAll(List.of("--share", ROOT + ":ro", "--share", repository() + ":ro"));
        command.addAll(List.of("--share", directory.toString()));
        command.addAll(options);
        command.addAll(List.of("--", "java", "-Xmx700m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea"));
        command.addAll(List.of("-Djava.io.tmpdir=/tmp", "-Dmooring.root=" + ROOT));
        for (String name : List.of(
                "mooring.e2e.step",
                "mooring.e2e.boundaries",
                "mooring.e2e.seconds",
                "mooring.e2e.turn",
                "mooring.e2e.only")) {
            Optional.ofNullable(System.getProperty(name)).ifPresent(value -> command.add("-D" + name + "=" + value));
        }
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(Arrays.asList(arguments));
        try {
            Process guest = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
            // A build that is interrupted leaves no guest behind.
            Thread ending = new Thread(guest::destroy, "guest-end");
            Runtime.getRuntime().addShutdownHook(ending);
            int status = guest.waitFor();
            Runtime.getRuntime().removeShutdownHook(ending);
            return status;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All that was said inside. */
    Path log() {
        return directory.resolve("output.log");
    }

    private static Path repository() {
        return Path.of(Objects.requireNonNull(System.getProperty("mooring.e2e.repository"), "mooring.e2e.repository"));
    }

    /** Surefire hands the true class path over in a property of its own. */
    private String classPath() {
        String given = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        List<String> shown = new ArrayList<>(classes);
        Arrays.stream(given.split(File.pathSeparator, -1))
                .filter(entry ->
                        Path.of(entry).startsWith(ROOT) || Path.of(entry).startsWith(repository()))
                .forEach(shown::add);
        return String.join(File.pathSeparator, shown);
    }
}

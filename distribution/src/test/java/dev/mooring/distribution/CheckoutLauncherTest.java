// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When {@code ./mooring} builds a checkout, on a small one with a Maven that notes that it was called. */
class CheckoutLauncherTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
    private static final String JAR = "distribution/target/lib/mooring-distribution-9.9.jar";

    @TempDir
    Path directory;

    private Path tree;

    @BeforeEach
    void makeCheckout() throws IOException {
        tree = Files.createDirectories(directory.resolve("a tree"));
        for (String file : List.of("mooring", "etc/build.sh")) {
            Files.createDirectories(tree.resolve(file).getParent());
            Files.copy(REPOSITORY.resolve(file), tree.resolve(file));
        }
        write("pom.xml", "<project>\n  <version>9.9</version>\n</project>\n");
        write("module/pom.xml", "<project/>\n");
        write("module/src/main/One.java", "class One {}\n");
        write("module/src/main/Two.java", "class Two {}\n");
        executable("distribution/src/dist/bin/mooring", """
                [ "$1" != create-archive ] || touch "$MOORING_LIB/../archive"
                echo "ran $1"
                """);
        executable("bin/mvn", """
                echo "called" >>calls
                mkdir -p distribution/target/lib
                cat module/src/main/*.java >%s
                """.formatted(JAR));
        age(Instant.now().minusSeconds(100));
    }

    @Test
    void whatIsMissingIsBuiltOnceWithItsClassArchive() throws Exception {
        assertThat(start(tree)).endsWith("ran --version");
        assertThat(builds(tree)).isEqualTo(1);
        assertThat(tree.resolve("distribution/target/archive")).exists();
        assertThat(start(tree)).containsExactly("ran --version");
        assertThat(builds(tree)).isEqualTo(1);
    }

    @Test
    void filesWithNewTimesAndTheSameContentAreNotBuiltAgain() throws Exception {
        start(tree);
        start(tree);
        FileTime jar = Files.getLastModifiedTime(tree.resolve(JAR));
        age(Instant.now().plusSeconds(1));
        start(tree);
        assertThat(builds(tree)).isEqualTo(1);
        assertThat(Files.getLastModifiedTime(tree.resolve(JAR)))
                .as("the class archive knows it by its time")
                .isEqualTo(jar);
    }

    @Test
    void aCopyWithNewTimesIsNotBuiltAgain() throws Exception {
        start(tree);
        start(tree);
        Path copy = directory.resolve("copy");
        assertThat(new ProcessBuilder("cp", "-r", tree.toString(), copy.toString())
                        .start()
                        .waitFor())
                .isZero();
        start(copy);
        assertThat(builds(copy)).isEqualTo(1);
        write(copy.resolve("module/src/main/One.java"), "class One { int changed; }\n");
        touch(copy.resolve("module/src/main/One.java"), Instant.now().plusSeconds(1));
        start(copy);
        assertThat(builds(copy)).isEqualTo(2);
    }

    @Test
    void aChangedFileIsBuilt() throws Exception {
        start(tree);
        start(tree);
        write("module/src/main/One.java", "class One { int changed; }\n");
        touch(tree.resolve("module/src/main/One.java"), Instant.now().plusSeconds(1));
        start(tree);
        assertThat(builds(tree)).isEqualTo(2);
    }

    @Test
    void aDeletedFileIsBuilt() throws Exception {
        start(tree);
        start(tree);
        Files.delete(tree.resolve("module/src/main/Two.java"));
        touch(tree.resolve("module/src/main"), Instant.now().plusSeconds(1));
        start(tree);
        assertThat(builds(tree)).isEqualTo(2);
    }

    @Test
    void aJarOfOtherSourcesIsNotTakenForTheirsWhenTheyComeBack() throws Exception {
        start(tree);
        start(tree);
        String before = Files.readString(tree.resolve("module/src/main/One.java"));
        write("module/src/main/One.java", "class One { int changed; }\n");
        assertThat(new ProcessBuilder(tree.resolve("bin/mvn").toString())
                        .directory(tree.toFile())
                        .start()
                        .waitFor())
                .isZero();
        write("module/src/main/One.java", before);
        touch(tree.resolve("module/src/main/One.java"), Instant.now().plusSeconds(1));
        start(tree);
        assertThat(Files.readString(tree.resolve(JAR))).doesNotContain("changed");
    }

    @Test
    void anEditOfAnotherModuleThatIsTakenBackIsBuiltAgain() throws Exception {
        // Its own jar says the same then, since a build sets no times in it.
        executable("bin/mvn", """
                echo "called" >>calls
                mkdir -p distribution/target/lib
                echo same >%s
                cat module/src/main/*.java >distribution/target/lib/module-9.9.jar
                """.formatted(JAR));
        start(tree);
        start(tree);
        String before = Files.readString(tree.resolve("module/src/main/One.java"));
        write("module/src/main/One.java", "class One { int changed; }\n");
        touch(tree.resolve("module/src/main/One.java"), Instant.now().plusSeconds(1));
        start(tree);
        write("module/src/main/One.java", before);
        touch(tree.resolve("module/src/main/One.java"), Instant.now().plusSeconds(2));
        start(tree);
        assertThat(Files.readString(tree.resolve("distribution/target/lib/module-9.9.jar")))
                .doesNotContain("changed");
        assertThat(builds(tree)).isEqualTo(3);
    }

    private List<String> start(Path checkout) throws IOException, InterruptedException {
        ProcessBuilder start = new ProcessBuilder(checkout.resolve("mooring").toString(), "--version");
        start.environment().put("PATH", tree.resolve("bin") + ":" + System.getenv("PATH"));
        start.redirectErrorStream(true);
        Process process = start.start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }

    private static int builds(Path checkout) throws IOException {
        return Files.readAllLines(checkout.resolve("calls")).size();
    }

    private void executable(String file, String script) throws IOException {
        write(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(tree.resolve(file), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void write(String file, String text) throws IOException {
        write(tree.resolve(file), text);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Gives all sources this time. */
    private void age(Instant time) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(tree)) {
            files.filter(file -> !file.startsWith(tree.resolve("distribution/target")))
                    .forEach(sources::add);
        }
        for (Path source : sources) {
            touch(source, time);
        }
    }

    private static void touch(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }
}

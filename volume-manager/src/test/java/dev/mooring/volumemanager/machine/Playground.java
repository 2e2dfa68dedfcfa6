// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** A directory of its own on the real kernel, with everything unmounted and removed in the end. */
public final class Playground implements AutoCloseable {
    /** The directory. */
    public final Path base;
    /** This machine. */
    public final LinuxHost host;

    /** Skips the test, with the reason, where something is missing. */
    public Playground(HostFeature... needed) {
        try {
            base = Files.createTempDirectory("mooring-test").toRealPath();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        var found = LinuxHost.ofThisMachine(new LinuxHostLayout(
                base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))));
        assumeTrue(found.isPresent(), "needs Linux on x86_64 or aarch64");
        host = found.orElseThrow();
        for (HostFeature feature : needed) {
            assumeTrue(
                    host.capabilities().has(feature),
                    () -> feature + ": "
                            + host.capabilities().whyMissing(feature).orElse(""));
        }
    }

    /** A call with a time limit. */
    public RecordingCall context() {
        return RecordingCall.of(host);
    }

    /** Makes a directory. */
    public Path directory(String name) {
        try {
            return Files.createDirectories(base.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a file. */
    public Path file(String name, String content) {
        try {
            Path file = base.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a path. */
    public PinnedPath open(Path path) {
        return value(host.files().open(path, LinkRule.FOLLOW));
    }

    /** The mounts at a path. */
    public List<MountEntry> mountsAt(Path path) {
        return value(host.mounts().table()).at(path);
    }

    /** The mounts below a path. */
    public List<MountEntry> mountsBelow(Path path) {
        return value(host.mounts().table()).below(path);
    }

    /** Mode and group, such as {@code 2775 1000}. */
    public static String modeAndGroup(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
        return Integer.toOctalString(mode) + " " + Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    }

    /** The value of an outcome that has to be a success. */
    public static <T> T value(Outcome<T> outcome) {
        assertThat(outcome.isDone()).as(outcome::toString).isTrue();
        return outcome.result().orElseThrow();
    }

    /** The kind of an outcome in one word. */
    public static String kindOf(Outcome<?> outcome) {
        return outcome.match(
                done -> "done",
                refused -> refused.refusal().toString(),
                uncertain -> "uncertain",
                deferred -> "deferred",
                elsewhere -> "elsewhere");
    }

    /** Runs a tool, which has to succeed. */
    public static String tool(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As a machine does that goes down. */
    public void unmountBelow(Path path) {
        for (int round = 0; round < 1000 && !mountsBelow(path).isEmpty(); round++) {
            List<MountEntry> left = mountsBelow(path);
            tool("umount", "-l", left.get(left.size() - 1).mountPoint().toString());
        }
    }

    @Override
    public void close() throws IOException {
        unmountBelow(base);
        Files.walkFileTree(base, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}

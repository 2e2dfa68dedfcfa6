// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories of one run, all below one temporary directory.
 *
 * @param base the temporary directory
 */
record RunDirectories(Path base) implements AutoCloseable {
    private static final int AT_ONCE = 100;

    static RunDirectories create() throws IOException {
        Path base = Files.createTempDirectory("mooring-publish-").toRealPath();
        for (String name : List.of("disks", "kubelet", "state")) {
            Files.createDirectory(base.resolve(name));
        }
        return new RunDirectories(base);
    }

    /**
     * An interrupted run leaves a thousand mounts otherwise.
     *
     * @param stop ends what mounts here
     */
    void cleanUpWhenInterrupted(Runnable stop) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(stop)));
    }

    private void cleanUp(Runnable stop) {
        try {
            if (!Files.exists(base)) {
                return;
            }
            stop.run();
            for (List<String> left = mounted(); !left.isEmpty(); left = mounted()) {
                List<String> command = new ArrayList<>(List.of("umount", "-l"));
                command.addAll(left.subList(0, Math.min(AT_ONCE, left.size())));
                new ProcessBuilder(command).inheritIO().start().waitFor();
            }
            close();
        } catch (IOException e) {
            System.err.println("publish: something is left in " + base + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> mounted() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .map(line -> line.split(" ", -1)[4])
                .filter(mount -> mount.startsWith(base + "/"))
                .toList();
    }

    /** What a volume shows. */
    Path disk(String volume) {
        try {
            return Files.createDirectories(base.resolve("disks").resolve(volume));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return base.resolve("kubelet");
    }

    Path state() {
        return base.resolve("state");
    }

    Path orphans() {
        return base.resolve("orphans");
    }

    Path records() {
        return base.resolve("records");
    }

    /** Deletes everything; called after all mounts are gone, and never follows a link. */
    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

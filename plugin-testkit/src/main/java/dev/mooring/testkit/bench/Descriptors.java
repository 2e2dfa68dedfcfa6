// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files and sockets that this process has open, round after round of the same. The platform opens some when it likes, and others in this
 * process open theirs: only what becomes more in every round is a leak.
 */
public final class Descriptors {
    private static final Path OPEN = Path.of("/proc/self/fd");
    /** What the platform reads its classes and random numbers from, and the kernel's own files. */
    private static final List<String> OF_PLATFORM = List.of(".jar", ".jmod", ".so", "/modules", "random");

    private final List<Map<String, Integer>> rounds = new ArrayList<>();

    /** Whether the kernel tells. */
    public static boolean areTold() {
        return Files.isDirectory(OPEN);
    }

    /** Looks at the end of a round. */
    public void look() {
        Map<String, Integer> now = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(OPEN)) {
            for (Path each : all) {
                target(each).map(Descriptors::kind).ifPresent(kind -> now.merge(kind, 1, Integer::sum));
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // another round will tell
        }
        rounds.add(now);
    }

    private static Optional<String> target(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            boolean ofPlatform = target.startsWith("/proc/")
                    || target.startsWith("/sys/")
                    || OF_PLATFORM.stream().anyMatch(target::endsWith);
            return ofPlatform ? Optional.empty() : Optional.of(target);
        } catch (IOException e) {
            return Optional.empty(); // closed meanwhile
        }
    }

    /** {@code socket}, {@code pipe}, {@code anon_inode:[eventpoll]}; files are of one kind, whatever their names. */
    private static String kind(String target) {
        return target.startsWith("/") ? "files" : target.replaceFirst(":\\[\\d+]$", "s");
    }

    /** What became more in every round, for people. */
    public Optional<String> growing() {
        if (rounds.size() < 3) {
            return Optional.empty();
        }
        return rounds.get(0).keySet().stream().filter(this::grows).findFirst().map(kind -> {
            List<Integer> counts = rounds.stream().map(round -> round.get(kind)).toList();
            return "round after round this process has more " + kind + " open: " + counts;
        });
    }

    private boolean grows(String kind) {
        for (int i = 1; i < rounds.size(); i++) {
            if (rounds.get(i).getOrDefault(kind, 0) <= rounds.get(i - 1).getOrDefault(kind, 0)) {
                return false;
            }
        }
        return true;
    }
}

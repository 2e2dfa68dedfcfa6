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
import java.util.stream.IntStream;

/**
 * The files and sockets that this process has open, round after round of the same. The platform opens some when it likes, and others in this
 * process open theirs; the collector of garbage closes what tests before forgot, in the middle of a round. Only what becomes more in many rounds in
 * a row is a leak, and a round in which it did not proves nothing yet.
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
        add(now);
    }

    void add(Map<String, Integer> round) {
        rounds.add(round);
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

    /** Whether it is too early to say that nothing leaks: something grew in one of the last two rounds. */
    public boolean areUnsettled() {
        int last = rounds.size() - 1;
        return last < 2 || grew(last) || grew(last - 1);
    }

    /**
     * What became more in each of the last rounds, for people.
     *
     * @param times how many rounds in a row
     */
    public Optional<String> growing(int times) {
        if (rounds.size() <= times) {
            return Optional.empty();
        }
        List<Map<String, Integer>> lately = rounds.subList(rounds.size() - 1 - times, rounds.size());
        return lately.get(times).keySet().stream()
                .filter(kind -> IntStream.rangeClosed(1, times)
                        .allMatch(i -> count(lately.get(i), kind) > count(lately.get(i - 1), kind)))
                .findFirst()
                .map(kind -> "round after round this process has more " + kind + " open: "
                        + lately.stream().map(round -> count(round, kind)).toList());
    }

    private boolean grew(int round) {
        return rounds.get(round).keySet().stream()
                .anyMatch(kind -> count(rounds.get(round), kind) > count(rounds.get(round - 1), kind));
    }

    private static int count(Map<String, Integer> round, String kind) {
        return round.getOrDefault(kind, 0);
    }
}

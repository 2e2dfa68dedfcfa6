// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e;

import dev.mooring.e2e.inside.InsideMain;
import dev.mooring.e2e.inside.PowerMain;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The power of a guest with a writing pod is cut again and again, at random instants; its disk outlives it. */
final class PowerCuts {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long DISK_BYTES = 512L << 20;
    private static final int CUT = 137;
    private static final String CUTTING = "cut ";

    /** About as many boundaries as two pods pass in one after the other. */
    private static final int BOUNDARIES = 150;

    private static final int MICROS = 100_000;

    /** After so long no further cut is made; one is on any machine. */
    private static final long SECONDS = Long.getLong("mooring.e2e.seconds", Long.MAX_VALUE);

    private PowerCuts() {}

    /**
     * Cuts the power so many times, or as often as there is time for, then lets it all come to its end; one result for each boot. How many
     * cuts were made and left out is printed.
     *
     * @param group what the lines that are printed name
     */
    static List<TestResult> run(String group, String storage, int cuts) {
        long seed = Long.getLong("mooring.e2e.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Guest guest = new Guest("power-" + storage);
        List<TestResult> results = new ArrayList<>();
        long begin = System.nanoTime();
        try {
            guest.with("--disk", newDisk(guest.directory()).toString());
            Files.deleteIfExists(guest.directory().resolve("acknowledged"));
            Files.deleteIfExists(guest.directory().resolve("acknowledged-scratch"));
            boolean last = false;
            for (int cut = 1; !last; cut++) {
                boolean late = (System.nanoTime() - begin) / 1_000_000_000 >= SECONDS;
                last = cut > cuts || (late && cut > 1);
                int boundary = last ? 0 : 1 + random.nextInt(BOUNDARIES);
                String micros = String.valueOf(random.nextInt(MICROS));
                String name = last ? "end" : CUTTING + cut + " " + micros + " us after boundary " + boundary;
                TestResult result = boot(guest, storage, boundary, micros, name + ", seed " + seed);
                results.add(result);
                if (result.end() != TestResult.End.PASSED) {
                    break;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tell(group, cuts, results);
        return results;
    }

    /** Where a boot came to a bad end, it is the reason for what was not done. */
    private static void tell(String group, int cuts, List<TestResult> results) {
        List<TestResult> well = results.stream()
                .filter(result -> result.end() == TestResult.End.PASSED)
                .toList();
        long made = well.stream()
                .filter(result -> result.name().startsWith(CUTTING))
                .count();
        System.out.printf("guest group %s: %sthe power was cut %d times of %d%n", group, InsideMain.SEEN, made, cuts);
        if (well.size() == results.size()) {
            System.out.printf("guest group %s: %s%d%n", group, InsideMain.LEFT_OUT, cuts - made);
        }
    }

    private static TestResult boot(Guest guest, String storage, int boundary, String micros, String name)
            throws IOException {
        long begin = System.nanoTime();
        int status = guest.java(
                LIMIT, PowerMain.class, storage, guest.directory().toString(), String.valueOf(boundary), micros);
        long millis = (System.nanoTime() - begin) / 1_000_000;
        boolean well = status == (boundary == 0 ? 0 : CUT);
        return new TestResult(
                "power-" + storage,
                name,
                well ? TestResult.End.PASSED : TestResult.End.FAILED,
                millis,
                well ? "" : "exit status " + status + "\n" + Files.readString(guest.log()));
    }

    /** An empty disk in a directory, in place of an earlier one. */
    static Path newDisk(Path directory) throws IOException {
        Path disk = directory.resolve("disk");
        Files.deleteIfExists(disk);
        try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
            file.setLength(DISK_BYTES);
        }
        return disk;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e;

import dev.mooring.e2e.inside.ShutdownMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A guest is shut down while a pod has a volume of a target, and boots again (conformance point I31). */
final class OrderedShutdown {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int CUT = 137;

    private OrderedShutdown() {}

    /** One result for each boot. */
    static List<TestResult> run() {
        Guest guest = new Guest("shutdown");
        List<TestResult> results = new ArrayList<>();
        try {
            guest.with("--disk", PowerCuts.newDisk(guest.directory()).toString());
            results.add(boot(guest, "first", "i31_nothingIsMountedAndNoInitiatorIsLoggedIn", CUT));
            results.add(boot(guest, "next", "i31_theFileSystemIsCleanAndNoSessionIsThere", 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }

    private static TestResult boot(Guest guest, String which, String name, int expected) throws IOException {
        long begin = System.nanoTime();
        int status = guest.java(LIMIT, ShutdownMain.class, which);
        long millis = (System.nanoTime() - begin) / 1_000_000;
        boolean well = status == expected;
        return new TestResult(
                "shutdown",
                name,
                well ? TestResult.End.PASSED : TestResult.End.FAILED,
                millis,
                well ? "" : "exit status " + status + "\n" + Files.readString(guest.log()));
    }
}

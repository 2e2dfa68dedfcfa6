// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The process of the whole control plane is stopped at every instant before and after something changes, and started again: it always
 * comes to the same end, with the data, nothing mounted twice and nothing left.
 */
public final class CrashMatrixE2E {
    private CrashMatrixE2E() {}

    /** Directories of this machine and of a server. */
    public static class OfDirectories {
        @TestFactory
        Stream<DynamicTest> hostPath() throws IOException, InterruptedException {
            return atBoundaries("hostPath", 1);
        }

        @TestFactory
        Stream<DynamicTest> nfs() throws IOException, InterruptedException {
            return atBoundaries("nfs4", 2);
        }

        @TestFactory
        Stream<DynamicTest> nfsOfVersion3() throws IOException, InterruptedException {
            return atBoundaries("nfs3", 8);
        }

        @TestFactory
        Stream<DynamicTest> localDirectory() throws IOException, InterruptedException {
            return atBoundaries("local", 6);
        }
    }

    /** A disk of this machine. */
    public static class OfDisks {
        @TestFactory
        Stream<DynamicTest> localDevice() throws IOException, InterruptedException {
            return atBoundaries("local-device", 2);
        }
    }

    /** A unit of a target. */
    public static class OfUnits {
        @TestFactory
        Stream<DynamicTest> iscsi() throws IOException, InterruptedException {
            return atBoundaries("iscsi", 6);
        }

        /** With a password, shown as a device. */
        @TestFactory
        Stream<DynamicTest> iscsiWithChapAsDevice() throws IOException, InterruptedException {
            return atBoundaries("iscsi-chap-block", 12);
        }
    }

    /**
     * The boundaries of a clean run.
     *
     * @param step takes every so-many-th of them, since each costs two processes; {@code -Dmooring.e2e.step=1} takes all, and
     *     {@code -Dmooring.e2e.boundaries=7,8} these two
     */
    private static Stream<DynamicTest> atBoundaries(String name, int step) throws IOException, InterruptedException {
        int every = Integer.getInteger("mooring.e2e.step", step);
        Backend backend = Backends.named(name);
        backend.start();
        Path clean = GuestWorld.temporary();
        backend.make(clean.resolve("data"));
        int status = process(name, clean, 0);
        assertThat(status).as(() -> said(clean)).isZero();
        List<String> boundaries = Files.readAllLines(clean.resolve("passed"));
        backend.remove(clean.resolve("data"));
        // Threads race, so a later run may pass them in another order; a run that ends before its boundary is taken up
        // all the same.
        List<String> only =
                List.of(System.getProperty("mooring.e2e.boundaries", "").split(",", -1));
        return TimeShare.spread(IntStream.rangeClosed(1, boundaries.size())
                .filter(n -> only.contains("") ? n % every == 0 : only.contains(String.valueOf(n)))
                .mapToObj(n -> DynamicTest.dynamicTest(
                        name + " stopped " + boundaries.get(n - 1), () -> stoppedAndTakenUp(name, n)))
                .toList());
    }

    private static void stoppedAndTakenUp(String name, int boundary) throws IOException, InterruptedException {
        Backend backend = Backends.named(name);
        Path base = GuestWorld.temporary();
        backend.make(base.resolve("data"));
        List<String> before = MachineView.traces();
        int status = process(name, base, boundary);
        assertThat(status).as(() -> said(base)).isIn(0, Boundaries.STOPPED);
        Optional<String> formatted = fileSystem(base);
        try (GuestWorld world = new GuestWorld(base, Boundaries.none(), before)) {
            new Life(backend, base).live(world);
            world.end();
        }
        formatted.ifPresent(
                uuid -> assertThat(fileSystem(base)).as("not formatted again").contains(uuid));
        backend.remove(base.resolve("data"));
    }

    /** The file system on the disk behind the volume, by its uuid; empty if there is no disk or nothing on it. */
    private static Optional<String> fileSystem(Path base) {
        Path image = base.resolve("data/image");
        return Files.exists(image)
                ? Optional.of(MachineView.tryRun("blkid", "-p", "-o", "value", "-s", "UUID", image.toString()))
                        .filter(uuid -> !uuid.isEmpty())
                : Optional.empty();
    }

    private static String said(Path base) {
        return "what the process said: " + MachineView.read(base.resolve("output.log"));
    }

    private static int process(String name, Path base, int boundary) throws InterruptedException {
        Path output = base.resolve("output.log");
        return ChildJvm.start(output, CrashMain.class, name, base.toString(), String.valueOf(boundary))
                .waitFor();
    }
}

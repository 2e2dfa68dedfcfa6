// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The process of the whole control plane is stopped at every instant before and after something changes, and started again: it always
 * comes to the same end, with the data, nothing mounted twice and nothing left.
 */
public class CrashMatrixE2E {
    @TestFactory
    Stream<DynamicTest> hostPath() throws IOException, InterruptedException {
        return atEveryBoundary(Backends.named("hostPath"));
    }

    private static Stream<DynamicTest> atEveryBoundary(Backend backend) throws IOException, InterruptedException {
        backend.start();
        Path clean = World.temporary();
        backend.make(clean.resolve("data"));
        int status = process(backend, clean, 0);
        assertThat(status).as(() -> said(clean)).isZero();
        List<String> boundaries = Files.readAllLines(clean.resolve("passed"));
        backend.remove(clean.resolve("data"));
        // A later run may pass a few more or fewer, since threads race: the last ones are tried beyond the end.
        int only = Integer.getInteger("mooring.e2e.boundary", 0);
        return IntStream.rangeClosed(1, boundaries.size())
                .filter(n -> only == 0 || n == only)
                .mapToObj(n -> DynamicTest.dynamicTest(
                        backend.name() + " stopped " + boundaries.get(n - 1), () -> stoppedAndTakenUp(backend, n)));
    }

    private static void stoppedAndTakenUp(Backend backend, int boundary) throws IOException, InterruptedException {
        List<String> before = Machine.traces();
        Path base = World.temporary();
        backend.make(base.resolve("data"));
        int status = process(backend, base, boundary);
        assertThat(status).as(() -> said(base)).isIn(0, Boundaries.STOPPED);
        try (World world = new World(base, Boundaries.none(), before)) {
            new Life(backend, base).live(world);
            world.end();
        }
        backend.remove(base.resolve("data"));
    }

    private static String said(Path base) {
        return "what the process said: " + Machine.read(base.resolve("output.log"));
    }

    private static int process(Backend backend, Path base, int boundary) throws InterruptedException {
        Path output = base.resolve("output.log");
        return ChildJvm.start(output, CrashMain.class, backend.name(), base.toString(), String.valueOf(boundary))
                .waitFor();
    }
}

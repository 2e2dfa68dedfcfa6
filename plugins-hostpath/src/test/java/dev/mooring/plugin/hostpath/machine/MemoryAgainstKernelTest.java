// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The kit's machine in memory answers as a real one: else a correct plugin fails in memory, or a wrong one passes. */
@Tag("long")
class MemoryAgainstKernelTest {
    private static final int WALKS = Integer.getInteger("mooring.test.walks", 100);
    private static final int STEPS = 40;

    private static HostServices real(Path directory) {
        try {
            return LinuxHost.ofThisMachine(LinuxHostLayout.below(Files.createDirectory(directory.resolve("host"))))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> walk(Machine machine, long seed, boolean mounts) {
        try (machine) {
            HostWalk walk = new HostWalk(machine, seed, mounts);
            List<String> lines = walk.take(STEPS);
            walk.end();
            return lines;
        }
    }

    private static void compare(boolean mounts) {
        for (long seed = 0; seed < WALKS; seed++) {
            List<String> kernel = walk(Machine.inTemporaryDirectory(MemoryAgainstKernelTest::real), seed, mounts);
            List<String> memory = walk(Machine.inMemory(), seed, mounts);

            assertThat(memory).as("seed %d", seed).isEqualTo(kernel);
        }
    }

    @Test
    void filesAreAsTheKernelHasThem() {
        compare(false);
    }

    @Test
    void mountsAreAsTheKernelHasThem() {
        try (Machine machine = Machine.inTemporaryDirectory(MemoryAgainstKernelTest::real)) {
            assumeTrue(
                    machine.host().capabilities().has(HostFeature.ATOMIC_BIND),
                    () -> machine.host()
                            .capabilities()
                            .whyMissing(HostFeature.ATOMIC_BIND)
                            .orElse(""));
        }
        compare(true);
    }
}

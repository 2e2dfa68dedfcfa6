// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.testkit.host.Machine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same contract on this machine's kernel. */
@Tag("long")
class HostPathKernelConformanceTest extends HostPathConformanceTest {
    @Override
    public Machine machine() {
        HostCapabilities here = host(Path.of("/nowhere")).capabilities();
        List.of(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES)
                .forEach(feature -> assumeTrue(
                        here.has(feature),
                        () -> feature + ": " + here.whyMissing(feature).orElse("")));
        return Machine.inTemporaryDirectory(HostPathKernelConformanceTest::host);
    }

    private static LinuxHost host(Path directory) {
        return LinuxHost.ofThisMachine(new LinuxHostLayout(
                        directory.resolve("state"),
                        directory.resolve("orphans"),
                        KeptPlaces.in(directory.resolve("places"))))
                .orElseThrow();
    }
}

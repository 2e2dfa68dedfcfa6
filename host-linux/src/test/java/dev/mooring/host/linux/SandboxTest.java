// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process is answered that may not use the mount calls. */
class SandboxTest {
    @Test
    void whereTheMountCallsAreForbiddenNoDirectoryIsShownAlone() throws IOException {
        try (KernelMachine machine = new KernelMachine(HostFeature.ROOT)) {
            assumeTrue(machine.host.processes().locate("setpriv").isPresent(), "needs setpriv");

            assertThat(KernelMachine.inJvm(
                            List.of("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"),
                            Child.class,
                            machine.base.toString()))
                    .isEqualTo("UNSUPPORTED");
        }
    }

    /** Tells what comes of it. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            Path base = Path.of(arguments[0]);
            LinuxHost host = LinuxHost.ofThisMachine(LinuxHostLayout.below(base.resolve("state")))
                    .orElseThrow();
            Outcome<PinnedPath> alone = host.files().open(base, LinkRule.FOLLOW).then(opened -> {
                try (opened) {
                    return opened.withoutMounts();
                }
            });
            System.out.writeBytes(KernelMachine.kindOf(alone).getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.kernel.Architecture;
import dev.mooring.host.linux.process.HeadAndTail;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LinuxHostTest {
    @Test
    void saysWhyAFeatureIsMissing() throws IOException {
        try (KernelMachine machine = new KernelMachine()) {
            for (HostFeature feature : HostFeature.values()) {
                boolean there = machine.host.capabilities().has(feature);

                assertThat(machine.host.capabilities().whyMissing(feature).isPresent())
                        .isNotEqualTo(there);
            }
        }
    }

    @Test
    void everyPluginHasItsStateDirectory() throws IOException {
        try (KernelMachine machine = new KernelMachine()) {
            assertThat(KernelMachine.value(machine.host.stateDirectory(new PluginName("kubernetes.io/host-path"))))
                    .isEqualTo(machine.base.resolve("state/hostpath"));
            assertThat(KernelMachine.value(machine.host.stateDirectory(new PluginName("example.com/host-path"))))
                    .isEqualTo(machine.base.resolve("state/example.com~host-path"));
        }
    }

    @Test
    void withoutAHostEverythingIsRefused() {
        HostServices none = HostServices.none();
        TimedCall context = TimedCall.of(none);

        assertThat(none.capabilities().missing()).containsOnlyKeys(HostFeature.values());
        assertThat(KernelMachine.refusal(none.mounts().table())).contains(Refusal.UNSUPPORTED);
        assertThat(KernelMachine.refusal(none.files().open(Path.of("/"), LinkRule.FOLLOW)))
                .contains(Refusal.UNSUPPORTED);
        assertThat(KernelMachine.refusal(none.processes().run(context, Command.query("true"))))
                .contains(Refusal.UNSUPPORTED);
        assertThat(KernelMachine.refusal(none.stateDirectory(new PluginName("a/b"))))
                .contains(Refusal.UNSUPPORTED);
    }

    @Test
    void outputKeepsHeadAndTail() {
        HeadAndTail output = new HeadAndTail(4);
        add(output, "abc");
        assertThat(output).hasToString("abc");
        add(output, "defg");
        assertThat(output).hasToString("abcdefg");
        add(output, "hijkl");
        assertThat(output).hasToString("abcd\n[…]\nijkl");
    }

    private static void add(HeadAndTail output, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        output.add(bytes, bytes.length);
    }

    @Test
    void theMachinesDifferInNumbersAndFlags() {
        assertThat(Architecture.X86_64.number(Architecture.Call.OPENAT)).isEqualTo(257);
        assertThat(Architecture.AARCH64.number(Architecture.Call.OPENAT)).isEqualTo(56);
        assertThat(Architecture.AARCH64.directoryFlag).isEqualTo(040000);
        assertThat(Architecture.AARCH64.noFollowFlag).isEqualTo(0100000);
        assertThat(Architecture.X86_64.directoryFlag).isEqualTo(0200000);
        assertThat(Architecture.X86_64.noFollowFlag).isEqualTo(0400000);
    }
}

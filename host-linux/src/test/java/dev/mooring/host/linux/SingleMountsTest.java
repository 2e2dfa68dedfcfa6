// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SingleMountsTest {
    private KernelMachine machine;
    private SingleMounts single;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT);
        single = new SingleMounts(machine.kernel);
        assumeThat(KnownMounts.of(machine.kernel, machine.host.mounts()::table))
                .as("the kernel tells single mounts in full")
                .isPresent();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    @Test
    void aMountIsToldAsItStandsInTheTable() throws KernelException {
        Path plain = machine.directory("a place, with \\040 and\nmore");
        KernelMachine.tool(
                "mount", "-t", "tmpfs", "-o", "ro,nosuid,nodiratime,size=1m", "a source\\, #1", plain.toString());
        Path shared = machine.sharedRoot("shared");
        Path gone = machine.directory("shared/original");
        Path shown = machine.directory("shown");
        KernelMachine.tool("mount", "--bind", gone.toString(), shown.toString());
        KernelMachine.tool("mount", "-o", "remount,bind,noexec,nodev,strictatime", shown.toString());
        KernelMachine.tool("mount", "--make-slave", shown.toString());
        KernelMachine.tool("rmdir", gone.toString());

        assertThat(told())
                .containsExactlyInAnyOrderElementsOf(List.of(
                        machine.mountsAt(plain).get(0),
                        machine.mountsAt(shared).get(0),
                        machine.mountsAt(shown).get(0)));
    }

    @Test
    void aKernelThatTellsMountsOtherwiseThanItsTableIsNotAsked() {
        MountTable table = KernelMachine.value(machine.host.mounts().table());
        List<MountEntry> withoutOne = table.entries().subList(1, table.entries().size());
        List<MountEntry> otherwise =
                table.entries().stream().map(SingleMountsTest::fromElsewhere).toList();

        assertThat(KnownMounts.of(machine.kernel, () -> Outcome.done(new MountTable(withoutOne))))
                .isEmpty();
        assertThat(KnownMounts.of(machine.kernel, () -> Outcome.done(new MountTable(otherwise))))
                .isEmpty();
        assertThat(KnownMounts.of(machine.kernel, () -> Outcome.uncertain("it cannot be read")))
                .isEmpty();
    }

    private static MountEntry fromElsewhere(MountEntry entry) {
        return new MountEntry(
                entry.id(),
                entry.parent(),
                entry.device(),
                entry.root(),
                entry.rootDeleted(),
                entry.mountPoint(),
                entry.options(),
                entry.peerGroup(),
                entry.master(),
                entry.fsType(),
                entry.source() + "-elsewhere",
                entry.superOptions());
    }

    private List<MountEntry> told() throws KernelException {
        List<MountEntry> told = new ArrayList<>();
        for (long id : single.below(SingleMounts.ALL)) {
            single.tell(id)
                    .map(SingleMounts.Told::entry)
                    .filter(entry -> entry.mountPoint().startsWith(machine.base))
                    .ifPresent(told::add);
        }
        return told;
    }
}

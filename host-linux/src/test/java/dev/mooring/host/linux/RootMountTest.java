// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountRequest;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The node's root below a mount that is shared or is not, as the machine's own may be. */
class RootMountTest {
    private KernelMachine machine;
    private Path above;
    private Path root;

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.ATOMIC_BIND, HostFeature.RESOLVE_RULES);
        above = machine.sharedRoot("above");
        root = machine.directory("above/kubelet");
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    private LinuxMounts mounts() {
        return MachineMounts.ofTheirOwn(machine);
    }

    private MountEntry pin(Mounts mounts, Path source, String pod) {
        try (PinnedPath pinned = machine.open(source)) {
            return KernelMachine.value(mounts.bind(pinned, root.resolve("pods").resolve(pod), BindOptions.TREE));
        }
    }

    private MountEntry memory(Mounts mounts, String pod) {
        Path place = machine.directory("above/kubelet/pods").resolve(pod);
        return KernelMachine.value(
                mounts.mount(machine.context(), place, new MountRequest(pod, "tmpfs", List.of(), false)));
    }

    private void unmount(Mounts mounts, MountEntry entry, boolean tree) {
        KernelMachine.value(mounts.unmount(
                machine.context(), entry.mountPoint(), MountExpectation.of(entry, tree), UnmountForce.NONE));
    }

    private int count() {
        return KernelMachine.value(machine.host.mounts().table())
                .below(machine.base)
                .size();
    }

    @Test
    void whatIsAboveIsShownWithoutWhatPodsHave() throws IOException {
        LinuxMounts mounts = mounts();
        int before = count();
        RootMount own = KernelMachine.value(mounts.separate(root));
        MountEntry memory = memory(mounts, "memory");
        int start = count();

        MountEntry first = pin(mounts, above, "first");
        int each = count() - start;
        MountEntry second = pin(mounts, above, "second");
        MountEntry late = memory(mounts, "late");

        assertThat(each).isLessThanOrEqualTo(1);
        assertThat(count()).isEqualTo(start + each + 2);
        assertThat(machine.host.mounts().table().result().orElseThrow().below(first.mountPoint()))
                .isEmpty();
        Path elsewhere = machine.directory("above/elsewhere");
        KernelMachine.tool("mount", "-t", "tmpfs", "host", elsewhere.toString());
        assertThat(Files.getFileStore(first.mountPoint().resolve("elsewhere")).name())
                .isEqualTo("host");
        KernelMachine.tool("umount", elsewhere.toString());

        unmount(mounts, memory, false);
        unmount(mounts, late, false);
        unmount(mounts, first, true);
        unmount(mounts, second, true);
        own.close();
        assertThat(count()).isLessThanOrEqualTo(before);
    }

    @Test
    void aDirectoryOfTheRootItselfIsShownWithoutWhatPodsHave() {
        LinuxMounts mounts = mounts();
        KernelMachine.value(mounts.separate(root));
        memory(mounts, "memory");
        int start = count();

        for (int pod = 1; pod <= 5; pod++) {
            pin(mounts, root, "pod-" + pod);
            assertThat(count()).isEqualTo(start + pod);
        }
    }

    @Test
    void theNextProcessFindsTheLayers() {
        KernelMachine.value(mounts().separate(root));
        int start = count();

        RootMount again = KernelMachine.value(mounts().separate(root));

        assertThat(count()).isEqualTo(start);
        again.close();
        assertThat(count()).isEqualTo(start - 2);
    }

    @Test
    void aLowerLayerThatWasLeftAloneIsBuiltUpon() {
        KernelMachine.tool("mount", "--bind", root.toString(), root.toString());
        KernelMachine.tool("mount", "--make-unbindable", root.toString());

        showsNoMountsOfOthers();
    }

    @Test
    void anUpperLayerThatWasNotFinishedIsMadeAnew() {
        int before = count();
        String steps = "exec 3<\"$0\" && mount --bind \"$0\" \"$0\" && mount --make-unbindable \"$0\""
                + " && mount -c --bind /proc/self/fd/3 \"$0\"";
        KernelMachine.tool("sh", "-c", steps, root.toString());

        showsNoMountsOfOthers();
        assertThat(count()).isEqualTo(before);
    }

    private void showsNoMountsOfOthers() {
        LinuxMounts mounts = mounts();
        RootMount own = KernelMachine.value(mounts.separate(root));
        MountEntry memory = memory(mounts, "memory");
        assertThat(machine.host.mounts().table().result().orElseThrow().references(memory.device(), "/"))
                .hasSize(1);
        MountEntry first = pin(mounts, above, "first");
        assertThat(machine.host.mounts().table().result().orElseThrow().references(memory.device(), "/"))
                .hasSize(1);
        unmount(mounts, memory, false);
        unmount(mounts, first, true);
        own.close();
    }

    @Test
    void theLayersStayWhileSomethingIsMounted() {
        LinuxMounts mounts = mounts();
        RootMount own = KernelMachine.value(mounts.separate(root));
        MountEntry memory = memory(mounts, "memory");
        int start = count();

        own.close();
        assertThat(count()).isEqualTo(start);

        unmount(mounts, memory, false);
        own.close();
        assertThat(machine.mountsAt(root)).isEmpty();
    }

    @Test
    void whatIsMountedAlreadyComesWithIt() throws IOException {
        LinuxMounts mounts = mounts();
        int before = count();
        MountEntry memory = memory(mounts, "memory");
        Files.writeString(memory.mountPoint().resolve("file"), "precious");

        RootMount own = KernelMachine.value(mounts.separate(root));

        assertThat(memory.mountPoint().resolve("file")).hasContent("precious");
        assertThat(count()).isEqualTo(before + 3);
        unmount(mounts, machine.mountsAt(memory.mountPoint()).get(0), false);
        own.close();
        assertThat(count()).isEqualTo(before);
    }

    @Test
    void aRootThatIsNotThereIsRefused() {
        Outcome<RootMount> refused = mounts().separate(machine.base.resolve("nowhere"));

        assertThat(KernelMachine.kindOf(refused)).isEqualTo("NOT_FOUND");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.plugin.hostpath.FaultyHost;
import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A device is made read-only for a volume that is only read, and for no longer. */
@Tag("long")
class WriteProtectionTest {
    private LocalNode local;
    private Path disk;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
        disk = local.disk("one", 32L << 20);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            writable();
            local.close();
        }
    }

    private VolumeSpec volume() {
        return local.volume("pv", disk);
    }

    private Outcome<PluginState> stagedReadOnly() {
        return local.stage(local.context(), volume(), true);
    }

    /** A loop device without a file keeps what it was, for its next user. */
    private void writable() {
        HostPathNode.tool("blockdev", "--setrw", disk.toString());
    }

    private boolean isReadOnly() {
        return HostPathNode.tool("blockdev", "--getro", disk.toString()).strip().equals("1");
    }

    /** The same node, whose agent remembers nothing but what it wrote down. */
    private OperationContext afterARestart() {
        Path base = local.node.base;
        return local.node.context(LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow());
    }

    @Test
    void aDeviceIsWritableAgainWhenItsVolumeIsNotReadAnyMore() {
        PluginState staged = HostPathNode.value(stagedReadOnly());
        assertThat(isReadOnly()).isTrue();
        assertThat(HostPathNode.value(stagedReadOnly())).isEqualTo(staged);

        HostPathNode.value(local.plugin.unstage(afterARestart(), local.id(volume()), local.staging(volume()), staged));

        assertThat(isReadOnly()).isFalse();
        assertThat(HostPathNode.answer(local.stage(afterARestart(), volume()))).isEqualTo("done");
    }

    @Test
    void aDeviceThatWasReadOnlyBeforeStaysSo() {
        HostPathNode.tool("blockdev", "--setro", disk.toString());
        HostPathNode.value(local.unstage(volume(), HostPathNode.value(stagedReadOnly())));

        assertThat(isReadOnly()).isTrue();
        assertThat(HostPathNode.answer(local.stage(volume()))).isEqualTo("DENIED");
        assertThat(isReadOnly()).isTrue();
    }

    /** What is done when the plugin is not told that the volume is not used any more. */
    @Test
    void aVolumeThatIsWrittenNextIsNotRefusedForWhatWasDoneHere() {
        FaultyHost refusing = new FaultyHost(
                local.node.host,
                call -> call.equals("FileSystems.mount") ? refusedAfterProtection() : Optional.empty());
        assertThat(HostPathNode.answer(local.stage(local.node.context(refusing.services()), volume(), true)))
                .isEqualTo("INCOMPATIBLE");
        assertThat(isReadOnly()).isTrue();

        assertThat(HostPathNode.answer(local.stage(afterARestart(), volume()))).isEqualTo("done");
        assertThat(isReadOnly()).isFalse();
    }

    /** As with a file system that was not unmounted cleanly. */
    private Optional<Outcome<?>> refusedAfterProtection() {
        HostPathNode.tool("blockdev", "--setro", disk.toString());
        return Optional.of(Outcome.refused(Refusal.INCOMPATIBLE, "may not be written"));
    }

    @Test
    void theDeviceOfAVolumeThatWasOnlyReadIsCleaned() {
        HostPathNode.value(stagedReadOnly());
        HostPathNode.tool("umount", local.staging(volume()).toString());

        assertThat(HostPathNode.answer(local.plugin.delete(afterARestart(), volume())))
                .isEqualTo("done");
        assertThat(isReadOnly()).isFalse();
    }

    @Test
    void aRawDeviceIsWritableAgain() {
        HostPathNode.value(stagedReadOnly());
        HostPathNode.tool("umount", local.staging(volume()).toString());

        assertThat(HostPathNode.answer(local.stage(afterARestart(), local.volume("pv", disk, VolumeMode.BLOCK))))
                .isEqualTo("done");
        assertThat(isReadOnly()).isFalse();
    }

    @Test
    @DisplayName("a crash before any action of a stage that only reads: undone, the device is writable again")
    void survivesACrashAtEveryStep() {
        int crashes = 0;
        for (boolean crashed = true; crashed; crashes++) {
            FaultyHost host = FaultyHost.crashingBefore(local.node.host, crashes);
            try {
                HostPathNode.value(local.stage(local.node.context(host.services()), volume(), true));
                crashed = false;
            } catch (FaultyHost.Crash crash) {
                assertThat(crash).isNotNull();
            }
            HostPathNode.value(local.plugin.unstage(
                    afterARestart(), local.id(volume()), local.staging(volume()), PluginState.NONE));
            assertThat(isReadOnly()).isFalse();
        }
        assertThat(crashes).isGreaterThan(10);
    }

    @Test
    void aDeviceThatHasGoneHoldsUpNoUnstage() {
        PluginState staged = HostPathNode.value(stagedReadOnly());
        HostPathNode.tool("umount", local.staging(volume()).toString());
        writable();
        local.unplug(disk);

        assertThat(HostPathNode.answer(local.unstage(volume(), staged))).isEqualTo("done");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.plugin.hostpath.FaultyHost;
import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.MountEntry;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class DeviceTest {
    private static final long SIZE = 32L << 20;

    private LocalNode local;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.close();
        }
    }

    private Optional<MountEntry> top(Path path) {
        return HostPathNode.value(local.node.host.mounts().table()).top(path);
    }

    /** It may be another disk than the one that is meant (semantics/plugins §1.5, condition 4). */
    @Test
    void aBlankDeviceThatIsSmallerThanItsVolumeIsNotFormatted() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec larger = local.volume("pv", disk, VolumeMode.FILESYSTEM, Quantity.ofBytes(SIZE + 1));

        assertThat(HostPathNode.answer(local.stage(larger))).isEqualTo("CORRUPT");
        assertThat(local.node.notes.all).doesNotContainKey(FileSystems.NOTE);
        assertThat(HostPathNode.answer(
                        local.stage(local.volume("pv", disk, VolumeMode.FILESYSTEM, Quantity.ofBytes(SIZE)))))
                .isEqualTo("done");
    }

    /** Its volume may be said to be larger than it ever was, or may be being expanded. */
    @Test
    void aFileSystemThatIsThereIsMountedAlthoughItsDeviceIsSmallerThanItsVolume() {
        Path disk = local.disk("one", SIZE);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());
        VolumeSpec larger = local.volume("pv", disk, VolumeMode.FILESYSTEM, Quantity.ofBytes(2 * SIZE));

        assertThat(HostPathNode.answer(local.stage(larger))).isEqualTo("done");
    }

    @Test
    @DisplayName("L3 a blank device is formatted and mounted once, shown to two pods, and unmounted after the last")
    void l03_stagesDevices() throws IOException {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", disk);

        PluginState staged = HostPathNode.value(local.stage(volume));
        assertThat(top(local.staging(volume)).orElseThrow().fsType()).isEqualTo("ext4");
        assertThat(local.node.notes.all.get(FileSystems.NOTE)).startsWith("ext4:");
        volume = local.volume("pv", disk);
        PluginState writer = HostPathNode.value(local.publish(volume, "writer", false));
        PluginState reader = HostPathNode.value(local.publish(volume, "reader", true));
        Files.writeString(local.target("writer").resolve("data"), "x");
        assertThat(local.target("reader").resolve("data")).hasContent("x");
        Path refused = local.target("reader").resolve("refused");
        assertThatThrownBy(() -> Files.writeString(refused, "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        assertThat(HostPathNode.value(local.stage(volume))).isEqualTo(staged);

        HostPathNode.value(local.unpublish(volume, "writer", writer));
        assertThat(local.target("reader").resolve("data")).hasContent("x");
        HostPathNode.value(local.unpublish(volume, "reader", reader));
        HostPathNode.value(local.unstage(volume, staged));
        assertThat(local.node.mounts()).isEmpty();
        assertThat(local.staging(volume)).doesNotExist();

        // nothing was lost, and nothing is formatted again
        HostPathNode.value(local.stage(local.volume("pv", disk)));
        assertThat(local.staging(volume).resolve("data")).hasContent("x");
    }

    @Test
    @DisplayName("L3 undone without a record, what is mounted is recognised by the device")
    void l03_undoesWithoutARecord() {
        VolumeSpec volume = local.volume("pv", local.disk("one", SIZE));
        HostPathNode.value(local.stage(volume));
        HostPathNode.value(local.publish(volume, "pod", false));

        assertThat(HostPathNode.answer(local.unpublish(volume, "pod", PluginState.NONE)))
                .isEqualTo("done");
        assertThat(HostPathNode.answer(local.unstage(volume, PluginState.NONE))).isEqualTo("done");
        assertThat(local.node.mounts()).isEmpty();
    }

    @Test
    @DisplayName(
            "L3 a crash before any action of staging and publishing: repeated, both end as if nothing had happened")
    void l03_survivesACrashAtEveryStep() {
        Path disk = local.disk("one", SIZE);
        int crashes = 0;
        for (boolean crashed = true; crashed; crashes++) {
            FaultyHost host = FaultyHost.crashingBefore(local.node.host, crashes);
            try {
                use(local.node.context(host.services()), disk);
                crashed = false;
            } catch (FaultyHost.Crash crash) {
                use(local.node.context(), disk);
            }
            VolumeSpec volume = local.volume("pv", disk);
            assertThat(local.node.mounts()).hasSize(2);
            HostPathNode.value(local.unpublish(volume, "pod", PluginState.NONE));
            HostPathNode.value(local.unstage(volume, PluginState.NONE));
            assertThat(local.node.mounts()).isEmpty();
        }
        assertThat(crashes).isGreaterThan(15);
    }

    private void use(OperationContext context, Path disk) {
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.stage(context, volume));
        HostPathNode.value(local.plugin.publish(context, local.request(volume, "pod", false)));
    }

    @Test
    @DisplayName("L5 two disks that changed names are told apart, and neither is touched")
    void l05_refusesSwappedDevices() throws IOException {
        Path one = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", one);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        Path two = local.disk("two", SIZE);
        local.unplug(one);
        local.unplug(two);
        Path swapped = local.plug(local.node.base.resolve("two.img"));
        assertThat(swapped).isEqualTo(one);
        byte[] before = Files.readAllBytes(local.node.base.resolve("two.img"));

        VolumeSpec now = local.volume("pv", one);
        assertThat(HostPathNode.answer(local.stage(now))).isEqualTo("CORRUPT");
        assertThat(HostPathNode.answer(local.publish(now, "pod", false))).isEqualTo("CORRUPT");

        assertThat(local.node.mounts()).isEmpty();
        assertThat(Files.readAllBytes(local.node.base.resolve("two.img"))).isEqualTo(before);
    }

    @Test
    @DisplayName("L5 a device that has gone is waited for")
    void l05_waitsForTheDevice() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        local.unplug(disk);

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isIn("deferred", "CORRUPT");
        local.plug(local.node.base.resolve("one.img"));
        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isEqualTo("done");
    }

    @Test
    @DisplayName("L6 a raw device is found for the pod and nothing is mounted; a file system is no raw device")
    void l06_mapsDevices() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", disk, VolumeMode.BLOCK);

        PluginState staged = HostPathNode.value(local.stage(volume));
        assertThat(HostPathNode.value(local.plugin.map(local.node.context(), local.request(volume, "pod", false))))
                .isEqualTo(disk);
        assertThat(HostPathNode.answer(local.publish(volume, "pod", false))).isEqualTo("INCOMPATIBLE");
        assertThat(HostPathNode.answer(
                        local.plugin.map(local.node.context(), local.request(local.volume("pv", disk), "pod", false))))
                .isEqualTo("INCOMPATIBLE");
        HostPathNode.value(local.plugin.unmap(local.node.context(), local.id(volume), HostPathNode.POD));
        HostPathNode.value(local.unstage(volume, staged));
        assertThat(local.node.mounts()).isEmpty();
        assertThat(local.staging(volume)).doesNotExist();
    }

    @Test
    @DisplayName("L7 a second volume on the same device, by whatever name, is refused")
    void l07_refusesASecondVolume() throws IOException {
        Path disk = local.disk("one", SIZE);
        Path link = Files.createSymbolicLink(local.node.base.resolve("by-id"), disk);
        VolumeSpec first = local.volume("first", disk);
        PluginState staged = HostPathNode.value(local.stage(first));
        local.node.notes.all.clear();

        VolumeSpec second = local.volume("second", link);
        assertThat(HostPathNode.answer(local.stage(second))).isEqualTo("IN_USE");
        assertThat(HostPathNode.answer(local.publish(second, "pod", false))).isEqualTo("IN_USE");
        local.node.notes.all.put(DiskAdmission.ADOPT, "true");
        assertThat(HostPathNode.answer(local.stage(local.volume("second", link))))
                .isEqualTo("IN_USE");
        assertThat(top(local.staging(second))).isEmpty();
        HostPathNode.value(local.unstage(first, staged));
    }

    @Test
    @DisplayName("L7 a device that another program has mounted is not touched")
    void l07_refusesForeignUse() {
        Path disk = local.disk("one", SIZE);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());
        HostPathNode.tool(
                "mount", disk.toString(), local.node.directory("foreign").toString());

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isEqualTo("IN_USE");
        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk, VolumeMode.BLOCK))))
                .isEqualTo("IN_USE");
        assertThat(local.node.mounts()).hasSize(1);
    }

    @Tag("guest")
    @Test
    @DisplayName("L8 a file system grows to its device, and not before that has grown")
    void l08_expands() throws IOException {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.stage(volume));
        Path mounted = local.staging(volume);
        Statistics.Usage before =
                HostPathNode.value(local.plugin.usage(local.node.context(), local.id(volume), mounted));

        assertThat(HostPathNode.answer(
                        local.plugin.expandOnNode(local.node.context(), volume, mounted, Quantity.ofBytes(4 * SIZE))))
                .isEqualTo("EXHAUSTED");
        HostPathNode.tool(
                "truncate",
                "-s",
                Long.toString(4 * SIZE),
                local.node.base.resolve("one.img").toString());
        HostPathNode.tool("losetup", "-c", disk.toString());
        assumeTrue(mayResize(), "ext4 grows only with CAP_SYS_RESOURCE");
        for (int i = 0; i < 2; i++) {
            assertThat(HostPathNode.value(local.plugin.expandOnNode(
                            local.node.context(), volume, mounted, Quantity.ofBytes(4 * SIZE))))
                    .isEqualTo(Quantity.ofBytes(4 * SIZE));
        }
        Statistics.Usage after =
                HostPathNode.value(local.plugin.usage(local.node.context(), local.id(volume), mounted));
        assertThat(after.capacityBytes()).isGreaterThan(2 * before.capacityBytes());
    }

    private static boolean mayResize() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("CapEff:"))
                    .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(bits -> (bits >> 24 & 1) == 1);
        }
    }

    @Test
    @DisplayName("L8 a directory has the size that its volume says")
    void l08_hasNothingToDoForDirectories() {
        VolumeSpec directory = local.volume("dir", local.node.directory("data"));

        assertThat(HostPathNode.value(local.plugin.expandOnNode(
                        local.node.context(), directory, local.node.base, Quantity.parse("5Gi"))))
                .isEqualTo(Quantity.parse("5Gi"));
    }

    @Test
    @DisplayName("L8 a device that has become smaller is not used any more")
    void l08_refusesADeviceThatShrank() throws IOException {
        Path disk = local.disk("one", 2 * SIZE);
        VolumeSpec volume = local.volume("pv", disk);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        HostPathNode.tool(
                "truncate",
                "-s",
                Long.toString(SIZE),
                local.node.base.resolve("one.img").toString());
        HostPathNode.tool("losetup", "-c", disk.toString());

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isEqualTo("CORRUPT");
    }

    @Test
    void measuresRawDevices() {
        Path disk = local.disk("one", SIZE);
        VolumeSpec volume = local.volume("pv", disk, VolumeMode.BLOCK);

        assertThat(HostPathNode.value(local.plugin.usage(local.node.context(), local.id(volume), disk))
                        .capacityBytes())
                .isEqualTo(SIZE);
    }

    @Test
    void aDeviceWithDataIsNotFormatted() throws IOException {
        Path disk = local.disk("one", SIZE);
        Files.write(disk, new byte[] {1, 2, 3});
        byte[] before = Files.readAllBytes(local.node.base.resolve("one.img"));

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", disk)))).isEqualTo("CORRUPT");
        assertThat(Files.readAllBytes(local.node.base.resolve("one.img"))).isEqualTo(before);
    }

    @Test
    void anUnknownFormatPolicyIsRefused() {
        local.node.notes.all.put("mooring.dev/format", "always");

        assertThat(HostPathNode.answer(local.stage(local.volume("pv", local.disk("one", SIZE)))))
                .isEqualTo("INVALID");
    }
}

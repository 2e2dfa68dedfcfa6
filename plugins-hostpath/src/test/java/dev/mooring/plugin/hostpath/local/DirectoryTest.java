// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.MountEntry;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DirectoryTest {
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

    private MountEntry shown(String pod) {
        return HostPathNode.value(local.node.host.mounts().table())
                .top(local.target(pod))
                .orElseThrow();
    }

    @Test
    @DisplayName("L2 a directory is bound to each pod, with its options, read-only where asked")
    void l02_bindsDirectories() throws IOException {
        Path disk = local.mountedDisk("one");
        VolumeSpec volume = local.volume("pv", disk, "noexec", "nosuid");
        HostPathNode.value(local.stage(volume));
        PluginState writer = HostPathNode.value(local.publish(volume, "writer", false));
        HostPathNode.value(local.publish(volume, "reader", true));

        Files.writeString(local.target("writer").resolve("data"), "x");
        assertThat(local.target("reader").resolve("data")).hasContent("x");
        assertThat(shown("writer").options()).contains("noexec", "nosuid").doesNotContain("ro");
        assertThat(shown("reader").options()).contains("noexec", "nosuid", "ro");
        assertThatThrownBy(() -> Files.writeString(local.target("reader").resolve("x"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
        assertThat(HostPathNode.value(local.publish(volume, "writer", false))).isEqualTo(writer);

        HostPathNode.value(local.unpublish(volume, "writer", writer));
        HostPathNode.value(local.unpublish(volume, "reader", PluginState.NONE));
        HostPathNode.value(local.unstage(volume, LocalStager.UNMOUNTED));
        assertThat(local.target("writer")).doesNotExist();
        assertThat(local.target("reader")).doesNotExist();
        assertThat(local.staging(volume)).doesNotExist();
        assertThat(disk.resolve("data")).hasContent("x");
    }

    @Test
    @DisplayName("L2 an option that a second view of a file system cannot have is refused")
    void l02_refusesOptionsThatWouldHaveNoEffect() {
        VolumeSpec volume = local.volume("pv", local.node.directory("data"), "noatime");

        assertThat(HostPathNode.answer(local.publish(volume, "pod", false))).isEqualTo("INVALID");
        assertThat(local.node.mounts()).isEmpty();
    }

    @Test
    @DisplayName("mounts in the directory are not shown, and people are told")
    void tellsOfHiddenMounts() {
        Path data = local.node.directory("data");
        HostPathNode.tool(
                "mount",
                "-t",
                "tmpfs",
                "inner",
                local.node.directory("data/inner").toString());

        HostPathNode.value(local.publish(local.volume("pv", data), "pod", false));

        assertThat(local.node.told).anySatisfy(text -> assertThat(text).contains("data/inner"));
        assertThat(local.node.mounts()).hasSize(2);
    }

    @Test
    @DisplayName("L4 while the disk is not mounted nothing is bound; when it is again, the volume is")
    void l04_waitsForTheDisk() throws IOException {
        Path disk = local.mountedDisk("one");
        VolumeSpec first = local.volume("pv", disk);
        HostPathNode.value(local.unpublish(first, "pod", HostPathNode.value(local.publish(first, "pod", false))));
        String device = HostPathNode.value(local.node.host.mounts().table())
                .top(disk)
                .orElseThrow()
                .source();
        HostPathNode.tool("umount", disk.toString());

        VolumeSpec volume = local.volume("pv", disk);
        Outcome<PluginState> missing = local.publish(volume, "pod", false);
        assertThat(HostPathNode.answer(missing)).isEqualTo("deferred");
        assertThat(missing.message()).contains("not mounted on the node");
        assertThat(HostPathNode.answer(local.stage(volume))).isEqualTo("deferred");
        assertThat(local.node.mounts()).isEmpty();
        assertThat(disk).isEmptyDirectory();

        HostPathNode.tool("mount", device, disk.toString());
        assertThat(HostPathNode.answer(local.publish(volume, "pod", false))).isEqualTo("done");
    }

    @Test
    @DisplayName("L4 a directory that has gone is waited for too, and a plain one may be refused from the beginning")
    void l04_waitsForTheDirectory() throws IOException {
        VolumeSpec gone = local.volume("pv", local.node.base.resolve("absent"));
        assertThat(HostPathNode.answer(local.publish(gone, "pod", false))).isEqualTo("deferred");

        local.set(Map.of("directories", "mounts"));
        VolumeSpec plain = local.volume("pv", local.node.directory("plain"));
        assertThat(HostPathNode.answer(local.publish(plain, "pod", false))).isEqualTo("deferred");
        assertThat(local.node.notes.all).isEmpty();

        VolumeSpec mounted = local.volume("pv", local.mountedDisk("one"));
        assertThat(HostPathNode.answer(local.publish(mounted, "pod", false))).isEqualTo("done");
    }

    @Test
    @DisplayName("L4 a person says that a disk has to be mounted before there was any")
    void l04_obeysTheWordOfAPerson() {
        Path plain = local.node.directory("plain");
        local.node.notes.all.put(DiskIdentity.NOTE, DiskIdentity.ANY_MOUNT);

        assertThat(HostPathNode.answer(local.publish(local.volume("pv", plain), "pod", false)))
                .isEqualTo("deferred");
        HostPathNode.tool("mount", "-t", "tmpfs", "disk", plain.toString());
        assertThat(HostPathNode.answer(local.publish(local.volume("pv", plain), "pod", false)))
                .isEqualTo("done");
        assertThat(local.node.notes.all.get(DiskIdentity.NOTE)).startsWith("kind=mount;");
    }

    @Test
    @DisplayName("L5 another disk on the directory is never bound")
    void l05_refusesAnotherDisk() throws IOException {
        Path disk = local.mountedDisk("one");
        VolumeSpec first = local.volume("pv", disk);
        HostPathNode.value(local.unpublish(first, "pod", HostPathNode.value(local.publish(first, "pod", false))));
        Path other = local.mountedDisk("two");
        HostPathNode.tool("umount", disk.toString());
        HostPathNode.tool("mount", "--bind", other.toString(), disk.toString());

        assertThat(HostPathNode.answer(local.publish(local.volume("pv", disk), "pod", false)))
                .isEqualTo("CORRUPT");
        assertThat(local.target("pod")).doesNotExist();
    }

    @Test
    @DisplayName("L6 a directory has no block mode")
    void l06_refusesBlockMode() {
        VolumeSpec volume = local.volume("pv", local.node.directory("data"), VolumeMode.BLOCK);

        assertThat(HostPathNode.answer(local.stage(volume))).isEqualTo("INCOMPATIBLE");
        assertThat(HostPathNode.answer(local.plugin.map(local.node.context(), local.request(volume, "pod", false))))
                .isEqualTo("INCOMPATIBLE");
    }

    @Test
    @DisplayName("L7 two volumes never have one directory, until a person says so or the first was cleaned")
    void l07_refusesASecondVolume() throws IOException {
        Path disk = local.mountedDisk("one");
        Path link = Files.createSymbolicLink(local.node.base.resolve("link"), disk);
        HostPathNode.value(local.publish(local.volume("first", disk), "pod", false));
        local.node.notes.all.clear();

        assertThat(HostPathNode.answer(local.publish(local.volume("second", disk), "other", false)))
                .isEqualTo("IN_USE");
        assertThat(HostPathNode.answer(local.publish(local.volume("second", link), "other", false)))
                .isEqualTo("IN_USE");
        assertThat(local.target("other")).doesNotExist();

        local.node.notes.all.put(DiskAdmission.ADOPT, "true");
        assertThat(HostPathNode.answer(local.publish(local.volume("second", link), "other", false)))
                .isEqualTo("done");
    }

    @Test
    void aForeignMountIsNeverUnmounted() {
        VolumeSpec volume = local.volume("pv", local.node.directory("data"));
        local.node.directory("pods/pod");
        HostPathNode.tool("mount", "-t", "tmpfs", "foreign", local.target("pod").toString());

        assertThat(HostPathNode.answer(local.unpublish(volume, "pod", PluginState.NONE)))
                .isEqualTo("IN_USE");
        assertThat(HostPathNode.answer(local.publish(volume, "pod", false))).isEqualTo("IN_USE");
        assertThat(local.node.mounts()).hasSize(1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.plugin.hostpath.HostPathNode;
import dev.mooring.storage.model.LocalSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeNodeAffinity;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class LocalDiscoveryTest {
    private static final long SIZE = 32L << 20;
    private static final Map<String, String> LABELS = Map.of("kubernetes.io/hostname", "host-1", "zone", "a");

    private LocalNode local;
    private Path offered;

    @BeforeEach
    void setUp() {
        local = new LocalNode();
        offered = local.node.directory("offered");
        offer(Map.of());
    }

    @AfterEach
    void tearDown() throws IOException {
        if (local != null) {
            local.close();
        }
    }

    /** Offers the directory in class {@code fast}, with further settings of that class. */
    private void offer(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of("discover.fast", offered.toString()));
        more.forEach((key, value) -> settings.put("discover.fast." + key, value));
        local.set(settings);
    }

    private List<FoundVolume> found() {
        local.node.told.clear();
        return HostPathNode.value(local.plugin.discover(local.node.context(), LABELS));
    }

    private Path link(String name, Path device) {
        try {
            return Files.createSymbolicLink(offered.resolve(name), device);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String path(FoundVolume volume) {
        return LocalSource.of(volume.template().source()).orElseThrow().path();
    }

    @Test
    @DisplayName("L9 links to blank devices and mounted file systems are found, nothing else, and people are told why")
    void l09_findsDisksAndMounts() throws IOException {
        Path device = link("device", local.disk("one", SIZE));
        link("dangling", local.node.base.resolve("absent"));
        Files.createDirectory(offered.resolve("plain"));
        Files.writeString(offered.resolve("file"), "x");
        Path mounted = Files.createDirectory(offered.resolve("mounted"));
        Path disk = local.disk("two", SIZE);
        HostPathNode.tool("mkfs.ext4", "-q", disk.toString());

        List<FoundVolume> before = found();
        assertThat(before).extracting(LocalDiscoveryTest::path).containsExactly(device.toString());
        assertThat(local.node.told)
                .hasSize(4)
                .anySatisfy(text -> assertThat(text).contains("plain"))
                .anySatisfy(text -> assertThat(text).contains("dangling"))
                .anySatisfy(text -> assertThat(text).contains("file"));

        // mounted late
        HostPathNode.tool("mount", disk.toString(), mounted.toString());
        List<FoundVolume> after = found();
        assertThat(after).extracting(LocalDiscoveryTest::path).containsExactly(device.toString(), mounted.toString());
        assertThat(after.get(0)).isEqualTo(before.get(0));
        assertThat(after).extracting(FoundVolume::className).containsOnly("fast");
        assertThat(after.get(1).template().annotations().get(DiskIdentity.NOTE)).startsWith("kind=mount;");
    }

    @Test
    @DisplayName("L9 patterns choose by name, and a raw device needs a device")
    void l09_choosesByNameAndMode() throws IOException {
        link("data-1", local.disk("one", SIZE));
        link("data-22", local.disk("two", SIZE));
        link("other", local.disk("three", SIZE));
        offer(Map.of("names", "data-?, oth*r", "mode", "Block"));

        List<FoundVolume> found = found();
        assertThat(found)
                .extracting(volume -> Path.of(path(volume)).getFileName().toString())
                .containsExactly("data-1", "other");
        assertThat(found).extracting(FoundVolume::mode).containsOnly(VolumeMode.BLOCK);

        Path mounted = Files.createDirectory(offered.resolve("data-3"));
        HostPathNode.tool("mount", "-t", "tmpfs", "tmpfs", mounted.toString());
        assertThat(found()).hasSize(2);
    }

    @Test
    @DisplayName("L10 the name of a disk is stable, and a million disks have a million names")
    void l10_namesAreStableAndDistinct() {
        link("device", local.disk("one", SIZE));
        String name = found().get(0).name();
        assertThat(found().get(0).name()).isEqualTo(name).matches("local-[0-9a-f]{24}");

        Set<String> names = new HashSet<>();
        for (int i = 0; i < 500_000; i++) {
            names.add(Finder.name("node", DiskIdentity.ofDevice("node", "file:/disks/" + i)));
            names.add(Finder.name("node", DiskIdentity.ofDirectory(true, "node", 2, "uuid:" + i)));
        }
        assertThat(names).hasSize(1_000_000);
        // the same disk on a node of another uid is another volume
        assertThat(Finder.name("new", DiskIdentity.ofDevice("node", "file:/disks/1")))
                .isNotEqualTo(Finder.name("node", DiskIdentity.ofDevice("node", "file:/disks/1")));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1023, 1023",
        "10485759, 10485759",
        "10485760, 10Mi",
        "11534335, 10Mi",
        "10737418239, 10239Mi",
        "10737418240, 10Gi",
        "11811160063, 10Gi",
        "1099511627776, 1Ti"
    })
    @DisplayName("L11 capacities are rounded down")
    void l11_roundsDown(long bytes, String capacity) {
        assertThat(Quantity.ofBytes(Finder.rounded(bytes))).isEqualTo(Quantity.parse(capacity));
    }

    @Test
    @DisplayName("L13 a disk is offered when it is blank or was cleaned here, never while it holds data")
    void l13_offersOnlyWhatIsClean() throws IOException {
        Path link = link("device", local.disk("one", SIZE));
        FoundVolume fresh = found().get(0);
        assertThat(fresh.template().annotations()).containsEntry(DiskAdmission.CLEAN_NOTE, "new");

        local.node.notes.all.putAll(fresh.template().annotations());
        VolumeSpec volume = local.volume(fresh.name(), link);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        // the object is deleted by hand
        assertThat(found()).isEmpty();
        assertThat(local.node.told).singleElement().asString().contains(fresh.name());

        assertThat(local.delete(local.volume(fresh.name(), link))).isEqualTo("done");
        assertThat(found()).singleElement().satisfies(again -> {
            assertThat(again.name()).isEqualTo(fresh.name());
            assertThat(again.template().annotations()).containsEntry(DiskAdmission.CLEAN_NOTE, "clean");
        });

        // a user wrote to it by hand since
        Files.write(link, new byte[] {1});
        assertThat(found()).isEmpty();
    }

    @Test
    @DisplayName("L13 data that no volume is known to have written is only offered where the operator says so")
    void l13_adoptsOnlyIfAsked() throws IOException {
        Path mounted = Files.createDirectory(offered.resolve("mounted"));
        HostPathNode.tool("mount", "-t", "tmpfs", "tmpfs", mounted.toString());
        Files.writeString(mounted.resolve("data"), "x");
        Path disk = local.disk("one", SIZE);
        Files.write(disk, new byte[] {1});
        link("device", disk);

        assertThat(found()).isEmpty();
        offer(Map.of("adopt", "true"));
        assertThat(found()).hasSize(2);

        Path inUse = local.plug(disk);
        assertThat(found()).hasSize(1);
        local.unplug(inUse);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 2048, 4096})
    @DisplayName("L13 a file system whose beginning was overwritten is still data")
    void l13_findsTheCopiesOfASuperblock(int block) {
        Path disk = local.disk("one", 160L << 20);
        HostPathNode.tool("mkfs.ext4", "-q", "-b", "" + block, disk.toString());
        HostPathNode.tool("dd", "if=/dev/zero", "of=" + disk, "bs=1M", "count=4", "conv=notrunc", "status=none");
        link("device", disk);

        assertThat(found()).isEmpty();
        assertThat(local.node.told).singleElement().asString().contains("data of unknown origin");
        offer(Map.of("adopt", "true"));
        assertThat(found()).hasSize(1);
    }

    @Test
    @DisplayName("L15 the disk of a volume is not offered again because the node was registered again")
    void l15_doesNotOfferTheDisksOfAnEarlierNode() {
        Path link = link("device", local.disk("one", SIZE));
        VolumeSpec volume = local.volume("pv", link);
        HostPathNode.value(local.unstage(volume, HostPathNode.value(local.stage(volume))));
        local.node.becomes(new NodeRef("node-1", "another-uid"));

        assertThat(found()).isEmpty();
        assertThat(HostPathNode.answer(local.stage(local.volume("pv", link)))).isEqualTo("DENIED");
    }

    @Test
    @DisplayName("L16 further labels narrow, and the hostname is the label's")
    void l16_addsConditions() {
        offer(Map.of("where", "zone=a, rack=7"));
        link("device", local.disk("one", SIZE));

        VolumeNodeAffinity affinity = found().get(0).template().nodeAffinity().orElseThrow();
        assertThat(affinity.matches(Map.of("kubernetes.io/hostname", "host-1", "zone", "a", "rack", "7")))
                .isTrue();
        assertThat(affinity.matches(Map.of("kubernetes.io/hostname", "host-1", "zone", "a")))
                .isFalse();
        assertThat(affinity.matches(Map.of("kubernetes.io/hostname", "node-1", "zone", "a", "rack", "7")))
                .isFalse();
        assertThat(affinity.matches(Map.of("zone", "a", "rack", "7"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "discover.fast, relative",
        "discover.fast, /a/../b",
        "discover.fast.mode, Other",
        "discover.fast.names, ' '",
        "discover.fast.where, zone",
        "discover.fast.adopt, yes",
        "discover.fast.clean, burn",
        "discover.slow.mode, Block",
        "discover., /a"
    })
    void refusesSettings(String name, String value) {
        Map<String, String> settings = new TreeMap<>(Map.of("discover.fast", "/disks"));
        settings.put(name, value);

        assertThat(HostPathNode.answer(new LocalPlugin().configured(settings))).isEqualTo("INVALID");
    }

    @Test
    void findsNothingUnlessSetUp() {
        assertThat(new LocalPlugin().discovers()).isFalse();
        assertThat(local.plugin.discovers()).isTrue();
        local.set(Map.of("discover.a.b", "/absent", "discover.a.b.mode", "Block"));
        assertThat(found()).isEmpty();
        assertThat(local.node.told).hasSize(1);
    }
}

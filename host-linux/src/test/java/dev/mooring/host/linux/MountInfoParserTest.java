// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MountInfoParserTest {
    private static final String NFS =
            "40 27 0:45 /sub /mnt/a rw,nosuid shared:7 master:3 - nfs4 srv:/export rw,vers=4.2,hard";

    private static MountEntry only(String line) {
        List<MountEntry> entries = MountInfoParser.parse(line + "\n").entries();
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }

    @Test
    void readsAllFieldsOfALine() {
        MountEntry entry = only(NFS);

        assertThat(entry)
                .isEqualTo(new MountEntry(
                        40,
                        27,
                        "0:45",
                        "/sub",
                        false,
                        Path.of("/mnt/a"),
                        List.of("rw", "nosuid"),
                        OptionalLong.of(7),
                        OptionalLong.of(3),
                        "nfs4",
                        "srv:/export",
                        List.of("rw", "vers=4.2", "hard")));
    }

    @Test
    void readsALineWithoutOptionalFields() {
        MountEntry entry = only("22 27 0:21 / /proc rw - proc proc rw");

        assertThat(entry.peerGroup()).isEmpty();
        assertThat(entry.master()).isEmpty();
        assertThat(entry.fsType()).isEqualTo("proc");
    }

    @Test
    void ignoresOptionalFieldsThatItDoesNotKnow() {
        assertThat(only("22 27 0:21 / /x rw unbindable propagate_from:2 future:1 - ext4 /dev/sda rw")
                        .peerGroup())
                .isEmpty();
    }

    @ParameterizedTest(name = "M9 {0} reads as {1}")
    @CsvSource({
        "/mnt/a\\040b, /mnt/a b",
        "/mnt/tab\\011x, '/mnt/tab\tx'",
        "/mnt/nl\\012x, '/mnt/nl\nx'",
        "'/mnt/a\rb', '/mnt/a\rb'",
        "/mnt/back\\134slash, /mnt/back\\slash",
        "/mnt/hash\\043x, /mnt/hash#x",
        "/mnt/lit\\1340400, /mnt/lit\\0400",
        "/mnt/no\\04, /mnt/no\\04",
        "/mnt/no\\999, /mnt/no\\999"
    })
    void decodesEscapes(String field, String text) {
        assertThat(only("1 2 0:1 / " + field + " rw - t s rw").mountPoint()).isEqualTo(Path.of(text));
    }

    @Test
    void recognisesADeletedRoot() {
        MountEntry entry = only("1 2 8:1 /vol/a//deleted /mnt rw - ext4 /dev/sda1 rw");

        assertThat(entry.rootDeleted()).isTrue();
        assertThat(entry.root()).isEqualTo("/vol/a");
    }

    @Test
    void keepsCommasWithinQuotes() {
        assertThat(only("1 2 0:1 / /x rw - t s rw,context=\"a:b:c1,c2\",seclabel")
                        .superOptions())
                .containsExactly("rw", "context=\"a:b:c1,c2\"", "seclabel");
    }

    @ParameterizedTest
    @CsvSource({"''", "nonsense", "1 2 0:1 / /x rw", "1 2 0:1 / /x rw - t", "x 2 0:1 / /x rw - t s rw"})
    void leavesOutWhatIsNoEntry(String line) {
        MountTable table = MountInfoParser.parse(line + "\n" + NFS + "\n");

        assertThat(table.entries()).containsExactly(only(NFS));
    }

    @Test
    @DisplayName("of stacked mounts the last line is on top")
    void ordersStackedMounts() {
        MountTable table = MountInfoParser.parse("""
                1 0 8:1 / / rw - ext4 a rw
                2 1 0:5 / /m rw - tmpfs low rw
                3 2 0:6 / /m rw - tmpfs high rw
                4 3 0:7 / /m/sub rw - tmpfs sub rw
                """);

        assertThat(table.at(Path.of("/m"))).extracting(MountEntry::source).containsExactly("low", "high");
        assertThat(table.top(Path.of("/m"))).map(MountEntry::source).contains("high");
        assertThat(table.below(Path.of("/m"))).extracting(MountEntry::source).containsExactly("sub");
        assertThat(table.top(Path.of("/mm"))).isEmpty();
    }

    @Test
    @DisplayName("a reference is an equal or deeper root on the same device")
    void findsReferences() {
        MountTable table = MountInfoParser.parse("""
                1 0 8:1 / / rw - ext4 d rw
                2 1 8:1 /vol /a rw - ext4 d rw
                3 1 8:1 /vol/deep /b rw - ext4 d rw
                4 1 8:1 /volume /c rw - ext4 d rw
                5 1 8:2 /vol /d rw - ext4 e rw
                """);

        assertThat(table.references("8:1", "/vol")).extracting(MountEntry::id).containsExactly(2, 3);
        assertThat(table.references("8:1", "/")).extracting(MountEntry::id).containsExactly(1, 2, 3, 4);
    }

    @Test
    @DisplayName("a mount is known by number or root, but never without its device")
    void fitsExpectations() {
        MountEntry entry = only("9 1 8:1 /vol /a rw - ext4 /dev/x rw");
        MountExpectation expected = MountExpectation.of(entry, true);

        assertThat(expected.fits(entry)).isTrue();
        assertThat(expected.fits(only("9 1 8:1 /renamed /a rw - ext4 /dev/x rw")))
                .isTrue();
        assertThat(expected.fits(only("7 1 8:1 /vol /a rw - ext4 /dev/x rw"))).isTrue();
        assertThat(expected.fits(only("7 1 8:1 /other /a rw - ext4 /dev/x rw"))).isFalse();
        assertThat(expected.fits(only("9 1 8:2 /vol /a rw - ext4 /dev/x rw"))).isFalse();
        assertThat(MountExpectation.ofSource("srv:/export").fits(only(NFS))).isTrue();
        assertThat(MountExpectation.ofSource("srv:/other").fits(only(NFS))).isFalse();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would be lost on a disk if a file system were made there, and what its first bytes prove (S16). */
class DiskTest {
    private static final String OURS = "00000000-0000-0000-0000-000000000001";
    private static final String ANOTHER = "00000000-0000-0000-0000-000000000002";

    private static Disk disk(String holds, Consumer<Disk> then) {
        Disk disk = new Disk("disk", 1, holds);
        then.accept(disk);
        return disk;
    }

    @Test
    void aBlankDiskHoldsNothingButItsFirstBytesDoNotProveThat() {
        Disk blank = disk("", disk -> {});
        assertThat(blank.held(OURS)).isEmpty();
        assertThat(blank.provesUnused()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", Disk.UNRECOGNISED})
    void whatAnotherProgramHasPutThereIsHeld(String holds) {
        Disk others = disk(holds, disk -> {});
        assertThat(others.held(OURS)).isPresent();
        assertThat(others.provesUnused()).isFalse();
    }

    @Test
    void onlyItsMakerMakesAFileSystemAgainThatWasNeverMounted() {
        Disk made = disk("", disk -> disk.format("ext4", OURS, 2));
        assertThat(made.provesUnused()).isTrue();
        assertThat(made.held(OURS)).isEmpty();
        assertThat(made.held(ANOTHER)).contains("ext4");
    }

    @Test
    void aMountedFileSystemIsHeldAlsoIfItIsOurs() {
        Disk used = disk("", disk -> {
            disk.format("ext4", OURS, 2);
            disk.mount();
        });
        assertThat(used.provesUnused()).isFalse();
        assertThat(used.held(OURS)).contains("ext4");
    }

    @Test
    void xfsProvesOnlyThatItsMakingHasNotEnded() {
        assertThat(disk("", disk -> disk.begin("xfs", OURS, 2)).provesUnused()).isTrue();
        assertThat(disk("", disk -> disk.format("xfs", OURS, 2)).provesUnused()).isFalse();
    }
}

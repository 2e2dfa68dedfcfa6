// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.binder.index.Fixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is worked out of a volume once: its projections, and whether another version stands at the same place. */
class VolumeEntryTest {
    @ParameterizedTest
    @CsvSource({
        "'', 0, 0000000000000000",
        "ab, 0, 6162000000000000",
        "ab, 1, 6200000000000000",
        "ab, 2, 0000000000000000",
        "ab, 3, 0000000000000000",
        "abcdefghi, 0, 6162636465666768",
        "abcdefghi, 1, 6263646566676869",
        "a\u00feb, 0, 61fe620000000000",
        "a\u00ffb, 0, 61ffffffffffffff",
        "a\u0101b, 0, 61ffffffffffffff"
    })
    void theWordIsEightCharactersOfTheNameAsSigned(String name, int skip, String expected) {
        assertThat(entry(volume(name)).word(skip) ^ Long.MIN_VALUE).isEqualTo(Long.parseUnsignedLong(expected, 16));
    }

    @ParameterizedTest
    @CsvSource({"pv-1, pv-1, 4", "pv-1, pv-10, 4", "pv-10, pv-1, 4", "pv-1, pv-2, 3", "a, b, 0", "'', b, 0"})
    void theSharedPrefixIsWhatNamesBeginWith(String one, String other, int expected) {
        assertThat(entry(volume(one)).sharedPrefix(entry(volume(other)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"5Gi, 5368709120, true", "1500m, 1, false", "10E, 9223372036854775807, false"})
    void theKeyIsTheAmountOrSaysThatItIsNot(String capacity, long key, boolean exact) {
        VolumeEntry entry = entry(volume("pv", capacity));

        assertThat(entry.key()).isEqualTo(key);
        assertThat(entry.exact()).isEqualTo(exact);
    }

    @Test
    void anotherVersionStandsAtTheSamePlaceUnlessSomethingDiffersThatDecidesOnIt() {
        PersistentVolume volume = volume("pv", "1500m");
        PersistentVolume noted =
                volume.withMetadata(volume.metadata().withAnnotation("example.com/note", "decides on nothing"));
        assertThat(entry(volume).samePlaces(entry(noted))).isTrue();

        for (PersistentVolume other : List.of(
                Fixtures.sized(volume, "2500m"),
                Fixtures.sized(volume, "1600m"),
                Fixtures.sized(volume, "1"),
                Fixtures.modes(volume, AccessMode.READ_WRITE_MANY),
                Fixtures.mode(volume, VolumeMode.BLOCK),
                Fixtures.ofClass(volume, "slow"),
                Fixtures.attributes(volume, "gold"),
                Fixtures.labels(volume, Map.of("zone", "a")))) {
            assertThat(entry(volume).samePlaces(entry(other))).as("%s", other).isFalse();
            assertThat(entry(other).samePlaces(entry(volume))).as("%s", other).isFalse();
        }
        assertThat(entry(volume("pv", "1")).samePlaces(entry(volume("pv", "2"))))
                .isFalse();
    }

    private static VolumeEntry entry(PersistentVolume volume) {
        return new VolumeEntry(volume, false);
    }
}

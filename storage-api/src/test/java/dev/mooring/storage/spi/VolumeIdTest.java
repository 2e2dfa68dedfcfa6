// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeIdTest {
    private static VolumeId id(String plugin, String backend) {
        return new VolumeId(new PluginName("example.com/" + plugin), backend);
    }

    @ParameterizedTest(name = "{0} {1} and {2} {3}: {4}")
    @CsvSource({
        "a, server/x, a, server/x, true",
        "a, server/x, a, server/x/y, true",
        "a, server/x, a, server/xy, false",
        "a, server/x, b, server/x, false",
        "a, /mnt, b, /mnt, true",
        "a, /mnt, b, /mnt/disk, true",
        "a, /, b, /mnt, true",
        "a, /mnt, b, /mnt2, false",
        "a, /mnt, b, mnt, false"
    })
    void overlapsWhatIsOrContainsIt(String plugin, String name, String otherPlugin, String otherName, boolean answer) {
        VolumeId one = id(plugin, name);
        VolumeId other = id(otherPlugin, otherName);

        assertThat(one.overlaps(other)).isEqualTo(answer);
        assertThat(other.overlaps(one)).isEqualTo(answer);
    }

    @ParameterizedTest(name = "{0} contains {1}: {2}")
    @CsvSource({"/mnt, /mnt, true", "/mnt, /mnt/disk, true", "/mnt/disk, /mnt, false", "/, /mnt, true"})
    void containsWhatLiesInIt(String outer, String inner, boolean answer) {
        assertThat(id("a", outer).contains(id("b", inner))).isEqualTo(answer);
    }
}

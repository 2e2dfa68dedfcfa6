// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A match looks at few volumes, however many there are, and what it looks at is counted. */
class VolumeIndexProbesTest {
    private static final List<List<AccessMode>> MODES = List.of(
            List.of(AccessMode.READ_WRITE_ONCE),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_MANY),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_MANY));

    @ParameterizedTest
    @CsvSource({"1000, 20, 1", "1000, 1000, 1", "1000, 1000, 4", "10000, 20, 1", "10000, 10000, 1", "10000, 10000, 4"})
    void probesGrowWithTheLogarithm(int volumes, int sizes, int modeSets) {
        VolumeIndex index = new VolumeIndex();
        for (int i = 0; i < volumes; i++) {
            PersistentVolume volume = Fixtures.volume("pv-" + i * 7919L % volumes, 1 + i % sizes + "Gi");
            index.put(Fixtures.modes(volume, MODES.get(i % modeSets).toArray(AccessMode[]::new)));
        }
        double allowed = 4 * Math.log(volumes) / Math.log(2) + 16;
        long most = 0;
        for (int request = 0; request <= sizes + 1; request++) {
            long before = index.probes();
            index.findBestMatch(Fixtures.claim("claim", request + "Gi"), MatchOptions.DEFAULT);
            most = Math.max(most, index.probes() - before);
        }

        System.out.printf(
                "probes: %d volumes, %d sizes, %d sets of modes: at most %d, allowed %.0f%n",
                volumes, sizes, modeSets, most, allowed);
        assertThat((double) most).isLessThanOrEqualTo(allowed);
    }

    @Test
    void whatIsLookedAtIsCounted() {
        VolumeIndex index = new VolumeIndex();
        index.put(Fixtures.volume("pv", "50Gi"));
        assertThat(probesOf(index, () -> index.put(Fixtures.volume("smaller", "1Gi"))))
                .isPositive();
        assertThat(probesOf(index, () -> index.put(Fixtures.volume("larger", "99Gi"))))
                .isPositive();
        assertThat(probesOf(index, () -> match(index, Fixtures.claim("claim", "50Gi"))))
                .isPositive();

        for (int i = 0; i < 40; i++) {
            index.put(Fixtures.volume("pv-" + i));
            index.put(Fixtures.claimedBy(Fixtures.volume("claimed-" + i), "owner", ""));
        }
        Optional<LabelSelector> nowhere = Fixtures.selector(Map.of("zone", "none"));
        assertThat(probesOf(index, () -> match(index, Fixtures.claim("claim", spec -> spec.withSelector(nowhere)))))
                .isGreaterThan(40);
        assertThat(probesOf(index, () -> match(index, Fixtures.claim("owner")))).isGreaterThanOrEqualTo(40);
    }

    private static void match(VolumeIndex index, PersistentVolumeClaim claim) {
        index.findBestMatch(claim, MatchOptions.DEFAULT);
    }

    private static long probesOf(VolumeIndex index, Runnable work) {
        long before = index.probes();
        work.run();
        return index.probes() - before;
    }
}

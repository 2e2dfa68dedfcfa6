// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.binder.index.Fixtures.attributes;
import static dev.mooring.binder.index.Fixtures.claim;
import static dev.mooring.binder.index.Fixtures.claimedBy;
import static dev.mooring.binder.index.Fixtures.deleting;
import static dev.mooring.binder.index.Fixtures.expression;
import static dev.mooring.binder.index.Fixtures.labels;
import static dev.mooring.binder.index.Fixtures.mode;
import static dev.mooring.binder.index.Fixtures.modes;
import static dev.mooring.binder.index.Fixtures.nameOf;
import static dev.mooring.binder.index.Fixtures.ofClass;
import static dev.mooring.binder.index.Fixtures.phase;
import static dev.mooring.binder.index.Fixtures.reclaiming;
import static dev.mooring.binder.index.Fixtures.selector;
import static dev.mooring.binder.index.Fixtures.volume;
import static dev.mooring.storage.model.AccessMode.READ_ONLY_MANY;
import static dev.mooring.storage.model.AccessMode.READ_WRITE_MANY;
import static dev.mooring.storage.model.AccessMode.READ_WRITE_ONCE;
import static dev.mooring.storage.model.AccessMode.READ_WRITE_ONCE_POD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row per rule of semantics §2.2 and §2.4: volumes, a claim, and the name of the volume that it gets. */
class VolumeIndexTest {
    private static final PersistentVolumeClaim CLAIM = claim("c");

    private static final MatchOptions STRICT = new MatchOptions(false, true);

    record Row(
            String rule,
            PersistentVolumeClaim claim,
            MatchOptions options,
            String expected,
            List<PersistentVolume> volumes) {
        Row(
                String rule,
                PersistentVolumeClaim claim,
                MatchOptions options,
                String expected,
                PersistentVolume... volumes) {
            this(rule, claim, options, expected, List.of(volumes));
        }

        @Override
        public String toString() {
            return rule;
        }
    }

    private static Row row(String rule, String expected, PersistentVolume... volumes) {
        return new Row(rule, CLAIM, MatchOptions.DEFAULT, expected, volumes);
    }

    private static Row row(String rule, PersistentVolumeClaim claim, String expected, PersistentVolume... volumes) {
        return new Row(rule, claim, MatchOptions.DEFAULT, expected, volumes);
    }

    private static PersistentVolumeClaim wanting(AccessMode... modes) {
        return claim("c", spec -> spec.withAccessModes(List.of(modes)));
    }

    static Stream<Row> filters() {
        MatchOptions excluding = MatchOptions.DEFAULT.withExcluded(Set.of("pv-1"));
        PersistentVolumeClaim zoned = claim("c", spec -> spec.withSelector(selector(Map.of("zone", "a"))));
        PersistentVolumeClaim notZoned =
                claim("c", spec -> spec.withSelector(selector(Map.of(), expression("zone", "NotIn", "a"))));
        PersistentVolume older = volume("pv-1");
        return Stream.of(
                row("nothing there", ""),
                row("all fits", "pv-1", volume("pv-1")),
                new Row("F2 excluded", CLAIM, excluding, "", volume("pv-1")),
                new Row("F2 excluded, the next", CLAIM, excluding, "pv-2", volume("pv-1"), volume("pv-2")),
                new Row("F2 excluded, though for the claim", CLAIM, excluding, "", claimedBy(volume("pv-1"), "c", "")),
                row("F3 for another claim", "", claimedBy(volume("pv-1"), "other", "")),
                row("F3 for a claim of this name that has gone", "", claimedBy(volume("pv-1"), "c", "uid-old")),
                row("F4 too small", "", volume("pv-1", "4Gi")),
                row("F4 equal", "pv-1", volume("pv-1", "5120Mi")),
                row("F4 smaller by a thousandth", "", volume("pv-1", "5368709119999m")),
                row(
                        "F4 no capacity",
                        "",
                        volume("pv-1").withSpec(volume("pv-1").spec().withCapacity(Map.of()))),
                row(
                        "F4 no capacity, no request",
                        claim("c", "0"),
                        "pv-1",
                        volume("pv-1").withSpec(volume("pv-1").spec().withCapacity(Map.of()))),
                row("F4 fraction asked", claim("c", "1500m"), "pv-2", volume("pv-1", "1"), volume("pv-2", "1600m")),
                row("F4 beyond long", claim("c", "10E"), "pv-2", volume("pv-1", "9E"), volume("pv-2", "11E")),
                row(
                        "F4 just beyond long",
                        claim("c", "9223372036854775808"),
                        "",
                        volume("pv-1", "9223372036854775807")),
                row("F5 block for file system", "", mode(volume("pv-1"), VolumeMode.BLOCK)),
                row("F5 file system said", "pv-1", mode(volume("pv-1"), VolumeMode.FILESYSTEM)),
                row(
                        "F5 unknown",
                        claim("c", spec -> spec.withVolumeMode(Optional.of(VolumeMode.UNKNOWN))),
                        "",
                        mode(volume("pv-1"), VolumeMode.UNKNOWN)),
                row("F6 attributes class", "", attributes(volume("pv-1"), "gold")),
                row("F6 empty attributes class", "pv-1", attributes(volume("pv-1"), "")),
                row("F7 deleting", "", deleting(volume("pv-1"))),
                row("F7 deleting, though for the claim", "", deleting(claimedBy(volume("pv-1"), "c", "uid-c"))),
                new Row("F10 delayed", CLAIM, MatchOptions.DELAYED, "", volume("pv-1")),
                new Row(
                        "F10 delayed, for the claim",
                        CLAIM,
                        MatchOptions.DELAYED,
                        "pv-1",
                        claimedBy(volume("pv-1"), "c", "")),
                row("F11 released", "", phase(volume("pv-1"), PersistentVolumePhase.RELEASED)),
                row("F11 failed", "", phase(volume("pv-1"), PersistentVolumePhase.FAILED)),
                row("F11 unknown", "", phase(volume("pv-1"), PersistentVolumePhase.UNKNOWN)),
                row("D17 pending", "pv-1", phase(volume("pv-1"), PersistentVolumePhase.PENDING)),
                row("F12 selector", zoned, "pv-2", volume("pv-1"), labels(volume("pv-2"), Map.of("zone", "a"))),
                row("F12 NotIn", notZoned, "pv-2", labels(volume("pv-1"), Map.of("zone", "a")), volume("pv-2")),
                row("F13 class", "", ofClass(volume("pv-1"), "slow")),
                row(
                        "F13 no class is the empty class",
                        claim("c", spec -> spec.withStorageClassName(Optional.empty())),
                        "pv-1",
                        ofClass(volume("pv-1"), "")),
                row(
                        "F13 the older annotation wins",
                        "",
                        older.withMetadata(older.metadata().withAnnotation(Annotations.BETA_STORAGE_CLASS, ""))),
                row("D6 being reclaimed", "", reclaiming(volume("pv-1"))),
                row("D6 being reclaimed, though for the claim", "", reclaiming(claimedBy(volume("pv-1"), "c", ""))),
                row("modes missing", wanting(READ_WRITE_MANY), "", volume("pv-1")),
                row("an unknown mode offered", "pv-1", modes(volume("pv-1"), READ_WRITE_ONCE, AccessMode.UNKNOWN)),
                row(
                        "an unknown mode wanted",
                        wanting(AccessMode.UNKNOWN),
                        "",
                        modes(volume("pv-1"), AccessMode.UNKNOWN)));
    }

    static Stream<Row> claimed() {
        PersistentVolume forClaim = claimedBy(volume("pv-2", "9Gi"), "c", "");
        return Stream.of(
                row("F9 before a smaller free one", "pv-2", volume("pv-1"), forClaim),
                row("F9 phase does not matter", "pv-2", phase(forClaim, PersistentVolumePhase.RELEASED)),
                row("F9 class does not matter", "pv-2", ofClass(forClaim, "slow")),
                row(
                        "F9 selector does not matter",
                        claim("c", spec -> spec.withSelector(selector(Map.of("zone", "a")))),
                        "pv-2",
                        forClaim),
                row("F9 modes matter", wanting(READ_WRITE_MANY), "", forClaim),
                row("T9 too small, so another", "pv-1", volume("pv-1"), claimedBy(volume("pv-2", "1Gi"), "c", "")),
                row(
                        "T4 uid before none",
                        "pv-2",
                        claimedBy(volume("pv-1"), "c", ""),
                        claimedBy(volume("pv-2", "9Gi"), "c", "uid-c")),
                row(
                        "T4 then capacity",
                        "pv-2",
                        claimedBy(volume("pv-1", "9Gi"), "c", ""),
                        claimedBy(volume("pv-2", "8Gi"), "c", "")),
                row("T4 then name", "pv-1", claimedBy(volume("pv-2"), "c", ""), claimedBy(volume("pv-1"), "c", "")));
    }

    static Stream<Row> order() {
        PersistentVolume twoModes = modes(volume("pv-2", "6Gi"), READ_WRITE_ONCE, READ_ONLY_MANY);
        PersistentVolume otherTwoModes = modes(volume("pv-1", "6Gi"), READ_WRITE_ONCE, READ_WRITE_MANY);
        PersistentVolume forClaimWider = claimedBy(twoModes, "c", "");
        return Stream.of(
                row(
                        "F16 smallest sufficient",
                        "pv-2",
                        volume("pv-1", "8Gi"),
                        volume("pv-2", "6Gi"),
                        volume("pv-3", "4Gi")),
                row("F16 by a thousandth", "pv-2", volume("pv-1", "6000000000002m"), volume("pv-2", "6000000000001m")),
                row(
                        "T10 exact beyond long",
                        claim("c", "9E"),
                        "pv-2",
                        volume("pv-1", "950000000000000000001"),
                        volume("pv-2", "950E")),
                row("T1 narrower set before smaller volume", "pv-1", volume("pv-1", "9Gi"), twoModes),
                row(
                        "T1 three modes if need be",
                        wanting(READ_ONLY_MANY, READ_WRITE_MANY),
                        "pv-3",
                        twoModes,
                        modes(volume("pv-3"), READ_WRITE_ONCE, READ_ONLY_MANY, READ_WRITE_MANY)),
                row(
                        "T2 smaller volume among sets of one size",
                        "pv-3",
                        twoModes,
                        modes(volume("pv-3", "5Gi"), READ_WRITE_ONCE, READ_WRITE_MANY)),
                row("T2 then RWO+ROX before RWO+RWX", "pv-2", otherTwoModes, twoModes),
                row("T3 for the claim in a wider set", "pv-2", volume("pv-1"), forClaimWider),
                new Row("T3 strict: free in the narrower set", CLAIM, STRICT, "pv-1", volume("pv-1"), forClaimWider),
                new Row(
                        "T3 strict: for the claim within a set",
                        CLAIM,
                        STRICT,
                        "pv-2",
                        volume("pv-1"),
                        claimedBy(volume("pv-2", "9Gi"), "c", "")),
                new Row("T3 strict: nothing fits", CLAIM, STRICT, "", claimedBy(volume("pv-1", "1Gi"), "c", "")),
                new Row(
                        "T3 strict and delayed",
                        CLAIM,
                        new MatchOptions(true, true),
                        "pv-2",
                        volume("pv-1"),
                        forClaimWider),
                row("T5 name", "pv-10", volume("pv-2"), volume("pv-10")),
                row(
                        "ReadWriteOncePod stands alone",
                        wanting(READ_WRITE_ONCE_POD),
                        "pv-2",
                        volume("pv-1"),
                        modes(volume("pv-2"), READ_WRITE_ONCE_POD)));
    }

    @ParameterizedTest
    @MethodSource({"filters", "claimed", "order"})
    void finds(Row row) {
        VolumeIndex index = new VolumeIndex();
        row.volumes.forEach(index::put);

        assertThat(nameOf(index.findBestMatch(row.claim, row.options))).isEqualTo(row.expected);
    }

    @Test
    void onlyAvailableVolumesAreFreeInTheOrderOfThePeer() {
        VolumeIndex index = new VolumeIndex(true);
        index.put(phase(volume("pv-1"), PersistentVolumePhase.PENDING));
        assertThat(index.findBestMatch(CLAIM, MatchOptions.DEFAULT)).isEmpty();

        index.put(volume("pv-1"));
        assertThat(nameOf(index.findBestMatch(CLAIM, MatchOptions.DEFAULT))).isEqualTo("pv-1");
    }

    @Test
    void refusesAnInvalidSelectorEvenIfAVolumeIsForTheClaim() {
        VolumeIndex index = new VolumeIndex();
        index.put(claimedBy(volume("pv-1"), "c", ""));
        PersistentVolumeClaim invalid =
                claim("c", spec -> spec.withSelector(selector(Map.of(), expression("zone", "Near", "a"))));

        assertThatThrownBy(() -> index.findBestMatch(invalid, MatchOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Near");
    }
}

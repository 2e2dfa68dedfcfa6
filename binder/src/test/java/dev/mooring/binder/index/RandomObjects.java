// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Volumes and claims from a seed: mostly ordinary ones that go together, with every oddity now and then. */
final class RandomObjects {
    private static final List<String> SIZES = List.of(
            "1Gi",
            "1073741824",
            "5Gi",
            "5Gi",
            "8Gi",
            "10Gi",
            "10737418240001m",
            "10737418240500m",
            "999999999n",
            "1",
            "1500m",
            "0",
            "9223372036854775806",
            "9223372036854775807",
            "9223372036854775807500m",
            "9223372036854775808",
            "10E",
            "950E",
            "950000E");
    private static final List<List<AccessMode>> MODES = List.of(
            List.of(AccessMode.READ_WRITE_ONCE),
            List.of(AccessMode.READ_WRITE_ONCE),
            List.of(AccessMode.READ_WRITE_ONCE),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY),
            List.of(AccessMode.READ_WRITE_MANY, AccessMode.READ_WRITE_ONCE),
            List.of(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_MANY),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_MANY),
            List.of(AccessMode.READ_ONLY_MANY),
            List.of(AccessMode.READ_WRITE_MANY, AccessMode.READ_WRITE_MANY),
            List.of(AccessMode.READ_WRITE_ONCE_POD),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD),
            List.of(AccessMode.READ_WRITE_ONCE, AccessMode.UNKNOWN),
            List.of());
    private static final List<String> NAME_BEGINNINGS = List.of("pv-", "pv-000000000", "pvc-", "ü", "\u4e2d", "x");

    private final Random random;

    RandomObjects(long seed) {
        random = new Random(seed);
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    String volumeName(int range) {
        int number = random.nextInt(range);
        String beginning = number % 10 < 7 ? "pv-" : NAME_BEGINNINGS.get(number % NAME_BEGINNINGS.size());
        return beginning + number;
    }

    String claimName() {
        return "claim-" + random.nextInt(30);
    }

    String size() {
        return oneOf(SIZES);
    }

    PersistentVolume volume(String name) {
        PersistentVolume volume = Fixtures.modes(Fixtures.volume(name, size()), modes());
        volume = chance(5) ? volume.withSpec(volume.spec().withCapacity(Map.of())) : volume;
        volume = chance(15) ? Fixtures.ofClass(volume, oneOf(List.of("slow", ""))) : volume;
        volume = chance(4)
                ? volume.withMetadata(volume.metadata().withAnnotation(Annotations.BETA_STORAGE_CLASS, "slow"))
                : volume;
        volume = chance(10) ? Fixtures.mode(volume, oneOf(List.of(VolumeMode.BLOCK, VolumeMode.FILESYSTEM))) : volume;
        volume = chance(10) ? Fixtures.attributes(volume, oneOf(List.of("gold", ""))) : volume;
        volume = chance(20) ? Fixtures.phase(volume, oneOf(List.of(PersistentVolumePhase.values()))) : volume;
        volume = chance(6) ? Fixtures.deleting(volume) : volume;
        volume = chance(6) ? Fixtures.reclaiming(volume) : volume;
        volume = Fixtures.labels(volume, labels());
        if (chance(20)) {
            String claim = claimName();
            volume = Fixtures.claimedBy(volume, claim, oneOf(List.of("", "uid-" + claim, "uid-other")));
            volume = chance(10) ? Fixtures.ofOtherNamespace(volume) : volume;
        }
        return volume;
    }

    private AccessMode[] modes() {
        return oneOf(MODES).toArray(AccessMode[]::new);
    }

    Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        if (chance(80)) {
            labels.put("zone", "z" + number(4));
        }
        if (chance(60)) {
            labels.put("disk", oneOf(List.of("ssd", "hdd")));
        }
        return labels;
    }

    PersistentVolumeClaim claim(String name) {
        String size = size();
        PersistentVolumeClaim claim = Fixtures.claim(
                name, spec -> spec.withRequestedStorage(Quantity.parse(size)).withAccessModes(oneOf(MODES)));
        claim = chance(5) ? claim.withSpec(claim.spec().withStorageClassName(Optional.empty())) : claim;
        claim = chance(10) ? claim.withSpec(claim.spec().withStorageClassName(Optional.of("slow"))) : claim;
        claim = chance(4)
                ? claim.withMetadata(claim.metadata().withAnnotation(Annotations.BETA_STORAGE_CLASS, ""))
                : claim;
        claim = chance(10) ? claim.withSpec(claim.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK))) : claim;
        claim = chance(6) ? claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of("gold"))) : claim;
        claim = chance(40) ? claim.withSpec(claim.spec().withSelector(Optional.of(selector()))) : claim;
        return Fixtures.created(claim, number(5));
    }

    private LabelSelector selector() {
        Map<String, String> labels = new TreeMap<>();
        List<LabelSelectorRequirement> expressions = new ArrayList<>();
        if (chance(50)) {
            labels.put("zone", "z" + number(5));
        }
        if (chance(30)) {
            labels.put("disk", "ssd");
        }
        if (chance(30)) {
            expressions.add(Fixtures.expression("zone", "In", "z" + number(4), "z" + number(4)));
        }
        if (chance(15)) {
            expressions.add(Fixtures.expression("zone", "NotIn", "z" + number(4)));
        }
        if (chance(10)) {
            expressions.add(Fixtures.expression("disk", oneOf(List.of("Exists", "DoesNotExist"))));
        }
        return new LabelSelector(labels, expressions);
    }
}

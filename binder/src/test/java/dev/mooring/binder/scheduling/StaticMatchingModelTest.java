// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.NodeSelectorRequirement;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The buckets against FindMatchingVolume with a node as semantics/binder §2.2 says it, step by step over a plain list. */
@Tag("long")
class StaticMatchingModelTest {
    private static final int WORLDS = 300;
    private static final int CHANGES = 50;
    private static final int QUESTIONS = 4;

    private enum Step {
        F2,
        F3,
        F4,
        F5,
        F6,
        F7,
        F8,
        F11,
        F12,
        F13,
        F14,
        F15
    }

    private final Map<Step, Integer> skipped = new EnumMap<>(Step.class);
    private int found;
    private int elsewhere;
    private int own;
    private int none;
    private int ties;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsWhatTheTableSays(boolean strict) {
        SchedulingOptions options = strict ? SchedulingOptions.UPSTREAM : SchedulingOptions.DEFAULT;
        for (int seed = 0; seed < WORLDS; seed++) {
            play(seed, options);
        }
        assertThat(found + none + elsewhere)
                .isGreaterThanOrEqualTo(WORLDS * CHANGES * QUESTIONS)
                .isGreaterThan(20_000);
        assertThat(found).isGreaterThan(5_000);
        assertThat(own).isGreaterThan(500);
        assertThat(elsewhere).isGreaterThan(100);
        assertThat(none).isGreaterThan(1_000);
        assertThat(ties).isGreaterThan(500);
        assertThat(skipped)
                .containsOnlyKeys(Step.values())
                .allSatisfy((step, count) -> assertThat(count).as(step.name()).isGreaterThan(300));
    }

    private void play(int seed, SchedulingOptions options) {
        Random random = new Random(seed);
        StaticVolumes index = new StaticVolumes(options);
        Map<String, PersistentVolume> volumes = new TreeMap<>();
        Map<String, PersistentVolumeClaim> reserved = new HashMap<>();
        for (int change = 0; change < CHANGES; change++) {
            change(random, index, volumes, reserved);
            for (int i = 0; i < QUESTIONS; i++) {
                PersistentVolumeClaim claim = claim(random);
                Map<String, String> node = Map.of(
                        SchedulingObjects.HOST,
                        "n" + random.nextInt(3),
                        SchedulingObjects.ZONE,
                        "z" + random.nextInt(2),
                        "rack",
                        "" + random.nextInt(9));
                Set<String> excluded = random.nextInt(4) == 0 ? Set.of(name(random)) : Set.of();
                StaticVolumes.Match match = index.match(claim, node, excluded);
                Optional<String> expected = literally(claim, node, excluded, volumes, reserved, options);
                assertThat(match.volume().map(volume -> volume.metadata().name()))
                        .as("seed %d, change %d, claim %s, node %s", seed, change, claim, node)
                        .isEqualTo(expected);
            }
        }
    }

    private static void change(
            Random random,
            StaticVolumes index,
            Map<String, PersistentVolume> volumes,
            Map<String, PersistentVolumeClaim> reserved) {
        String name = name(random);
        ObjectKey pod = ObjectKey.of("default", "pod");
        int kind = random.nextInt(10);
        if (kind < 6) {
            PersistentVolume volume = volume(random, name);
            volumes.put(name, volume);
            index.put(volume);
        } else if (kind < 7) {
            volumes.remove(name);
            index.remove(name);
        } else if (kind < 9) {
            PersistentVolumeClaim claim = claim(random);
            if (!reserved.containsKey(name) && index.isObtainable(name, claim)) {
                reserved.put(name, claim);
                index.reserve(name, ObjectKey.of(claim), claim.metadata().uid(), pod);
            }
        } else {
            for (String held : new HashSet<>(reserved.keySet())) {
                if (random.nextInt(2) == 0) {
                    reserved.remove(held);
                    index.release(held, pod);
                }
            }
        }
    }

    // ---- §2.2, in its order ----

    private Optional<String> literally(
            PersistentVolumeClaim claim,
            Map<String, String> node,
            Set<String> excluded,
            Map<String, PersistentVolume> volumes,
            Map<String, PersistentVolumeClaim> reserved,
            SchedulingOptions options) {
        String wantedClass = StorageClasses.nameOf(claim).orElse("");
        PersistentVolume best = null;
        PersistentVolume forClaim = null;
        boolean tie = false;
        for (PersistentVolume volume : volumes.values()) {
            boolean sameClass = StorageClasses.nameOf(volume).orElse("").equals(wantedClass);
            PersistentVolumeClaim holder = reserved.get(volume.metadata().name());
            boolean m = isFor(volume, claim, Optional.ofNullable(holder));
            if (options.upstreamMatching() && !sameClass) {
                skip(Step.F13); // T8: the list holds the class's volumes only
                continue;
            }
            Optional<Step> skip = skips(volume, claim, excluded, m, holder != null);
            if (skip.isPresent()) {
                skip(skip.get());
                continue;
            }
            if (m) {
                boolean offers =
                        volume.spec().accessModes().containsAll(claim.spec().accessModes());
                boolean taken = options.upstreamMatching() || offers; // the binder asks for the modes too
                if (taken && (forClaim == null || comesFirst(volume, forClaim))) {
                    forClaim = volume;
                }
                continue;
            }
            Optional<Step> late = skipsLate(volume, claim, node, sameClass, options);
            if (late.isPresent()) {
                skip(late.get());
            } else if (best == null || capacity(volume).compareTo(capacity(best)) < 0) {
                best = volume; // F16; the map's order gives T5
                tie = false;
            } else {
                tie |= capacity(volume).compareTo(capacity(best)) == 0;
            }
        }
        return answer(best, forClaim, node, tie);
    }

    private Optional<String> answer(
            @Nullable PersistentVolume best,
            @Nullable PersistentVolume forClaim,
            Map<String, String> node,
            boolean tie) {
        if (forClaim != null) {
            boolean reaches = reaches(forClaim, node); // F9
            own += reaches ? 1 : 0;
            found += reaches ? 1 : 0;
            elsewhere += reaches ? 0 : 1;
            return reaches ? Optional.of(forClaim.metadata().name()) : Optional.empty();
        }
        none += best == null ? 1 : 0;
        found += best == null ? 0 : 1;
        ties += tie ? 1 : 0;
        return Optional.ofNullable(best).map(volume -> volume.metadata().name());
    }

    private void skip(Step step) {
        skipped.merge(step, 1, Integer::sum);
    }

    private static Optional<Step> skips(
            PersistentVolume volume, PersistentVolumeClaim claim, Set<String> excluded, boolean m, boolean held) {
        if (excluded.contains(volume.metadata().name())) {
            return Optional.of(Step.F2);
        } else if ((volume.spec().claimRef().isPresent() || held) && !m) {
            return Optional.of(Step.F3);
        } else if (capacity(volume).compareTo(claim.spec().requestedStorage()) < 0) {
            return Optional.of(Step.F4);
        } else if (volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                != claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)) {
            return Optional.of(Step.F5);
        } else if (!volume.spec()
                .volumeAttributesClassName()
                .orElse("")
                .equals(claim.spec().volumeAttributesClassName().orElse(""))) {
            return Optional.of(Step.F6);
        }
        return volume.metadata().isDeleting()
                        || volume.metadata().annotation(Annotations.RECLAIMING).isPresent()
                ? Optional.of(Step.F7)
                : Optional.empty();
    }

    private Optional<Step> skipsLate(
            PersistentVolume volume,
            PersistentVolumeClaim claim,
            Map<String, String> node,
            boolean sameClass,
            SchedulingOptions options) {
        boolean reaches = reaches(volume, node);
        if (!reaches) {
            skip(Step.F8);
        }
        PersistentVolumePhase phase = volume.status().phase();
        if (phase != PersistentVolumePhase.AVAILABLE
                && (options.upstreamPhaseOrder() || phase != PersistentVolumePhase.PENDING)) {
            return Optional.of(Step.F11);
        } else if (!claim.spec()
                .selector()
                .map(selector -> selector.matches(volume.metadata().labels()))
                .orElse(true)) {
            return Optional.of(Step.F12);
        } else if (!sameClass) {
            return Optional.of(Step.F13);
        } else if (!reaches) {
            return Optional.of(Step.F14);
        }
        return volume.spec().accessModes().containsAll(claim.spec().accessModes())
                ? Optional.empty()
                : Optional.of(Step.F15);
    }

    private static boolean reaches(PersistentVolume volume, Map<String, String> node) {
        return volume.spec()
                .nodeAffinity()
                .map(affinity -> affinity.matches(node))
                .orElse(true);
    }

    /** M(pv, claim); a bind under way counts as a claimRef. */
    private static boolean isFor(
            PersistentVolume volume, PersistentVolumeClaim claim, Optional<PersistentVolumeClaim> holder) {
        boolean named = volume.spec()
                .claimRef()
                .filter(ref -> ref.name().equals(claim.metadata().name())
                        && ref.namespace().equals(claim.metadata().namespace())
                        && (ref.uid().isEmpty()
                                || ref.uid().equals(claim.metadata().uid())))
                .isPresent();
        boolean free = volume.spec().claimRef().isEmpty();
        return holder.isEmpty()
                ? named
                : (free || named)
                        && holder.get().metadata().uid().equals(claim.metadata().uid());
    }

    /** T4. */
    private static boolean comesFirst(PersistentVolume volume, PersistentVolume other) {
        boolean withUid = hasUid(volume);
        if (withUid != hasUid(other)) {
            return withUid;
        }
        int order = capacity(volume).compareTo(capacity(other));
        return order < 0
                || (order == 0
                        && volume.metadata().name().compareTo(other.metadata().name()) < 0);
    }

    private static boolean hasUid(PersistentVolume volume) {
        return volume.spec().claimRef().filter(ref -> !ref.uid().isEmpty()).isPresent();
    }

    private static Quantity capacity(PersistentVolume volume) {
        return volume.spec().storage();
    }

    // ---- random objects ----

    private static String name(Random random) {
        return "pv-" + random.nextInt(30);
    }

    private static String size(Random random) {
        return List.of("1Gi", "2Gi", "2Gi", "5Gi", "1500m", "9223372036854775808", "0")
                .get(random.nextInt(7));
    }

    private static PersistentVolume volume(Random random, String name) {
        PersistentVolume volume = SchedulingObjects.volume(name, size(random));
        volume =
                volume.withMetadata(volume.metadata().withLabels(Map.of("disk", random.nextBoolean() ? "ssd" : "hdd")));
        volume = withAffinity(random, volume);
        int kind = random.nextInt(16);
        if (kind == 0) {
            volume = SchedulingObjects.ofClass(volume, "other");
        } else if (kind == 1) {
            volume = volume.withMetadata(volume.metadata().withDeletionTimestamp(Optional.of(Instant.EPOCH)));
        } else if (kind == 2) {
            volume = volume.withMetadata(volume.metadata().withAnnotation(Annotations.RECLAIMING, "old"));
        } else if (kind == 3) {
            volume = volume.withSpec(volume.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK)));
        } else if (kind == 4) {
            volume = volume.withSpec(volume.spec().withVolumeAttributesClassName(Optional.of("gold")));
        } else if (kind == 5) {
            volume = volume.withSpec(volume.spec().withAccessModes(List.of(AccessMode.READ_ONLY_MANY)));
        } else if (kind == 6) {
            volume = volume.withStatus(volume.status().withPhase(PersistentVolumePhase.PENDING));
        } else if (kind == 7) {
            volume = volume.withStatus(volume.status().withPhase(PersistentVolumePhase.RELEASED));
        } else if (kind < 11) {
            PersistentVolumeClaim claim = claim(random);
            volume = SchedulingObjects.claimedBy(
                    volume, random.nextInt(3) == 0 ? SchedulingObjects.uid(claim, "") : claim);
        }
        return volume;
    }

    private static PersistentVolume withAffinity(Random random, PersistentVolume volume) {
        String host = "n" + random.nextInt(3);
        String zone = "z" + random.nextInt(2);
        return switch (random.nextInt(8)) {
            case 0, 1 -> volume;
            case 2, 3 -> SchedulingObjects.on(volume, host);
            case 4 -> SchedulingObjects.where(volume, expression(SchedulingObjects.ZONE, "In", "z0", "z1", "z1"));
            case 5 ->
                SchedulingObjects.where(
                        volume,
                        expression(SchedulingObjects.HOST, "In", host),
                        expression(SchedulingObjects.ZONE, "In", zone));
            case 6 -> SchedulingObjects.where(volume, expression(SchedulingObjects.HOST, "NotIn", host));
            default -> SchedulingObjects.where(volume, expression("rack", "Gt", "4"));
        };
    }

    private static NodeSelectorRequirement expression(String key, String operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }

    private static PersistentVolumeClaim claim(Random random) {
        String name = "claim-" + random.nextInt(8);
        PersistentVolumeClaim claim = SchedulingObjects.uid(SchedulingObjects.claim(name, size(random)), "uid-" + name);
        int kind = random.nextInt(12);
        if (kind == 0) {
            claim = SchedulingObjects.ofClass(claim, "other");
        } else if (kind == 1) {
            claim = claim.withSpec(claim.spec().withVolumeMode(Optional.of(VolumeMode.BLOCK)));
        } else if (kind == 2) {
            claim = claim.withSpec(claim.spec().withVolumeAttributesClassName(Optional.of("gold")));
        } else if (kind < 5) {
            claim = claim.withSpec(
                    claim.spec().withSelector(Optional.of(new LabelSelector(Map.of("disk", "ssd"), List.of()))));
        }
        return claim;
    }
}

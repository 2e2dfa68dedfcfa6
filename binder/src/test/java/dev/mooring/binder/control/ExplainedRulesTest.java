// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.BinderRule;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.index.Exclusion;
import dev.mooring.binder.index.MatchOptions;
import dev.mooring.binder.index.VolumeIndex;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeBindingMode;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is explained is what the binder does: random worlds of one claim and a few volumes. */
@Tag("long")
class ExplainedRulesTest {
    private static final int WORLDS = 1000 * Integer.getInteger("mooring.times", 1);

    private final Random random = new Random(7);

    private <T> T oneOf(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private PersistentVolume volume(int number) {
        PersistentVolume volume =
                BinderObjects.volume("pv" + number, oneOf(List.of("1Gi", "1Gi", "2Gi", "1073741823", "3Gi")));
        volume = volume.withSpec(volume.spec()
                .withStorageClassName(oneOf(
                        List.of(Optional.<String>empty(), Optional.of(""), Optional.of("gold"), Optional.of("later"))))
                .withVolumeMode(chance(15) ? Optional.of(VolumeMode.BLOCK) : Optional.empty())
                .withVolumeAttributesClassName(chance(10) ? Optional.of("fast") : Optional.empty())
                .withAccessModes(oneOf(List.of(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY),
                        List.of(AccessMode.READ_WRITE_MANY)))));
        if (chance(20)) {
            volume = volume.withMetadata(volume.metadata().withLabels(Map.of("zone", "a")));
        }
        if (chance(30)) {
            volume = BinderObjects.claimedBy(
                    volume,
                    oneOf(List.of("data", "data", "other")),
                    oneOf(List.of("", BinderObjects.UID, BinderObjects.OTHER_UID)));
        }
        if (chance(10)) {
            volume = BinderObjects.annotated(volume, Annotations.RECLAIMING, BinderObjects.OTHER_UID);
        }
        return BinderObjects.inPhase(
                volume,
                oneOf(List.of(
                        PersistentVolumePhase.PENDING,
                        PersistentVolumePhase.AVAILABLE,
                        PersistentVolumePhase.AVAILABLE,
                        PersistentVolumePhase.BOUND,
                        PersistentVolumePhase.RELEASED)));
    }

    private PersistentVolumeClaim claim() {
        PersistentVolumeClaim claim = BinderObjects.data();
        claim = claim.withSpec(claim.spec()
                .withStorageClassName(oneOf(List.of(
                        Optional.<String>empty(),
                        Optional.of(""),
                        Optional.of("gold"),
                        Optional.of("later"),
                        Optional.of("none"))))
                .withVolumeMode(chance(10) ? Optional.of(VolumeMode.BLOCK) : Optional.empty())
                .withVolumeAttributesClassName(chance(10) ? Optional.of("fast") : Optional.empty())
                .withSelector(
                        chance(15) ? Optional.of(new LabelSelector(Map.of("zone", "a"), List.of())) : Optional.empty())
                .withVolumeName(chance(30) ? "pv" + random.nextInt(5) : ""));
        if (chance(20)) {
            claim = BinderObjects.annotated(claim, Annotations.BIND_COMPLETED, "yes");
        }
        return claim;
    }

    private List<KubernetesObject> world() {
        List<KubernetesObject> objects = new ArrayList<>();
        objects.add(BinderObjects.storageClass("gold", "vendor.example.com/far", VolumeBindingMode.IMMEDIATE));
        StorageClass later = BinderObjects.storageClass(
                "later", "kubernetes.io/no-provisioner", VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
        objects.add(chance(20) ? BinderObjects.byDefault(later) : later);
        objects.add(claim());
        if (chance(30)) {
            objects.add(BinderObjects.pod("web", chance(50) ? "" : "n1", "data"));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            objects.add(volume(i));
        }
        return objects;
    }

    private static Explanation explain(List<KubernetesObject> objects) {
        return new Explainer(BinderOptions.DEFAULT, PluginRegistry.EMPTY)
                .claim(Snapshot.of(objects, Instant.EPOCH), ObjectKey.of("default", "data"))
                .orElseThrow();
    }

    @Test
    void theRuleThatIsShownIsTheOneThatTheRunningBinderAppliesInTheEnd() {
        Map<BinderRule, Integer> seen = new EnumMap<>(BinderRule.class);
        for (int i = 0; i < WORLDS; i++) {
            List<KubernetesObject> objects = world();
            Cluster cluster =
                    new Cluster().load(objects.toArray(KubernetesObject[]::new)).settle();
            PersistentVolumeClaim claim = cluster.claim("data");
            List<KubernetesObject> settled = new ArrayList<>(objects);
            settled.removeIf(o -> o instanceof PersistentVolume || o instanceof PersistentVolumeClaim);
            settled.addAll(cluster.volumes());
            settled.add(claim);
            Explanation explanation = explain(settled);
            Optional<BinderRule> applied = cluster.stateOf(claim).flatMap(ClaimState::rule);
            explanation.rule().ifPresent(rule -> seen.merge(rule, 1, Integer::sum));
            if (claim.status().phase() == ClaimPhase.BOUND) {
                assertThat(explanation.rule()).as("world %s: %s", i, objects).isEmpty();
            } else {
                assertThat(explanation.rule()).as("world %s: %s", i, objects).isEqualTo(applied);
                assertThat(explanation.causes()).as("world %s: %s", i, objects).isNotEmpty();
                assertThat(explanation.awaited().isEmpty()
                                && explanation.remedies().isEmpty())
                        .as("I6: something helps, world %s: %s", i, objects)
                        .isFalse();
            }
        }
        assertThat(seen)
                .containsKeys(
                        BinderRule.WAIT_FOR_FIRST_CONSUMER,
                        BinderRule.NO_CLASS,
                        BinderRule.NAMED_VOLUME_MISSING,
                        BinderRule.NAMED_VOLUME_MISMATCH,
                        BinderRule.NAMED_VOLUME_TAKEN,
                        BinderRule.BOUND_VOLUME_MISSING,
                        BinderRule.BOUND_VOLUME_TAKEN,
                        BinderRule.EXTERNAL_PROVISIONER,
                        BinderRule.PROVISIONER_MISSING);
    }

    @Test
    void aVolumeThatNoRuleExcludesIsMatchedAndOneThatIsExcludedIsNot() {
        int matched = 0;
        for (int i = 0; i < WORLDS * 5; i++) {
            VolumeIndex index = new VolumeIndex(chance(50));
            for (int n = random.nextInt(4); n > 0; n--) {
                index.put(volume(n));
            }
            if (chance(20)) {
                index.reserve("pv1", BinderObjects.OTHER_UID);
            }
            PersistentVolumeClaim claim = claim();
            List<Exclusion> fitting = index.exclusions(claim).stream()
                    .filter(exclusion -> exclusion.rules().isEmpty())
                    .toList();
            Optional<PersistentVolume> match = index.findBestMatch(claim, new MatchOptions(false, chance(50)));
            assertThat(match.isPresent())
                    .as("world %s: %s %s", i, claim, fitting)
                    .isEqualTo(!fitting.isEmpty());
            match.ifPresent(
                    found -> assertThat(fitting).extracting(Exclusion::volume).contains(found));
            matched += match.isPresent() ? 1 : 0;
        }
        assertThat(matched).isGreaterThan(WORLDS / 4);
    }
}

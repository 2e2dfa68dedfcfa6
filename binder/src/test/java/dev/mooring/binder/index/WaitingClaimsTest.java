// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static dev.mooring.binder.index.Fixtures.claim;
import static dev.mooring.binder.index.Fixtures.created;
import static dev.mooring.binder.index.Fixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.StorageClasses;
import dev.mooring.storage.model.VolumeMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is offered a volume (D18), by example and against a linear transcription; who waits for what else. */
@Tag("long")
class WaitingClaimsTest {
    private static final int OPERATIONS = Integer.getInteger("mooring.index.operations", 20_000);

    private final WaitingClaims waiting = new WaitingClaims();

    private static ObjectKey key(String name) {
        return ObjectKey.of("ns", name);
    }

    // ---- by example ----

    @Test
    void offersToTheLargestRequestThatFits() {
        waiting.register(claim("small", "1Gi"));
        waiting.register(claim("large", "5Gi"));
        waiting.register(claim("too-large", "5368709120001m"));

        assertThat(waiting.bestFor(volume("pv", "5Gi"))).contains(key("large"));
        assertThat(waiting.bestFor(volume("pv", "5Gi"), Set.of(key("large")))).contains(key("small"));
        assertThat(waiting.bestFor(volume("pv", "5Gi"), Set.of(key("large"), key("small"))))
                .isEmpty();
        assertThat(waiting.bestFor(volume("pv", "1"))).isEmpty();
    }

    @Test
    void offersToTheOldestOfEqualRequestsThenByName() {
        waiting.register(created(claim("a"), 2));
        waiting.register(created(claim("c"), 1));
        waiting.register(created(claim("b"), 1));

        assertThat(waiting.bestFor(volume("pv"))).contains(key("b"));
        assertThat(waiting.bestFor(volume("pv"), Set.of(key("b")))).contains(key("c"));
        assertThat(waiting.bestFor(volume("pv"), Set.of(key("b"), key("c")))).contains(key("a"));
    }

    @Test
    void aClaimIsOfferedOnlyWhatItAskedFor() {
        waiting.register(claim("modes", spec -> spec.withAccessModes(List.of(AccessMode.READ_WRITE_MANY))));
        waiting.register(claim("mode", spec -> spec.withVolumeMode(Optional.of(VolumeMode.BLOCK))));
        waiting.register(claim("class", spec -> spec.withStorageClassName(Optional.of("slow"))));
        waiting.register(claim("attributes", spec -> spec.withVolumeAttributesClassName(Optional.of("gold"))));
        waiting.register(claim("zone", spec -> spec.withSelector(Fixtures.selector(Map.of("zone", "a")))));
        waiting.register(claim("consumer"), Awaited.by(claim("consumer")).withoutFreeVolume());

        assertThat(waiting.bestFor(volume("pv"))).isEmpty();
        assertThat(waiting.bestFor(Fixtures.labels(volume("pv"), Map.of("zone", "a"))))
                .contains(key("zone"));
    }

    @Test
    void aSelectorThatRequiresNoValueIsTriedOnceHoweverManyClaimsHaveIt() {
        for (int i = 0; i < 4_000; i++) {
            waiting.register(claim(
                    "c-" + i,
                    spec -> spec.withSelector(Fixtures.selector(Map.of(), Fixtures.expression("tier", "Exists")))));
        }
        waiting.register(claim(
                "other",
                spec -> spec.withSelector(Fixtures.selector(Map.of(), Fixtures.expression("tier", "NotIn", "a")))));
        long before = waiting.probes();
        assertThat(waiting.bestFor(volume("pv"))).contains(key("other"));
        assertThat(waiting.probes() - before).isLessThan(20);
        assertThat(waiting.bestFor(Fixtures.labels(volume("pv"), Map.of("tier", "a"))))
                .contains(key("c-0"));
        for (int i = 0; i < 4_000; i++) {
            waiting.unregister(key("c-" + i));
        }
        assertThat(waiting.bestFor(Fixtures.labels(volume("pv"), Map.of("tier", "a"))))
                .isEmpty();
        waiting.check();
    }

    @Test
    void newsReachThoseThatWaitForThem() {
        waiting.register(claim("named", spec -> spec.withVolumeName("pv-1")));
        waiting.register(claim("classed"));
        waiting.register(claim("default", spec -> spec.withStorageClassName(Optional.empty())));
        PersistentVolumeClaim onNode = claim("on-node");
        waiting.register(onNode.withMetadata(onNode.metadata().withAnnotation(Annotations.SELECTED_NODE, "n1")));
        waiting.register(claim("attributed"), Awaited.NOTHING.andAttributesClass("gold"));

        assertThat(waiting.waitingForVolume("pv-1")).containsExactly(key("named"));
        assertThat(waiting.waitingForClass("fast")).containsExactly(key("classed"), key("on-node"));
        assertThat(waiting.waitingForDefaultClass()).containsExactly(key("default"));
        assertThat(waiting.waitingForNode("n1")).containsExactly(key("on-node"));
        assertThat(waiting.waitingForNode("n2")).isEmpty();
        assertThat(waiting.waitingForAttributesClass("gold")).containsExactly(key("attributed"));
        assertThat(waiting.waitingForAttributesClass("fast")).isEmpty();
        assertThat(waiting.waitingForVolume("pv-2")).isEmpty();
    }

    @Test
    void whatWasNotedBeforeIsForgotten() {
        waiting.register(
                claim("c", "1Gi"),
                Awaited.NOTHING.andFreeVolume().andClass("fast").andNode("n1").andSomeNode());
        waiting.register(claim("c", "2Gi"), Awaited.NOTHING.andFreeVolume());
        assertThat(waiting.size()).isEqualTo(1);
        assertThat(waiting.waitingForClass("fast")).isEmpty();
        assertThat(waiting.waitingForNode("n1")).isEmpty();
        assertThat(waiting.classesWithoutNode()).isEmpty();
        assertThat(waiting.bestFor(volume("pv", "1Gi"))).isEmpty();

        assertThat(waiting.unregister(key("c"))).isTrue();
        assertThat(waiting.unregister(key("c"))).isFalse();
        assertThat(waiting.awaitedBy(key("c"))).isEmpty();
        assertThat(waiting.bestFor(volume("pv", "2Gi"))).isEmpty();
    }

    @Test
    void whoNoLongerWaitsHearsNothingAndTheOthersDo() {
        Awaited everything = AwaitedBuilder.builder()
                .freeVolume(true)
                .volumeName("pv-1")
                .className("fast")
                .attributesClassName("gold")
                .defaultClass(true)
                .nodeNames(Set.of("n1", "n2"))
                .someNode(true)
                .build();
        waiting.register(claim("a"), everything);
        waiting.register(claim("b", spec -> spec.withAccessModes(List.of(AccessMode.READ_WRITE_MANY))), everything);
        waiting.register(claim("c", spec -> spec.withSelector(Fixtures.selector(Map.of("zone", "a")))), everything);
        List<ObjectKey> left = new ArrayList<>(List.of(key("a"), key("b"), key("c")));
        while (!left.isEmpty()) {
            assertThat(waiting.waitingForVolume("pv-1")).isEqualTo(left);
            assertThat(waiting.waitingForClass("fast")).isEqualTo(left);
            assertThat(waiting.waitingForAttributesClass("gold")).isEqualTo(left);
            assertThat(waiting.waitingForDefaultClass()).isEqualTo(left);
            assertThat(waiting.waitingForNode("n1")).isEqualTo(left);
            assertThat(waiting.waitingForNode("n2")).isEqualTo(left);
            assertThat(waiting.classesWithoutNode()).containsExactly("fast");
            assertThat(waiting.waitingForSomeNode("fast")).isEqualTo(left);
            assertThat(waiting.waitingForNodes()).isEqualTo(left);
            assertThat(waiting.awaitedBy(left.get(0))).contains(everything);
            waiting.check();

            waiting.unregister(left.remove(0));
        }
        waiting.check();
        assertThat(waiting.waitingForVolume("pv-1")).isEmpty();
        assertThat(waiting.waitingForClass("fast")).isEmpty();
        assertThat(waiting.waitingForAttributesClass("gold")).isEmpty();
        assertThat(waiting.waitingForDefaultClass()).isEmpty();
        assertThat(waiting.waitingForNode("n1")).isEmpty();
        assertThat(waiting.classesWithoutNode()).isEmpty();
        assertThat(waiting.waitingForNodes()).isEmpty();
        assertThat(waiting.size()).isZero();
    }

    @Test
    void theProjectionOfAWaitingClaimIsItsAge() {
        assertThat(new WaitingClaim(created(claim("c"), 7), Awaited.NOTHING).word(0))
                .isEqualTo(7);
    }

    @Test
    void looksAtFewClaims() {
        for (int i = 0; i < 10_000; i++) {
            String label = "c" + i;
            waiting.register(claim(label, spec -> spec.withSelector(Fixtures.selector(Map.of("for", label)))));
        }
        long before = waiting.probes();

        assertThat(waiting.bestFor(Fixtures.labels(volume("pv"), Map.of("for", "c777"))))
                .contains(key("c777"));
        assertThat(waiting.probes() - before).isLessThan(10);
    }

    @Test
    void countsTheClaimsThatItPassesOver() {
        Set<ObjectKey> declined = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            waiting.register(claim("c" + i));
            declined.add(key("c" + i));
        }
        long before = waiting.probes();

        assertThat(waiting.bestFor(volume("pv"), declined)).isEmpty();
        assertThat(waiting.probes() - before).isGreaterThan(20);
    }

    // ---- against the oracle ----

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void offersAsALinearSearch(long seed) {
        compare(seed, new Oracle());
    }

    @Test
    void noticesAnOracleThatIsOffByOne() {
        Oracle wrong = new Oracle() {
            @Override
            boolean isSufficient(int comparison) {
                return comparison > 0;
            }
        };

        assertThatThrownBy(() -> compare(1, wrong)).isInstanceOf(AssertionError.class);
    }

    private void compare(long seed, Oracle oracle) {
        RandomObjects random = new RandomObjects(seed);
        int found = 0;
        int asked = 0;
        for (int operation = 0; operation < OPERATIONS; operation++) {
            String name = "claim-" + random.number(300);
            if (random.chance(45)) {
                PersistentVolumeClaim claim = random.claim(name);
                waiting.register(claim);
                oracle.claims.put(key(name), claim);
            } else if (random.chance(30)) {
                assertThat(waiting.unregister(key(name))).isEqualTo(oracle.claims.remove(key(name)) != null);
            } else {
                PersistentVolume volume = random.volume("pv");
                Set<ObjectKey> declined = new HashSet<>();
                Optional<ObjectKey> expected = oracle.bestFor(volume, declined);
                while (expected.isPresent() && random.chance(30)) {
                    declined.add(expected.get());
                    expected = oracle.bestFor(volume, declined);
                }
                asked++;
                found += expected.isPresent() ? 1 : 0;
                assertThat(waiting.bestFor(volume, declined))
                        .as("seed %d, operation %d, %s", seed, operation, volume)
                        .isEqualTo(expected);
            }
            if (operation % 1000 == 0) {
                waiting.check();
            }
        }
        System.out.printf(
                "waiting claims against oracle: seed %d, asked %d, found %d, probes %d%n",
                seed, asked, found, waiting.probes());
        assertThat(found).isGreaterThan(asked * 30 / 100);
    }

    /** D18 as it is said: every waiting claim is asked. */
    private static class Oracle {
        private static final Comparator<PersistentVolumeClaim> ORDER = Comparator.comparing(
                        (PersistentVolumeClaim claim) ->
                                claim.spec().requestedStorage().value())
                .reversed()
                .thenComparing(claim -> claim.metadata().creationTimestamp().orElse(Instant.EPOCH))
                .thenComparing(claim -> claim.metadata().namespace())
                .thenComparing(claim -> claim.metadata().name());

        final Map<ObjectKey, PersistentVolumeClaim> claims = new TreeMap<>();

        Optional<ObjectKey> bestFor(PersistentVolume volume, Set<ObjectKey> declined) {
            return claims.values().stream()
                    .filter(claim -> !declined.contains(ObjectKey.of(claim)) && suits(volume, claim))
                    .min(ORDER)
                    .map(ObjectKey::of);
        }

        private boolean suits(PersistentVolume volume, PersistentVolumeClaim claim) {
            EnumSet<AccessMode> modes = EnumSet.noneOf(AccessMode.class);
            modes.addAll(volume.spec().accessModes());
            modes.remove(AccessMode.UNKNOWN);
            return isSufficient(AmountKeys.capacityOf(volume)
                            .value()
                            .compareTo(claim.spec().requestedStorage().value()))
                    && modes.containsAll(claim.spec().accessModes())
                    && volume.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                            == claim.spec().volumeMode().orElse(VolumeMode.FILESYSTEM)
                    && StorageClasses.nameOf(volume)
                            .orElse("")
                            .equals(StorageClasses.nameOf(claim).orElse(""))
                    && volume.spec()
                            .volumeAttributesClassName()
                            .orElse("")
                            .equals(claim.spec().volumeAttributesClassName().orElse(""))
                    && claim.spec()
                            .selector()
                            .map(selector -> selector.matches(volume.metadata().labels()))
                            .orElse(true);
        }

        boolean isSufficient(int comparison) {
            return comparison >= 0;
        }
    }
}

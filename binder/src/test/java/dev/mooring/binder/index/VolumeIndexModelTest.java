// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The index against {@link MatchOracle} under random changes. {@code -Dmooring.index.operations=200000} does more, {@code
 * -Dmooring.index.seed=7} others.
 */
class VolumeIndexModelTest {
    private static final int OPERATIONS = Integer.getInteger("mooring.index.operations", 20_000);
    private static final long SEED = Long.getLong("mooring.index.seed", 1);
    private static final int VOLUMES = 900;
    private static final int CHECK_EVERY = 1000;

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void answersAsTheSpecification(boolean peerPhaseOrder) {
        Run run = new Run(SEED, new MatchOracle(peerPhaseOrder), peerPhaseOrder);

        run.operations(OPERATIONS);

        run.print(peerPhaseOrder);
        assertThat(run.found).as("matches that succeed").isGreaterThan(run.asked * 30 / 100);
        assertThat(run.oracle.ties).as("ties").isGreaterThan(run.asked * 5 / 100);
        assertThat(run.oracle.onlyExcluder.keySet())
                .as("rules that decided alone")
                .contains(MatchOracle.Rule.values());
    }

    @Test
    void noticesAnOracleThatIsOffByOne() {
        MatchOracle wrong = new MatchOracle(false) {
            @Override
            boolean isSufficient(BigDecimal capacity, BigDecimal request) {
                return capacity.compareTo(request) > 0;
            }
        };
        Run run = new Run(SEED, wrong, false);

        assertThatThrownBy(() -> run.operations(OPERATIONS)).isInstanceOf(AssertionError.class);
        assertThat(run.operation).as("operations until noticed").isLessThan(OPERATIONS / 10);
    }

    /** One history of changes and questions. */
    private static final class Run {
        private final RandomObjects random;
        private final long seed;
        private final MatchOracle oracle;
        private final VolumeIndex index;
        private final Map<Operation, Integer> done = new EnumMap<>(Operation.class);
        private int operation;
        private int asked;
        private int found;

        Run(long seed, MatchOracle oracle, boolean peerPhaseOrder) {
            this.seed = seed;
            this.random = new RandomObjects(seed);
            this.oracle = oracle;
            this.index = new VolumeIndex(peerPhaseOrder);
        }

        void operations(int count) {
            for (operation = 0; operation < count; operation++) {
                // The index fills up first, so that groups grow past the size from which selectors are looked up.
                Operation next = operation < VOLUMES ? Operation.PUT : random.oneOf(List.of(Operation.values()));
                done.merge(next, 1, Integer::sum);
                perform(next);
                if (operation % CHECK_EVERY == 0) {
                    index.check();
                }
            }
            index.check();
        }

        private void perform(Operation next) {
            String name = random.volumeName(VOLUMES);
            switch (next) {
                case PUT, PUT_AGAIN, PUT_MORE -> put(random.volume(name));
                case TOUCH ->
                    Optional.ofNullable(oracle.volumes.get(name))
                            .map(known -> known.withMetadata(known.metadata().withResourceVersion("" + operation)))
                            .ifPresent(this::put);
                case RESIZE ->
                    Optional.ofNullable(oracle.volumes.get(name))
                            .map(known -> Fixtures.sized(known, random.size()))
                            .ifPresent(this::put);
                case REMOVE -> assertThat(index.remove(name)).isEqualTo(oracle.volumes.remove(name) != null);
                case RESERVE -> reserve(name, "uid-" + random.claimName());
                case RELEASE, RELEASE_AGAIN ->
                    assertThat(index.release(name)).isEqualTo(oracle.reservations.remove(name) != null);
                case MATCH, MATCH_AGAIN, MATCH_MORE, MATCH_YET_MORE -> match();
                case LOOK_UP -> lookUp(name);
            }
        }

        private void put(PersistentVolume volume) {
            index.put(volume);
            oracle.volumes.put(volume.metadata().name(), volume);
        }

        private void reserve(String name, String uid) {
            String holder = oracle.reservations.putIfAbsent(name, uid);
            assertThat(index.reserve(name, uid)).isEqualTo(holder == null || holder.equals(uid));
        }

        private void match() {
            PersistentVolumeClaim claim = random.claim(random.claimName());
            MatchOptions options = new MatchOptions(random.chance(8), random.chance(30));
            Optional<PersistentVolume> expected = oracle.find(claim, options);
            if (random.chance(15)) {
                Set<String> excluded = new TreeSet<>();
                for (int i = 0; i < 5; i++) {
                    expected.ifPresent(volume -> excluded.add(volume.metadata().name()));
                    expected = oracle.find(claim, options.withExcluded(excluded));
                }
                options = options.withExcluded(excluded);
            }
            asked++;
            found += expected.isPresent() ? 1 : 0;
            assertThat(index.findBestMatch(claim, options))
                    .as("seed %d, operation %d: %s, %s", seed, operation, claim, options)
                    .isEqualTo(expected);
        }

        private void lookUp(String name) {
            assertThat(index.byName(name)).isEqualTo(Optional.ofNullable(oracle.volumes.get(name)));
            assertThat(index.reservedFor(name)).isEqualTo(Optional.ofNullable(oracle.reservations.get(name)));
            assertThat(index.size()).isEqualTo(oracle.volumes.size());
            String claim = random.claimName();
            assertThat(index.claimedBy("ns", claim))
                    .isEqualTo(oracle.volumes.values().stream()
                            .filter(volume -> volume.spec()
                                    .claimRef()
                                    .filter(ref -> ref.name().equals(claim))
                                    .isPresent())
                            .toList());
        }

        void print(boolean peerPhaseOrder) {
            System.out.printf(
                    "index against oracle: seed %d, peerPhaseOrder %s, operations %s%n"
                            + "  asked %d, found %d, ties %d, free at the end %d, probes %d%n  only excluder %s%n",
                    seed,
                    peerPhaseOrder,
                    done,
                    asked,
                    found,
                    oracle.ties,
                    index.freeCount(),
                    index.probes(),
                    oracle.onlyExcluder);
        }
    }

    private enum Operation {
        PUT,
        PUT_AGAIN,
        PUT_MORE,
        TOUCH,
        RESIZE,
        REMOVE,
        RESERVE,
        RELEASE,
        RELEASE_AGAIN,
        MATCH,
        MATCH_AGAIN,
        MATCH_MORE,
        MATCH_YET_MORE,
        LOOK_UP
    }
}

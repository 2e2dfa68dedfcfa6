// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.index.MatchOracle.Rule;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumePhase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One history of changes and questions, told to an index and to the specification. */
class ModelRun {
    private static final int CHECK_EVERY = 1000;

    /** What happens; what happens more often stands here more often. */
    enum Operation {
        ADD,
        ADD_AGAIN,
        TOUCH,
        RESIZE,
        RELABEL,
        BIND,
        RETIRE,
        FREE,
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

    /** What was done and how it went. */
    static final class Tally {
        final Map<Operation, Long> done = new EnumMap<>(Operation.class);
        final Map<Rule, Long> onlyExcluder = new EnumMap<>(Rule.class);
        long asked;
        long found;
        long ties;
        long probes;

        void add(Tally other) {
            other.done.forEach((operation, count) -> done.merge(operation, count, Long::sum));
            other.onlyExcluder.forEach((rule, count) -> onlyExcluder.merge(rule, count, Long::sum));
            asked += other.asked;
            found += other.found;
            ties += other.ties;
            probes += other.probes;
        }

        long operations() {
            return done.values().stream().mapToLong(Long::longValue).sum();
        }

        String text() {
            return String.format(
                    "index against oracle: %,d operations %s%n  %,d matches, %,d found, %,d ties, %,d probes%n"
                            + "  only excluder %s",
                    operations(), done, asked, found, ties, probes, onlyExcluder);
        }
    }

    private final RandomObjects random;
    private final long seed;
    private final int volumes;
    private final MatchOracle oracle;
    private final VolumeIndex index;
    private final Tally tally = new Tally();
    private int operation;

    ModelRun(long seed, int volumes, MatchOracle oracle, boolean upstreamPhaseOrder) {
        this.seed = seed;
        this.random = new RandomObjects(seed);
        this.volumes = volumes;
        this.oracle = oracle;
        this.index = new VolumeIndex(upstreamPhaseOrder);
    }

    Tally tally() {
        tally.probes = index.probes();
        return tally;
    }

    /** How many operations there were. */
    int operation() {
        return operation;
    }

    void operations(int count) {
        for (operation = 0; operation < count; operation++) {
            // The index fills up first, so that groups grow past the size from which selectors are looked up.
            Operation next = operation < volumes ? Operation.ADD : random.oneOf(List.of(Operation.values()));
            tally.done.merge(next, 1L, Long::sum);
            perform(next);
            if (operation % CHECK_EVERY == 0) {
                index.check();
            }
        }
        index.check();
    }

    private void perform(Operation next) {
        String name = random.volumeName(volumes);
        Optional<PersistentVolume> known = Optional.ofNullable(oracle.volumes.get(name));
        switch (next) {
            case ADD, ADD_AGAIN -> put(next, random.volume(name));
            case TOUCH ->
                known.map(volume -> volume.withMetadata(volume.metadata().withResourceVersion("" + operation)))
                        .ifPresent(volume -> put(next, volume));
            case RESIZE -> known.map(v -> Fixtures.sized(v, random.size())).ifPresent(v -> put(next, v));
            case RELABEL -> known.map(v -> Fixtures.labels(v, random.labels())).ifPresent(v -> put(next, v));
            case BIND -> known.ifPresent(this::bind);
            case RETIRE ->
                known.map(v -> Fixtures.phase(v, PersistentVolumePhase.RELEASED))
                        .ifPresent(v -> put(next, v));
            case FREE ->
                known.map(v -> Fixtures.phase(Fixtures.unclaimed(v), PersistentVolumePhase.AVAILABLE))
                        .ifPresent(v -> put(next, v));
            case REMOVE -> remove(name);
            case RESERVE -> reserve(name, "uid-" + random.claimName());
            case RELEASE, RELEASE_AGAIN -> release(name);
            case MATCH, MATCH_AGAIN, MATCH_MORE, MATCH_YET_MORE -> match();
            case LOOK_UP -> lookUp(name);
        }
    }

    /** Whether the index hears of an operation; a test may have it miss some. */
    boolean isTold(Operation told) {
        return true;
    }

    private void put(Operation why, PersistentVolume volume) {
        if (isTold(why)) {
            index.put(volume);
        }
        oracle.volumes.put(volume.metadata().name(), volume);
    }

    /** As the binder does it: reserve, name the claim, show the phase, end the reservation. */
    private void bind(PersistentVolume volume) {
        String name = volume.metadata().name();
        String claim = random.claimName();
        if (oracle.reservations.containsKey(name)) {
            return;
        }
        reserve(name, "uid-" + claim);
        PersistentVolume claimed = Fixtures.claimedBy(volume, claim, "uid-" + claim);
        put(Operation.BIND, claimed);
        match(random.claim(claim));
        put(Operation.BIND, Fixtures.phase(claimed, PersistentVolumePhase.BOUND));
        release(name);
    }

    private void remove(String name) {
        boolean known = oracle.volumes.remove(name) != null;
        if (isTold(Operation.REMOVE)) {
            assertThat(index.remove(name)).isEqualTo(known);
        }
    }

    private void reserve(String name, String uid) {
        String holder = oracle.reservations.putIfAbsent(name, uid);
        if (isTold(Operation.RESERVE)) {
            assertThat(index.reserve(name, uid)).isEqualTo(holder == null || holder.equals(uid));
        }
    }

    private void release(String name) {
        boolean reserved = oracle.reservations.remove(name) != null;
        if (isTold(Operation.RELEASE)) {
            assertThat(index.release(name)).isEqualTo(reserved);
        }
    }

    private void match() {
        match(random.claim(random.claimName()));
    }

    private void match(PersistentVolumeClaim claim) {
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
        tally.asked++;
        tally.found += expected.isPresent() ? 1 : 0;
        tally.ties += oracle.tie ? 1 : 0;
        oracle.onlyExcluder.forEach((rule, count) -> tally.onlyExcluder.merge(rule, (long) count, Long::sum));
        Optional<PersistentVolume> answer = index.findBestMatch(claim, options);
        if (!answer.equals(expected)) {
            throw new AssertionError(String.format(
                    "seed %d, operation %d: %s, %s:%n  index %s%n  specification %s",
                    seed, operation, claim, options, answer, expected));
        }
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
                                .filter(ref -> ref.namespace().equals("ns")
                                        && ref.name().equals(claim))
                                .isPresent())
                        .toList());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who leads by several Leases holds them all. */
class JointElectionTest {
    private static final List<String> NAMES = List.of("disks", "attacher-disks", "resizer-disks");

    private long nanos;
    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), this::wall, IdSource.random(new Random(1))));
    private final JointElection one = candidate("one");
    private final JointElection two = candidate("two");

    @AfterEach
    void close() {
        store.close();
    }

    private Instant wall() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos);
    }

    private JointElection candidate(String name) {
        List<LeaderOptions> options = NAMES.stream()
                .map(lease -> LeaderOptions.of(ObjectKey.of("kube-system", lease), name))
                .toList();
        return JointElection.of(store, options, () -> new Time(wall(), nanos));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private Lease lease(String name) {
        return store.get(Kinds.LEASE, ObjectKey.of("kube-system", name)).orThrow();
    }

    private Stream<String> holders() {
        return NAMES.stream().map(name -> lease(name).spec().holderIdentity());
    }

    @Test
    void theFirstGetsAllAndTheSecondNone() {
        assertThat(one.tick()).isPresent();
        assertThat(two.tick()).isEmpty();
        assertThat(holders()).containsOnly("one");
    }

    @Test
    void itIsOneTimeInOfficeAsLongAsAllAreRenewed() {
        Tenure term = one.tick().orElseThrow();
        pass(Duration.ofSeconds(4));
        assertThat(one.tick()).contains(term);
        assertThat(term.isHeld()).isTrue();
    }

    @Test
    void withoutOneOfThemThereIsNoLeader() {
        Tenure term = one.tick().orElseThrow();
        Lease last = lease("resizer-disks");
        store.update(
                        Kinds.LEASE,
                        new Change<>(last, last.withSpec(last.spec().withHolderIdentity("external-resizer-0"))))
                .orThrow();
        pass(Duration.ofSeconds(4));
        assertThat(one.tick()).isEmpty();
        assertThat(term.isHeld()).isFalse();
        assertThat(two.tick()).isEmpty();
    }

    @Test
    void anotherMayHaveThemWhenTheyAreGivenBack() {
        Tenure term = one.tick().orElseThrow();
        assertThat(two.tick()).isEmpty();
        one.resign();
        assertThat(term.isHeld()).isFalse();
        assertThat(holders()).containsOnly("");
        assertThat(two.tick()).isPresent();
        assertThat(one.tick()).isEmpty();
    }

    @Test
    void aNewTimeInOfficeIsAnother() {
        Optional<Tenure> first = one.tick();
        pass(Duration.ofSeconds(11));
        assertThat(first.orElseThrow().isHeld()).isFalse();
        pass(Duration.ofSeconds(5));
        one.settled();
        Optional<Tenure> second = one.tick();
        assertThat(second).isPresent().isNotEqualTo(first);
        assertThat(second.orElseThrow().isHeld()).isTrue();
    }
}

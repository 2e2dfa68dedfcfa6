// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A leader's work is done during its terms, by one process at a time. */
class CandidacyTest {
    private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring-controller");
    private static final Duration SOON = Duration.ofSeconds(2);

    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
    private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        store.close();
    }

    private static LeaderOptions options(String identity) {
        return options(identity, Duration.ofMinutes(5));
    }

    /** By default longer than any machine stalls, so that a term ends by what a test does. */
    private static LeaderOptions options(String identity, Duration lease) {
        return new LeaderOptions(LEASE, identity, lease, lease.dividedBy(2), Duration.ofMillis(100));
    }

    private Candidacy candidate(String name) {
        return LeaderElection.run(store, options(name), term -> {
            done.add(name + " begins");
            return () -> done.add(name + " ends");
        });
    }

    private String next() throws InterruptedException {
        return String.valueOf(done.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void theNextBeginsWhenTheWorkOfTheFirstHasEnded() throws Exception {
        Candidacy one = candidate("a");
        try (one) {
            assertThat(next()).isEqualTo("a begins");
            Candidacy other = candidate("b");
            try (other) {
                one.close();
                assertThat(next()).isEqualTo("a ends");
                assertThat(next()).isEqualTo("b begins");
            }
            assertThat(next()).isEqualTo("b ends");
        }
        assertThat(done).isEmpty();
    }

    @Test
    void aLeaseThatIsGivenBackNamesNoHolder() throws Exception {
        Candidacy one = candidate("a");
        try (one) {
            assertThat(next()).isEqualTo("a begins");
        }
        assertThat(store.get(Kinds.LEASE, LEASE).orThrow().spec().holderIdentity())
                .isEmpty();
    }

    @Test
    void aLeaseWhoseWorkMayBeInFlightIsNotGivenBack() throws Exception {
        Candidacy one = LeaderElection.run(store, options("a"), term -> {
            done.add("a begins");
            return () -> {
                throw new IllegalStateException("a call hangs");
            };
        });
        try (one) {
            assertThat(next()).isEqualTo("a begins");
        }
        assertThat(store.get(Kinds.LEASE, LEASE).orThrow().spec().holderIdentity())
                .isEqualTo("a");
    }

    @Test
    void workThatCannotBeginIsTriedAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Candidacy one = LeaderElection.run(store, options("a", SOON), term -> {
            int number = tries.incrementAndGet();
            if (number < 3) {
                throw new IllegalStateException("not yet");
            }
            done.add("a begins with try " + number);
            return () -> done.add("a ends");
        });
        try (one) {
            assertThat(next()).isEqualTo("a begins with try 3");
        }
    }

    @Test
    void whoLosesTheLeaseEndsItsWorkAndEachTermHasALargerNumber() throws Exception {
        List<Long> terms = new CopyOnWriteArrayList<>();
        Candidacy one = LeaderElection.run(store, options("a", SOON), term -> {
            terms.add(term.number());
            done.add("a begins");
            return () -> done.add("a ends");
        });
        try (one) {
            assertThat(next()).isEqualTo("a begins");
            takeTheLease();
            assertThat(next()).isEqualTo("a ends");
            assertThat(next()).isEqualTo("a begins");
        }
        assertThat(terms).hasSize(2).isSorted().doesNotHaveDuplicates();
    }

    /** As another process does that was told to lead. */
    private void takeTheLease() {
        boolean taken = false;
        while (!taken) { // the holder may renew it in between
            Lease lease = store.get(Kinds.LEASE, LEASE).orThrow();
            LeaseSpec theirs = lease.spec()
                    .withHolderIdentity("b")
                    .withLeaseTransitions(lease.spec().leaseTransitions() + 1);
            taken = store.update(Kinds.LEASE, new Change<>(lease, lease.withSpec(theirs)))
                    .value()
                    .isPresent();
        }
    }
}

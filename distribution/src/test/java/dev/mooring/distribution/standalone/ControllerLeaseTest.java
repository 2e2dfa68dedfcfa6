// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.kubernetes.LeaderElection;
import dev.mooring.kubernetes.LeaderOptions;
import dev.mooring.runtime.control.Time;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of two sets of controllers the server's own decides. */
class ControllerLeaseTest {
    private static final ObjectKey KEY = ObjectKey.of("kube-system", "mooring-controller");

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private final MemoryClusterStore store =
            new MemoryClusterStore(StoreOptions.of(Kinds.standard(), () -> now, IdSource.random(new Random(1))));
    private final ControllerLease own = new ControllerLease(store, () -> now);
    private final LeaderElection other = new LeaderElection(
            store, LeaderOptions.of(KEY, "other"), () -> new Time(now, now.getEpochSecond() * 1_000_000_000));

    @BeforeEach
    void namespace() {
        store.createDocument(Kinds.NAMESPACE, Document.of(Map.of("metadata", Map.of("name", "kube-system"))));
    }

    private Lease lease() {
        return store.get(Kinds.LEASE, KEY).orThrow();
    }

    @Test
    void aControllerStandsByForEverAndNothingIsRenewed() {
        assertThat(own.take()).as("it was another's").isFalse();
        Lease written = lease();
        assertThat(written.spec().holderIdentity()).isEqualTo("mooring-standalone");
        assertThat(other.tick()).isEmpty();
        now = now.plus(Duration.ofDays(3650));
        assertThat(own.take()).isFalse();
        assertThat(other.tick()).isEmpty();
        assertThat(lease()).isEqualTo(written);
    }

    @Test
    void aControllerThatLedIsToldByItsNextRenewal() {
        assertThat(other.tick()).isPresent();
        assertThat(own.take()).as("it was another's").isTrue();
        assertThat(other.tick()).isEmpty();
        assertThat(lease().spec().holderIdentity()).isEqualTo("mooring-standalone");
        assertThat(lease().spec().leaseTransitions()).isEqualTo(1);
    }

    @Test
    void aLeaseThatAnotherHolderGaveBackIsTaken() {
        assertThat(other.tick()).isPresent();
        other.resign();
        assertThat(own.take()).as("it was another's").isFalse();
        assertThat(other.tick()).isEmpty();
    }
}

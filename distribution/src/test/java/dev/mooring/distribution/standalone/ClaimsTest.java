// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.StoredKinds;
import dev.mooring.distribution.node.NodeRefused;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.wiring.Awaiting;
import dev.mooring.kubernetes.Connection;
import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesStore;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.store.embedded.EmbeddedClusterStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The node of a server is its own, as that of {@code mooring node} is. */
class ClaimsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final ObjectKey LEASE = ObjectKey.of("kube-node-lease", "here");
    private static final ObjectKey LEADER = ObjectKey.of("kube-system", "mooring-controller");

    @TempDir
    private Path directory = Path.of("");

    private Path data() {
        return directory.resolve("data");
    }

    private Standalone start(Duration lease) throws IOException {
        return Standalone.start(StandaloneServers.options(data()), InstalledPlugins.of(List.of()), lease);
    }

    private ClusterStore client() {
        return KubernetesStore.open(Connection.ofKubeconfig(data().resolve("kubeconfig")), KubernetesOptions.DEFAULT);
    }

    /** The objects while no server runs. */
    private ClusterStore stopped() {
        return EmbeddedClusterStore.open(
                data().resolve("store/cluster.db"),
                StoreOptions.of(
                        StoredKinds.withStandard(), InstantSource.system(), IdSource.random(new SecureRandom())));
    }

    private static Lease lease(ClusterStore store) {
        return store.get(Kinds.LEASE, LEASE).orThrow();
    }

    private static void change(ClusterStore store, ObjectKey key, UnaryOperator<LeaseSpec> spec) {
        Lease there = store.get(Kinds.LEASE, key).orThrow();
        store.update(Kinds.LEASE, new Change<>(there, there.withSpec(spec.apply(there.spec()))))
                .orThrow();
    }

    private static UnaryOperator<LeaseSpec> of(String holder, Instant renewed) {
        return spec -> spec.withHolderIdentity(holder).withRenewTime(Optional.of(renewed));
    }

    @Test
    void theNodeIsReadyAndItsLeaseIsRenewed() throws Exception {
        try (Standalone server = start(Duration.ofSeconds(4));
                ClusterStore store = client()) {
            Lease first = lease(store);
            Node node = store.get(Kinds.NODE, ObjectKey.cluster("here")).orThrow();
            assertThat(node.status().conditions())
                    .anyMatch(each -> each.type().equals("Ready") && each.status() == ConditionStatus.TRUE);
            assertThat(first.metadata().ownerReferences())
                    .allMatch(owner -> owner.uid().equals(node.metadata().uid()))
                    .hasSize(1);
            new Awaiting(store, PATIENCE)
                    .until(
                            Kinds.LEASE,
                            LEASE,
                            "it is renewed",
                            seen -> seen.filter(lease -> !lease.spec().equals(first.spec()))
                                    .isPresent());
            assertThat(server.sickness()).isEmpty();
        }
    }

    @Test
    void theNextStartKnowsItsOwnLeaseAndKeepsOthersFromDeciding() throws Exception {
        start(Duration.ofSeconds(40)).close();
        try (Standalone server = start(Duration.ofSeconds(40));
                ClusterStore store = client()) {
            assertThat(server.sickness()).isEmpty();
            assertThat(lease(store).spec().holderIdentity()).isEqualTo(Claims.HOLDER);
            assertThat(store.get(Kinds.LEASE, LEADER).orThrow().spec().holderIdentity())
                    .isEqualTo(Claims.HOLDER);
        }
    }

    @Test
    void aNodeThatAnotherAgentHasIsRefused() throws Exception {
        start(Duration.ofSeconds(40)).close();
        Lease theirs;
        try (ClusterStore store = stopped()) {
            change(store, LEASE, of("other", Instant.now().plus(PATIENCE)));
            theirs = lease(store);
        }
        assertThatThrownBy(() -> start(Duration.ofSeconds(40)))
                .isInstanceOf(NodeRefused.class)
                .hasMessageContainingAll("kube-node-lease/here", "other");
        try (ClusterStore store = stopped()) {
            assertThat(lease(store)).isEqualTo(theirs);
        }
    }

    @Test
    void leasesThatOthersLeftAreTakenOver() throws Exception {
        start(Duration.ofSeconds(40)).close();
        try (ClusterStore store = stopped()) {
            change(store, LEASE, of("other", Instant.now().minus(PATIENCE)));
            change(store, LEADER, of("other", Instant.now()));
        }
        try (Standalone server = start(Duration.ofSeconds(1));
                ClusterStore store = client()) {
            assertThat(server.sickness()).isEmpty();
            assertThat(lease(store).spec().holderIdentity()).isEqualTo(Claims.HOLDER);
            assertThat(store.get(Kinds.LEASE, LEADER).orThrow().spec().holderIdentity())
                    .isEqualTo(Claims.HOLDER);
        }
    }

    /** Nothing runs there any more, but all clients still need the objects. */
    @Test
    void aServerWhoseNodeIsDeletedServesOnUntilAnotherClientMakesTheNode() throws Exception {
        try (Standalone server = start(Duration.ofSeconds(4));
                ClusterStore store = client()) {
            store.delete(Kinds.NODE, ObjectKey.cluster("here"), DeleteOptions.DEFAULT);
            store.delete(Kinds.LEASE, LEASE, DeleteOptions.DEFAULT);
            TimeUnit.SECONDS.sleep(4); // four renewals
            assertThat(server.sickness()).isEmpty();
            assertThat(store.get(Kinds.NODE, ObjectKey.cluster("here")).value()).isEmpty();

            store.create(Kinds.NODE, Node.of("here")).orThrow();
            untilItMustEnd(server);
            assertThat(server.sickness().orElse("")).containsAnyOf("created it again", "another one now");
        }
        try (Standalone server = start(Duration.ofSeconds(4))) {
            assertThat(server.sickness()).isEmpty();
        }
    }

    private static void untilItMustEnd(Standalone server) throws InterruptedException {
        long begin = System.nanoTime();
        while (server.sickness().isEmpty() && System.nanoTime() - begin < PATIENCE.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aServerWhoseNodeIsTakenSaysThatItMustEnd() throws Exception {
        try (Standalone server = start(Duration.ofSeconds(4));
                ClusterStore store = client()) {
            boolean taken = false;
            while (!taken) { // the server may renew it in between
                Lease there = lease(store);
                LeaseSpec theirs = of("other", Instant.now()).apply(there.spec());
                taken = store.update(Kinds.LEASE, new Change<>(there, there.withSpec(theirs)))
                        .value()
                        .isPresent();
            }
            untilItMustEnd(server);
            assertThat(server.sickness().orElse("")).contains("kube-node-lease/here", "taken by other");
        }
    }
}

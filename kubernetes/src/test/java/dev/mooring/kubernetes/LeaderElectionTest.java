// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.Interception;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.clusterstore.WriteInterceptor;
import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.term.FencedStore;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Namespace;
import dev.mooring.storage.model.NamespaceSpec;
import dev.mooring.storage.model.NamespaceStatus;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One leader at a time, and none that writes after its term. */
class LeaderElectionTest {
    private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring-controller");

    private final Hands clock = new Hands();
    private final AtomicReference<Interception> fault = new AtomicReference<>(Interception.PROCEED);
    private final WriteInterceptor faults =
            request -> request.kind() == Kinds.LEASE ? fault.get() : Interception.PROCEED;
    private final MemoryClusterStore store = new MemoryClusterStore(
            StoreOptions.of(Kinds.standard(), () -> clock.now().wall(), IdSource.random(new Random(1)))
                    .withInterceptor(faults));
    private final LeaderElection a = candidate("a");
    private final LeaderElection b = candidate("b");

    private LeaderElection candidate(String identity) {
        return new LeaderElection(store, LeaderOptions.of(LEASE, identity), clock);
    }

    LeaderElectionTest() {
        ObjectMeta name = ObjectMeta.EMPTY.withName("kube-system");
        store.create(Kinds.NAMESPACE, new Namespace(name, NamespaceSpec.EMPTY, NamespaceStatus.EMPTY));
    }

    @Test
    void theFirstLeadsAndTheOtherWaitsWhileItRenews() {
        Term term = a.tick().orElseThrow();
        for (int i = 0; i < 30; i++) {
            clock.pass(Duration.ofSeconds(2));
            assertThat(a.tick()).containsSame(term);
            assertThat(b.tick()).isEmpty();
        }
        assertThat(holder()).isEqualTo("a");
        assertThat(term.isHeld()).isTrue();
    }

    @Test
    void whoIsToldLateWaitsFromTheMomentAtWhichItWasTold() {
        Term term = a.tick().orElseThrow();
        Queue<Duration> underWay = new ArrayDeque<>(List.of(Duration.ofSeconds(9)));
        ForwardingStore slow = new ForwardingStore(store) {
            @Override
            public <T extends KubernetesObject> StoreResult<T> get(Kind<T> kind, ObjectKey key) {
                Optional.ofNullable(underWay.poll()).ifPresent(time -> {
                    clock.pass(time);
                    assertThat(a.tick()).contains(term);
                });
                return super.get(kind, key);
            }
        };
        LeaderElection late = new LeaderElection(slow, LeaderOptions.of(LEASE, "late"), clock);
        assertThat(late.tick()).isEmpty();
        clock.pass(Duration.ofSeconds(6));
        assertThat(term.isHeld()).isTrue();
        assertThat(late.tick()).isEmpty();
    }

    @Test
    void aLeaderRenewsLessOftenThanItTriesAgain() {
        assertThat(a.tick()).isPresent();
        assertThat(a.pause()).isEqualTo(Duration.ofSeconds(4));
        assertThat(b.tick()).isEmpty();
        assertThat(b.pause()).isEqualTo(Duration.ofSeconds(2));
        clock.pass(Duration.ofSeconds(3));
        assertThat(a.pause()).as("what has passed counts").isEqualTo(Duration.ofSeconds(1));
        assertThat(b.pause()).isEqualTo(Duration.ZERO);
        fault.set(Interception.refuse(Failure.UNAVAILABLE, "no server"));
        assertThat(a.tick()).isPresent();
        assertThat(a.pause()).as("after a failure").isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aLeaderThatIsPausedIsOverBeforeTheNextOneBegins() {
        Term term = a.tick().orElseThrow();
        b.tick();
        boolean wasOver = false;
        for (int i = 0; i < 15; i++) {
            clock.pass(Duration.ofSeconds(1));
            boolean taken = b.tick().isPresent();
            wasOver |= !term.isHeld();
            assertThat(taken && !wasOver).as("two at a time, second " + i).isFalse();
        }
        assertThat(holder()).isEqualTo("b");
        assertThat(a.tick()).as("continued").isEmpty();
        assertThat(a.tick()).isEmpty();
        assertThat(holder()).isEqualTo("b");
    }

    @Test
    void nothingIsWrittenAfterTheTerm() {
        Term term = a.tick().orElseThrow();
        FencedStore fenced = new FencedStore(store, term);
        PersistentVolume volume =
                fenced.create(Kinds.PERSISTENT_VOLUME, volume()).orThrow();
        clock.pass(Duration.ofSeconds(10));
        PersistentVolume edited = volume.withMetadata(volume.metadata().withAnnotation("example.com/a", "b"));
        assertThat(fenced.update(Kinds.PERSISTENT_VOLUME, new Change<>(volume, edited))
                        .failure())
                .contains(Failure.UNAVAILABLE);
        assertThat(fenced.delete(Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume), DeleteOptions.DEFAULT)
                        .failure())
                .contains(Failure.UNAVAILABLE);
        assertThat(fenced.get(Kinds.PERSISTENT_VOLUME, ObjectKey.of(volume)).orThrow())
                .isEqualTo(volume);
        assertThat(a.tick()).isEmpty();
        assertThat(term.isHeld()).as("once over, over for good").isFalse();
    }

    @Test
    void aMachineThatWasSuspendedIsNoticedByTheWallClock() {
        Term term = a.tick().orElseThrow();
        clock.wall = clock.wall.plus(Duration.ofSeconds(60));
        assertThat(term.isHeld()).isFalse();
    }

    @Test
    void aRenewalWhoseAnswerIsLostIsLookedUp() {
        Term term = a.tick().orElseThrow();
        clock.pass(Duration.ofSeconds(2));
        fault.set(Interception.loseAnswer("cut"));
        assertThat(a.tick()).containsSame(term);
        fault.set(Interception.PROCEED);
        clock.pass(Duration.ofSeconds(2));
        assertThat(a.tick()).containsSame(term);
        clock.pass(Duration.ofSeconds(9));
        assertThat(term.isHeld()).isTrue();
    }

    @Test
    void aLeaderThatWasDeposedByAStallLeadsAgainAtOnceWhenItsControllersAreClosed() {
        for (boolean closed : List.of(true, false)) {
            Term term = a.tick().orElseThrow();
            clock.pass(Duration.ofSeconds(10));
            assertThat(a.tick())
                    .as("over, and nothing is known of what it had begun")
                    .isEmpty();
            if (closed) {
                a.settled();
                Term next = a.tick().orElseThrow();
                assertThat(next.number()).isGreaterThan(term.number());
                a.settled();
            } else {
                clock.pass(Duration.ofSeconds(4));
                assertThat(a.tick()).isEmpty();
                clock.pass(Duration.ofSeconds(1));
                assertThat(a.tick()).isPresent();
            }
        }
    }

    @Test
    void aStallThatTakesOneTryDeposesNoLeader() {
        Duration patience = Duration.ofSeconds(3);
        Queue<Duration> lost = new ArrayDeque<>();
        ForwardingStore stalled = new ForwardingStore(store) {
            @Override
            public <T extends KubernetesObject> StoreResult<T> update(Kind<T> kind, Change<T> change) {
                Optional<Duration> wait = Optional.ofNullable(lost.poll());
                StoreResult<T> written = super.update(kind, change);
                wait.ifPresent(clock::pass);
                return wait.isPresent() ? StoreResult.failed(Failure.UNKNOWN, "no answer") : written;
            }
        };
        LeaderElection slow = new LeaderElection(stalled, LeaderOptions.of(LEASE, "slow"), clock);
        Term held = slow.tick().orElseThrow();
        for (int i = 0; i < 20; i++) {
            lost.add(patience);
            clock.pass(slow.pause());
            assertThat(slow.tick()).containsSame(held);
            clock.pass(slow.pause());
            assertThat(slow.tick()).containsSame(held);
            assertThat(slow.pause()).as("renewed").isEqualTo(Duration.ofSeconds(4));
        }
    }

    @Test
    void aLeaderThatCannotRenewStopsInTime() {
        Term term = a.tick().orElseThrow();
        b.tick();
        fault.set(Interception.refuse(Failure.UNAVAILABLE, "no server"));
        for (int i = 0; i < 5; i++) {
            clock.pass(Duration.ofSeconds(2));
            a.tick();
        }
        assertThat(term.isHeld()).isFalse();
        fault.set(Interception.PROCEED);
        clock.pass(Duration.ofSeconds(5));
        assertThat(b.tick()).isPresent();
    }

    @Test
    void whoResignsIsFollowedAtOnce() {
        Term term = a.tick().orElseThrow();
        b.tick();
        a.resign();
        assertThat(term.isHeld()).isFalse();
        Term next = b.tick().orElseThrow();
        assertThat(next.number()).isGreaterThan(term.number());
        assertThat(holder()).isEqualTo("b");
    }

    @Test
    void ofTwoThatTryAtOnceOneLeads() {
        a.tick();
        a.resign();
        LeaderElection[] both = {a, b};
        long leading = java.util.stream.Stream.of(both)
                .filter(each -> each.tick().isPresent())
                .count();
        assertThat(leading).isEqualTo(1);
    }

    private String holder() {
        return store.get(Kinds.LEASE, LEASE).orThrow().spec().holderIdentity();
    }

    private static PersistentVolume volume() {
        return PersistentVolume.of(
                "v",
                PersistentVolumeSpec.EMPTY
                        .withStorage(dev.mooring.storage.model.Quantity.parse("1Gi"))
                        .withAccessModes(java.util.List.of(dev.mooring.storage.model.AccessMode.READ_WRITE_ONCE))
                        .withSource(Optional.of(new dev.mooring.storage.model.VolumeSource(
                                "nfs",
                                dev.mooring.storage.document.Document.of(
                                        java.util.Map.of("server", "s", "path", "/p"))))));
    }

    /** Two clocks that are set by hand. */
    private static final class Hands implements TimeSource {
        private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
        private long nanos;

        void pass(Duration duration) {
            wall = wall.plus(duration);
            nanos += duration.toNanos();
        }

        @Override
        public Time now() {
            return new Time(wall, nanos);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.Time;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Lease;
import dev.mooring.storage.model.LeaseSpec;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.store.Change;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election by a Lease, by the rules of client-go's leader election: the candidate that changes the Lease first (optimistic concurrency)
 * leads, renews it while it leads, and others wait until they have seen no renewal for the whole duration of the lease, measured by
 * their own clock, so that the clocks of two machines need not agree.
 *
 * <p>Makes no thread: its user calls {@link #tick} every {@link LeaderOptions#retryPeriod}. Confined to one thread but for the
 * {@link Term}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LeaderElection implements Election<Term> {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    private final ClusterStore store;
    private final LeaderOptions options;
    private final TimeSource time;
    private Optional<Lease> observed = Optional.empty();
    private Time observedAt;
    private Optional<Term> term = Optional.empty();
    private Time tried;
    private boolean succeeded;
    private boolean settled;

    /**
     * Makes a candidate.
     *
     * @param store where the Lease is; its request time-out should be shorter than the renewal deadline
     * @param options who, and how long
     * @param time the clocks
     */
    public LeaderElection(ClusterStore store, LeaderOptions options, TimeSource time) {
        this.store = store;
        this.options = options;
        this.time = time;
        this.observedAt = time.now();
        this.tried = observedAt;
    }

    /**
     * Stands for election in a thread of its own, and does a leader's work during each term.
     *
     * @param leases where the Lease is; stays the caller's; its request time-out should be shorter than the renewal deadline
     * @param options who, and how long
     * @param work begins the work of a term, and answers what ends it; both are called by the thread of the election, and the end returns
     *     when nothing that was decided in the term is in flight any more
     * @return ends the candidacy, and with it the work
     */
    public static Candidacy run(
            ClusterStore leases, LeaderOptions options, Function<Term, ? extends AutoCloseable> work) {
        return Candidacy.begin(
                new LeaderElection(leases, options, TimeSource.system()), term -> work.apply((Term) term));
    }

    /**
     * Tries to get or to renew the lease, with one read and two writes at most.
     *
     * @return the term if this candidate leads; empty if another does or that is unknown
     */
    @Override
    public Optional<Term> tick() {
        if (term.filter(Term::isHeld).isEmpty()) {
            term = Optional.empty();
        }
        Time sent = time.now();
        tried = sent;
        StoreResult<Lease> written = term.isPresent() && observed.isPresent()
                ? renew(observed.orElseThrow(), sent)
                : store.get(Kinds.LEASE, options.lease()).match(lease -> seen(lease, sent), this::absent);
        Time counts = sent;
        if (term.isPresent() && written.failure().equals(Optional.of(Failure.CONFLICT))) {
            // Another candidate wrote the Lease, or this one did and got no answer.
            readAgain();
            counts = time.now();
            written = term.filter(Term::isHeld).isPresent() ? renew(observed.orElseThrow(), counts) : written;
        }
        Optional<Lease> mine = written.value();
        succeeded = mine.isPresent();
        if (succeeded) {
            won(mine.orElseThrow(), counts);
        } else {
            lost(written);
        }
        return term.filter(Term::isHeld);
    }

    /**
     * How long to wait before the next {@link #tick}: from one renewal to the next two fifths of the renewal deadline, and from a try that
     * failed to the next the retry period, each counted from when it was begun. Kubernetes' own components renew with every retry period,
     * which is most of what they cost while nothing happens.
     */
    @Override
    public Duration pause() {
        Duration between = options.retryPeriod();
        if (succeeded) {
            Duration calm = options.renewDeadline().multipliedBy(2).dividedBy(5);
            between = calm.compareTo(between) > 0 ? calm : between;
        }
        Duration passed = Duration.ofNanos(time.now().monotonicNanos() - tried.monotonicNanos());
        Duration left = between.minus(passed);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private StoreResult<Lease> seen(Lease lease, Time sent) {
        boolean changed = observed.filter(before -> before.metadata()
                        .resourceVersion()
                        .equals(lease.metadata().resourceVersion()))
                .isEmpty();
        if (changed) {
            observed = Optional.of(lease);
            // Not when it was asked for: the holder may have renewed it while the answer was on its way.
            observedAt = time.now();
        }
        String holder = lease.spec().holderIdentity();
        boolean mayTake = holder.isEmpty()
                || (holder.equals(options.identity()) && (term.isPresent() || settled))
                || sent.monotonicNanos() - observedAt.monotonicNanos()
                        >= duration(lease).toNanos();
        return mayTake ? renew(lease, sent) : StoreResult.failed(Failure.CONFLICT, holder + " leads");
    }

    /** The longer one of what the holder promised and what is configured here. */
    private Duration duration(Lease lease) {
        Duration promised =
                lease.spec().leaseDurationSeconds().map(Duration::ofSeconds).orElse(Duration.ZERO);
        return promised.compareTo(options.leaseDuration()) > 0 ? promised : options.leaseDuration();
    }

    private StoreResult<Lease> absent(StoreResult.Failed<Lease> failed) {
        if (failed.reason() != Failure.NOT_FOUND) {
            return failed;
        }
        Instant now = time.now().wall();
        LeaseSpec spec = held(LeaseSpec.EMPTY, now).withAcquireTime(Optional.of(now));
        ObjectMeta metadata = ObjectMeta.EMPTY
                .withNamespace(options.lease().namespace())
                .withName(options.lease().name());
        return store.create(Kinds.LEASE, new Lease(metadata, spec));
    }

    private StoreResult<Lease> renew(Lease lease, Time sent) {
        LeaseSpec spec = held(lease.spec(), sent.wall());
        if (term.isEmpty()) {
            spec = spec.withAcquireTime(Optional.of(sent.wall()))
                    .withLeaseTransitions(lease.spec().leaseTransitions() + 1);
        }
        return store.update(Kinds.LEASE, new Change<>(lease, lease.withSpec(spec)));
    }

    private LeaseSpec held(LeaseSpec spec, Instant now) {
        return spec.withHolderIdentity(options.identity())
                .withLeaseDurationSeconds(Optional.of(options.leaseDuration().toSeconds()))
                .withRenewTime(Optional.of(now));
    }

    private void won(Lease lease, Time sent) {
        observed = Optional.of(lease);
        observedAt = sent;
        if (term.isPresent()) {
            term.orElseThrow().renewed(sent);
        } else {
            long number = lease.spec().leaseTransitions();
            settled = false;
            LOG.info("{} leads, term {}", options.identity(), number);
            term = Optional.of(new Term(time, options.renewDeadline(), number, sent));
        }
    }

    private void lost(StoreResult<Lease> result) {
        result.ifFailed(failed -> {
            if (failed.reason() != Failure.CONFLICT) {
                // One whose answer did not come is tried again as it was; if it was carried out, that is a conflict.
                LOG.warn("the lease {} cannot be renewed: {}", options.lease(), failed.message());
            }
            if (failed.reason() == Failure.NOT_FOUND) {
                readAgain();
            }
        });
    }

    private void readAgain() {
        store.get(Kinds.LEASE, options.lease()).value().ifPresent(lease -> {
            boolean stillMine = lease.spec().holderIdentity().equals(options.identity());
            if (term.isPresent() && !stillMine) {
                LOG.warn("{} leads instead of {}", lease.spec().holderIdentity(), options.identity());
                term.orElseThrow().end();
                term = Optional.empty();
            }
            observed = Optional.of(lease);
            observedAt = time.now();
        });
    }

    /**
     * Nothing that was decided in the term before is in flight any more: if no other candidate took the lease since, this candidate may have it
     * again without waiting for its end. Says nothing while it leads.
     */
    @Override
    public void settled() {
        settled = term.isEmpty();
    }

    /**
     * Gives the lease back, so that another need not wait. Only when nothing that was decided in the term is in flight any more.
     */
    @Override
    public void resign() {
        Optional<Term> held = term.filter(Term::isHeld);
        term = Optional.empty();
        held.ifPresent(mine -> {
            mine.end();
            observed.ifPresent(lease -> {
                LeaseSpec free = lease.spec().withHolderIdentity("").withLeaseDurationSeconds(Optional.of(1L));
                store.update(Kinds.LEASE, new Change<>(lease, lease.withSpec(free)));
            });
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.term.Tenure;
import dev.mooring.storage.store.ClusterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Leads while it holds several Leases, each by the rules of {@link LeaderElection}. They are taken in their order: who does not have the first
 * does not try the second, so that of two candidates for the same Leases one gets all. Confined to one thread but for what is won.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class JointElection implements Election<Tenure> {
    private final List<LeaderElection> elections;
    private Optional<Joint> held = Optional.empty();
    private int tried = 1;

    private JointElection(List<LeaderElection> elections) {
        this.elections = List.copyOf(elections);
    }

    /**
     * A candidate for all of several Leases.
     *
     * @param leases where they are; its request time-out should be shorter than the shortest renewal deadline
     * @param options each Lease, in the order in which they are taken; not empty
     * @param time the clocks
     */
    public static JointElection of(ClusterStore leases, List<LeaderOptions> options, TimeSource time) {
        if (options.isEmpty()) {
            throw new IllegalArgumentException("a joint election needs a Lease");
        }
        return new JointElection(options.stream()
                .map(each -> new LeaderElection(leases, each, time))
                .toList());
    }

    /**
     * Stands for election in a thread of its own, and does a leader's work while all Leases are held; see {@link LeaderElection#run}.
     *
     * @param leases where the Leases are; stays the caller's
     * @param options each Lease, in the order in which they are taken; not empty
     * @param work begins the work of a time in office, and answers what ends it
     * @return ends the candidacy, and with it the work
     */
    public static Candidacy run(
            ClusterStore leases, List<LeaderOptions> options, Function<Tenure, ? extends AutoCloseable> work) {
        return Candidacy.begin(of(leases, options, TimeSource.system()), work);
    }

    @Override
    public Optional<Tenure> tick() {
        List<Term> terms = new ArrayList<>();
        tried = 0;
        boolean going = true;
        while (going && tried < elections.size()) {
            Optional<Term> term = elections.get(tried).tick();
            term.ifPresent(terms::add);
            going = term.isPresent();
            tried++;
        }
        if (!going) {
            held = Optional.empty();
        } else if (held.filter(joint -> joint.terms().equals(terms)).isEmpty()) {
            held = Optional.of(new Joint(terms));
        }
        return held.filter(Joint::isHeld).map(joint -> joint);
    }

    /** Until the first of those that were tried is due. */
    @Override
    public Duration pause() {
        Duration shortest = elections.get(0).pause();
        for (LeaderElection each : elections.subList(1, Math.max(1, tried))) {
            Duration pause = each.pause();
            shortest = pause.compareTo(shortest) < 0 ? pause : shortest;
        }
        return shortest;
    }

    @Override
    public void settled() {
        elections.forEach(LeaderElection::settled);
    }

    /** The last one first, so that a candidate that begins with the first waits for no other. */
    @Override
    public void resign() {
        held = Optional.empty();
        for (int i = elections.size() - 1; i >= 0; i--) {
            elections.get(i).resign();
        }
    }

    private record Joint(List<Term> terms) implements Tenure {
        Joint {
            terms = List.copyOf(terms);
        }

        @Override
        public long number() {
            return terms.get(0).number();
        }

        @Override
        public boolean isHeld() {
            return terms.stream().allMatch(Term::isHeld);
        }
    }
}

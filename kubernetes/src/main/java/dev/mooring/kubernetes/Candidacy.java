// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

import dev.mooring.runtime.term.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process standing for election, and its work while it leads; see {@link LeaderElection#run}. The lease is given back when the work has
 * ended without a failure, so that another process need not wait for its end. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Candidacy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
    private static final String THREAD = "mooring-election";

    private final Election<? extends Tenure> election;
    private final Function<Tenure, ? extends AutoCloseable> work;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread = new Thread(this::stand, THREAD);
    /** The last three are the thread's own. */
    private Optional<? extends Tenure> term = Optional.empty();

    private Optional<AutoCloseable> running = Optional.empty();
    private boolean ended = true;

    private Candidacy(Election<? extends Tenure> election, Function<Tenure, ? extends AutoCloseable> work) {
        this.election = election;
        this.work = work;
    }

    static Candidacy begin(Election<? extends Tenure> election, Function<Tenure, ? extends AutoCloseable> work) {
        Candidacy candidacy = new Candidacy(election, work);
        candidacy.thread.setDaemon(true);
        candidacy.thread.start();
        return candidacy;
    }

    private void stand() {
        boolean going = true;
        while (going) {
            Duration pause = election.pause();
            try {
                follow(election.tick());
                pause = election.pause();
            } catch (RuntimeException e) {
                LOG.error("standing for election failed, and is tried again", e);
            }
            going = !isEnding(pause);
        }
        end();
        if (ended) {
            election.resign();
        }
    }

    private void follow(Optional<? extends Tenure> now) {
        if (now.equals(term)) {
            return;
        }
        end();
        if (ended) {
            election.settled();
        }
        now.ifPresent(this::lead);
        term = now;
    }

    private void lead(Tenure won) {
        try {
            running = Optional.of(work.apply(won));
            ended = false;
        } catch (RuntimeException e) {
            LOG.error("the work of term {} cannot begin", won.number(), e);
            throw e;
        }
    }

    private void end() {
        Optional<AutoCloseable> last = running;
        running = Optional.empty();
        try {
            if (last.isPresent()) {
                last.get().close();
            }
            ended = true;
        } catch (Exception e) {
            ended = false; // something may be in flight: the lease has to run out
            LOG.error("the work of a term ended with a failure", e);
        }
    }

    private boolean isEnding(Duration pause) {
        try {
            return ending.await(Math.max(1, pause.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Ends the work, gives the lease back, and stands no more; returns when that is done. */
    @Override
    public void close() {
        ending.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

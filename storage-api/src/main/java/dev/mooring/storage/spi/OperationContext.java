// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.spi.host.HostServices;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * What every mutating call of a plugin is given: how long it may take, who it is, and the only ways to act on the host.
 * Valid until the call returns. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface OperationContext {
    /** When the caller stops waiting. A call that is not finished then counts as {@link Outcome.Uncertain}. */
    Instant deadline();

    /** Whether the caller wants the call to end early. It still has to answer with the outcome that is true. */
    boolean cancelled();

    /**
     * Registers a listener for a cancellation.
     *
     * @param action run once, by another thread, when the call is cancelled; if it already is, at once and by the calling thread
     */
    void onCancel(Runnable action);

    /**
     * How many times the host has started this call, from 1. A hint: it may begin again at 1 whenever something changes that the effect
     * depends on, and does so after a restart.
     */
    int attempt();

    /**
     * The same text for every repetition of one intended effect, also after a restart; another one for another effect: another operation,
     * volume or node, another claim after which a volume is emptied, another size or other attributes, a new attachment after the earlier
     * one has gone. It may be longer than a back-end allows and is then shortened by hashing all of it.
     *
     * <p>An effect that was undone in between and is wanted once more may have the key of the first time: storage that was made for a
     * claim, destroyed and made again, attributes that were changed there and back, a volume that a pod's node stages again. So a plugin
     * that hands it to a back-end that remembers its answers looks afterwards whether what it was answered is there.
     *
     * @return never empty
     */
    String idempotencyKey();

    /**
     * The number of the leader's term in which this call was decided: another leader, later, has a larger one. A back-end that can keep a
     * number refuses calls with a smaller one than it has seen, and so what a leader that was stopped for a while began before it knew
     * that it was deposed (semantics/attach-and-mount §7.2). Numbers begin again if the leaders' Lease is deleted.
     *
     * @return empty on nodes, and for controllers without an election
     */
    default OptionalLong term() {
        return OptionalLong.empty();
    }

    /** The time. Plugins use no other clock. */
    InstantSource clock();

    /** The node on which the call is made; empty for calls made by the controllers. */
    Optional<NodeRef> node();

    /** What the host does for plugins: processes, mounts, files. */
    HostServices host();

    /** The secrets that the volume refers to. */
    Secrets secrets();

    /**
     * Reports something to people while the call runs; becomes an Event on the object that the call is made for. Returns at once.
     *
     * @param notice what happened; who sees it and how often is said at {@link Notice}
     */
    void report(Notice notice);

    /**
     * Makes what a plugin has done so far durable in the host's record of this call, before it goes on: if the answer is lost, the undo is
     * given this state (semantics/plugins §3.5). The state of a later call, or of the answer, replaces it.
     *
     * @param state what undoing will need; holds no secret
     * @return done once it would survive a loss of power; refused where the host keeps no record for this kind of call
     */
    default Outcome<Nothing> remember(PluginState state) {
        return Outcome.refused(Refusal.UNSUPPORTED, "this call has no record");
    }

    /** What an earlier attempt of this very call has given to {@link #remember}; {@link PluginState#NONE} if nothing. */
    default PluginState remembered() {
        return PluginState.NONE;
    }

    /** What is noted on the volume's object. */
    default VolumeNotes notes() {
        return VolumeNotes.NONE;
    }
}

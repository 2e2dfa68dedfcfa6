// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.runtime.cache.Interest;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.storage.document.FieldSelection;
import dev.mooring.storage.model.Kind;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The logic of one part of the control plane. All methods are called by the decider's thread, one at a time.
 *
 * <p>The data's way: a change of a cache is shown to {@link #observe}, which updates the controller's own indexes and posts keys;
 * {@link #decide} looks at the caches, the indexes and the key's state and answers with a {@link Decision}; the loop applies the new
 * state ({@link #applied}) before the next decision, and hands the effects to an interpreter; their results come back as an entry of
 * {@link Situation#results} and, where they show objects, as changes of the caches.
 *
 * <p>{@link #decide} is pure: no I/O, no clock, no randomness, and it changes nothing. So the loop may throw a decision away (when
 * an effect's target is busy or backs off) and ask again later. It is level-triggered: it looks at what is, never at what happened,
 * so that lost, repeated and reordered changes do no harm.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Controller {
    /** The name in logs, metrics and events; unique within a loop. */
    String name();

    /** The kinds to be cached; no decision is asked for before a whole list of each has been seen, or those objects that are needed. */
    List<Kind<?>> kinds();

    /**
     * What this controller reads of the objects of a kind. The caches keep no other fields, which then read as absent, but for those that
     * another controller of the loop reads; so whatever looks at the caches sees these. Identity and version ({@link Caches#IDENTITY}) are
     * kept always.
     *
     * @param kind one of {@link #kinds}
     */
    default FieldSelection reads(Kind<?> kind) {
        return FieldSelection.ALL;
    }

    /**
     * Which objects of a kind this controller needs to know. If controllers of a loop differ, all objects are followed.
     *
     * @param kind one of {@link #kinds}
     */
    default Interest interest(Kind<?> kind) {
        return Interest.ALL;
    }

    /**
     * Learns that an object that is followed on its own was not there when it was listed first. Before that its absence in the caches
     * means nothing ({@link Caches#knows}).
     */
    default void missing(ObjectName object, Mailbox mailbox) {}

    /**
     * Learns that the loop begins to decide. Posts the keys that no object in the caches need ever mention, such as those of records of
     * an earlier process. The mailbox may be kept: it stays this controller's own.
     */
    default void started(Mailbox mailbox) {}

    /** Looks at a change of a cache: updates the controller's indexes and posts the keys that it concerns. */
    void observe(ObjectChange<?> change, Mailbox mailbox);

    /** Decides what to do about a key. */
    Decision decide(Key key, Optional<KeyState> state, Situation situation);

    /**
     * Learns that a decision was applied: updates what is derived from the key states, such as reservations, and posts the keys that
     * it concerns.
     */
    default void applied(Key key, Optional<KeyState> before, Optional<KeyState> after, Mailbox mailbox) {}

    /**
     * The objects that a key's work is done for, as far as its name says. Asked when something changes while effects of the key are in
     * flight, since nothing is decided then: an object that took another one's name waits for what is done about that one.
     */
    default List<Concern> concerns(Key key, Caches caches) {
        return List.of();
    }

    /**
     * Where a key stands among the keys that are ready at once; lower comes first, equal ranks in the order of their arrival. Read
     * when the key is posted. Contention between keys is decided by this order, never by chance.
     */
    default Rank rank(Key key) {
        return Rank.NORMAL;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * What became of a call to a plugin. There is no other way to answer: an exception is a defect of the plugin and is taken for
 * {@link Uncertain}, since it is unknown what happened before it.
 *
 * @param <T> what a success carries
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Outcome<T> {
    /** Folds the outcome; every kind has to be considered. */
    <R> R match(
            Function<? super Done<T>, ? extends R> onDone,
            Function<? super Refused<T>, ? extends R> onRefused,
            Function<? super Uncertain<T>, ? extends R> onUncertain,
            Function<? super Deferred<T>, ? extends R> onDeferred,
            Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere);

    /** Whether the call succeeded. */
    default boolean isDone() {
        return false;
    }

    /** Whether it was refused, for whatever reason. */
    default boolean isRefused() {
        return false;
    }

    /** Whether it was refused for this class of reason. */
    default boolean isRefused(Refusal refusal) {
        return false;
    }

    /** Whether it is unknown what became of it. */
    default boolean isUncertain() {
        return false;
    }

    /** Whether it surely was not started. */
    default boolean isDeferred() {
        return false;
    }

    /** Whether the storage serves other nodes and may serve only one. */
    default boolean isInUseElsewhere() {
        return false;
    }

    /** Whether the call surely had no effect: neither done nor uncertain. */
    default boolean isWithoutEffect() {
        return !isDone() && !isUncertain();
    }

    /** The value of a success; empty for every other kind. */
    default Optional<T> result() {
        return Optional.empty();
    }

    /** For people: why it did not succeed; empty for a success. */
    default String message() {
        return match(done -> "", Refused::why, Uncertain::why, Deferred::why, InUseElsewhere::why);
    }

    /** The least wait that {@link Deferred} asks for; empty for every other kind. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /** The nodes that {@link InUseElsewhere} names; empty for every other kind. */
    default List<NodeRef> nodes() {
        return List.of();
    }

    /** Calls with the value of a success; does nothing for every other kind. */
    default void ifOk(Consumer<? super T> action) {
        result().ifPresent(action);
    }

    /** Calls with this outcome if it is no success. */
    default void ifFailed(Consumer<? super Outcome<T>> action) {
        if (!isDone()) {
            action.accept(this);
        }
    }

    /** Maps the value of a success; every other kind stays what it is. */
    default <R> Outcome<R> map(Function<? super T, ? extends R> mapping) {
        return then(value -> new Done<>(mapping.apply(value)));
    }

    /** Continues with the value of a success. Every other kind is returned unchanged. */
    default <R> Outcome<R> then(Function<? super T, ? extends Outcome<R>> next) {
        return match(done -> next.apply(done.value()), Refused::as, Uncertain::as, Deferred::as, InUseElsewhere::as);
    }

    /** The value of a success, or none where it was refused as {@link Refusal#NOT_FOUND}; every other kind stays what it is. */
    default Outcome<Optional<T>> ifFound() {
        return isRefused(Refusal.NOT_FOUND) ? done(Optional.empty()) : map(Optional::of);
    }

    /** What becomes of everything but a success, which stays what it is. */
    default Outcome<T> recover(Function<? super Outcome<T>, ? extends Outcome<T>> recovery) {
        return isDone() ? this : recovery.apply(this);
    }

    /** What becomes of a refusal; every other kind stays what it is. */
    default Outcome<T> recoverRefused(Function<? super Refused<T>, ? extends Outcome<T>> recovery) {
        return match(done -> done, recovery, uncertain -> uncertain, deferred -> deferred, elsewhere -> elsewhere);
    }

    /** What becomes of a call that was not started; every other kind stays what it is. */
    default Outcome<T> recoverDeferred(Function<? super Deferred<T>, ? extends Outcome<T>> recovery) {
        return match(done -> done, refused -> refused, uncertain -> uncertain, recovery, elsewhere -> elsewhere);
    }

    /**
     * The same failure, of a call with another value.
     *
     * @throws IllegalStateException if it is a success
     */
    default <R> Outcome<R> failed() {
        return then(value -> {
            throw new IllegalStateException("a success is no failure");
        });
    }

    /**
     * The value, for callers that hold everything else to be a defect.
     *
     * @throws OutcomeException with this outcome if it is no success
     */
    default T orThrow() {
        return result().orElseThrow(() -> new OutcomeException(this));
    }

    /** A success with a value. */
    static <T> Outcome<T> done(T value) {
        return new Done<>(value);
    }

    /** A success without a value. */
    static Outcome<Nothing> done() {
        return new Done<>(Nothing.NOTHING);
    }

    /** A final refusal. */
    static <T> Outcome<T> refused(Refusal refusal, String why) {
        return new Refused<>(refusal, why);
    }

    /** The effect may or may not exist. */
    static <T> Outcome<T> uncertain(String why) {
        return new Uncertain<>(why);
    }

    /** Surely not started. */
    static <T> Outcome<T> deferred(String why) {
        return new Deferred<>(why, Optional.empty());
    }

    /**
     * Surely not started, and not worth trying again before some time has passed.
     *
     * @param why for people, names what is missing
     * @param retryAfter the least wait
     */
    static <T> Outcome<T> deferred(String why, Duration retryAfter) {
        return new Deferred<>(why, Optional.of(retryAfter));
    }

    /**
     * The storage serves other nodes and may serve only one.
     *
     * @param nodes the nodes that hold it, as far as the back-end knows; may be empty
     * @param why for people
     */
    static <T> Outcome<T> inUseElsewhere(List<NodeRef> nodes, String why) {
        return new InUseElsewhere<>(nodes, why);
    }

    /** The call had its effect, now or at an earlier attempt. */
    record Done<T>(T value) implements Outcome<T> {
        /** No value is {@link Nothing}, not null, which is a defect of the plugin. */
        public Done {
            Objects.requireNonNull(value, "value");
        }

        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public Optional<T> result() {
            return Optional.of(value);
        }

        @Override
        public <R> R match(
                Function<? super Done<T>, ? extends R> onDone,
                Function<? super Refused<T>, ? extends R> onRefused,
                Function<? super Uncertain<T>, ? extends R> onUncertain,
                Function<? super Deferred<T>, ? extends R> onDeferred,
                Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere) {
            return onDone.apply(this);
        }
    }

    /**
     * The back-end is surely unchanged and the same call will be refused again until something is changed. Nothing has to be undone.
     *
     * @param refusal the class of reason
     * @param why for people; holds no secret
     */
    record Refused<T>(Refusal refusal, String why) implements Outcome<T> {
        /** Neither is null; of the words 4096 characters are kept. */
        public Refused {
            Objects.requireNonNull(refusal, "refusal");
            why = Words.kept(why);
        }

        @Override
        public boolean isRefused() {
            return true;
        }

        @Override
        public boolean isRefused(Refusal other) {
            return refusal == other;
        }

        private <R> Outcome<R> as() {
            return new Refused<>(refusal, why);
        }

        @Override
        public <R> R match(
                Function<? super Done<T>, ? extends R> onDone,
                Function<? super Refused<T>, ? extends R> onRefused,
                Function<? super Uncertain<T>, ? extends R> onUncertain,
                Function<? super Deferred<T>, ? extends R> onDeferred,
                Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere) {
            return onRefused.apply(this);
        }
    }

    /**
     * The effect may exist, exist in part, or appear later. The host repeats the call or undoes it; it never assumes.
     *
     * @param why for people; holds no secret
     */
    record Uncertain<T>(String why) implements Outcome<T> {
        /** Not null; of the words 4096 characters are kept. */
        public Uncertain {
            why = Words.kept(why);
        }

        @Override
        public boolean isUncertain() {
            return true;
        }

        private <R> Outcome<R> as() {
            return new Uncertain<>(why);
        }

        @Override
        public <R> R match(
                Function<? super Done<T>, ? extends R> onDone,
                Function<? super Refused<T>, ? extends R> onRefused,
                Function<? super Uncertain<T>, ? extends R> onUncertain,
                Function<? super Deferred<T>, ? extends R> onDeferred,
                Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere) {
            return onUncertain.apply(this);
        }
    }

    /**
     * The call surely has not been started: something it needs is missing for now.
     *
     * @param why for people, names what is missing
     * @param retryAfter the least wait; absent if the host chooses
     */
    record Deferred<T>(String why, Optional<Duration> retryAfter) implements Outcome<T> {
        /** Neither is null; of the words 4096 characters are kept. */
        public Deferred {
            why = Words.kept(why);
            Objects.requireNonNull(retryAfter, "retryAfter");
        }

        @Override
        public boolean isDeferred() {
            return true;
        }

        private <R> Outcome<R> as() {
            return new Deferred<>(why, retryAfter);
        }

        @Override
        public <R> R match(
                Function<? super Done<T>, ? extends R> onDone,
                Function<? super Refused<T>, ? extends R> onRefused,
                Function<? super Uncertain<T>, ? extends R> onUncertain,
                Function<? super Deferred<T>, ? extends R> onDeferred,
                Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere) {
            return onDeferred.apply(this);
        }
    }

    /**
     * The storage serves other nodes and may serve only one: a dangling attachment.
     *
     * @param nodes the nodes that hold it, as far as the back-end knows; may be empty. Only nodes of this cluster: one
     *     without a Node object counts as deleted, and the volume is detached from it
     * @param why for people
     */
    record InUseElsewhere<T>(List<NodeRef> nodes, String why) implements Outcome<T> {
        /** Copies the list; neither is null; of the words 4096 characters are kept. */
        public InUseElsewhere {
            nodes = List.copyOf(nodes);
            why = Words.kept(why);
        }

        @Override
        public boolean isInUseElsewhere() {
            return true;
        }

        private <R> Outcome<R> as() {
            return new InUseElsewhere<>(nodes, why);
        }

        @Override
        public <R> R match(
                Function<? super Done<T>, ? extends R> onDone,
                Function<? super Refused<T>, ? extends R> onRefused,
                Function<? super Uncertain<T>, ? extends R> onUncertain,
                Function<? super Deferred<T>, ? extends R> onDeferred,
                Function<? super InUseElsewhere<T>, ? extends R> onInUseElsewhere) {
            return onInUseElsewhere.apply(this);
        }
    }
}

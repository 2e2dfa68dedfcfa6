// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
        return match(done -> true, refused -> false, uncertain -> false, deferred -> false, elsewhere -> false);
    }

    /** The value of a success; empty for every other kind. */
    default Optional<T> result() {
        return match(
                done -> Optional.of(done.value()),
                refused -> Optional.empty(),
                uncertain -> Optional.empty(),
                deferred -> Optional.empty(),
                elsewhere -> Optional.empty());
    }

    /** Whether it was refused for this class of reason. */
    default boolean isRefused(Refusal refusal) {
        return match(
                done -> false,
                refused -> refused.refusal() == refusal,
                uncertain -> false,
                deferred -> false,
                elsewhere -> false);
    }

    /** The value of a success, or none where it was refused as {@link Refusal#NOT_FOUND}; every other kind stays what it is. */
    default Outcome<Optional<T>> ifFound() {
        return isRefused(Refusal.NOT_FOUND) ? done(Optional.empty()) : map(Optional::of);
    }

    /** For people: why it did not succeed; empty for a success. */
    default String message() {
        return match(done -> "", Refused::why, Uncertain::why, Deferred::why, InUseElsewhere::why);
    }

    /** Maps the value of a success; every other kind stays what it is. */
    default <R> Outcome<R> map(Function<? super T, ? extends R> mapping) {
        return match(
                done -> new Done<R>(mapping.apply(done.value())),
                refused -> new Refused<R>(refused.refusal(), refused.why()),
                uncertain -> new Uncertain<R>(uncertain.why()),
                deferred -> new Deferred<R>(deferred.why(), deferred.retryAfter()),
                elsewhere -> new InUseElsewhere<R>(elsewhere.nodes(), elsewhere.why()));
    }

    /** Continues with the value of a success. Every other kind is returned unchanged. */
    default <R> Outcome<R> then(Function<? super T, ? extends Outcome<R>> next) {
        return match(
                done -> next.apply(done.value()),
                refused -> new Refused<R>(refused.refusal(), refused.why()),
                uncertain -> new Uncertain<R>(uncertain.why()),
                deferred -> new Deferred<R>(deferred.why(), deferred.retryAfter()),
                elsewhere -> new InUseElsewhere<R>(elsewhere.nodes(), elsewhere.why()));
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

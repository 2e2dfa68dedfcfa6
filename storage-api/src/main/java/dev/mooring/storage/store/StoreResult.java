// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * What became of a request to a {@link ClusterStore}: either {@link Ok} or a {@link Failed} whose {@link Failure} says what is
 * known about the effect. A store never throws for what happens in the world; an exception is a defect of the store.
 *
 * @param <T> what a success carries
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface StoreResult<T> {
    /**
     * Folds the result.
     *
     * @param onOk applied to the value of a success
     * @param onFailed applied to the failure
     * @return what the applied function returned
     */
    <R> R match(Function<? super T, ? extends R> onOk, Function<? super Failed<T>, ? extends R> onFailed);

    /** The value of a success, else empty. */
    default Optional<T> value() {
        return match(Optional::of, failed -> Optional.empty());
    }

    /** The kind of failure, empty for a success. */
    default Optional<Failure> failure() {
        return match(ok -> Optional.empty(), failed -> Optional.of(failed.reason()));
    }

    /** Whether the request succeeded. */
    default boolean isOk() {
        return match(ok -> true, failed -> false);
    }

    /** For people: why it did not succeed; empty for a success. */
    default String message() {
        return "";
    }

    /** The least wait that the store asks for; empty for a success, and for most failures. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /**
     * The value, for callers that hold a failure to be a defect.
     *
     * @throws StoreException with the failure if there is one
     */
    default T orThrow() {
        return orThrow(StoreException::new);
    }

    /**
     * The value.
     *
     * @param exception makes of a failure what is thrown
     */
    default T orThrow(Function<? super Failed<T>, ? extends RuntimeException> exception) {
        return match(Function.identity(), failed -> {
            throw exception.apply(failed);
        });
    }

    /** Calls with the value of a success; does nothing for a failure. */
    default void ifOk(Consumer<? super T> action) {
        value().ifPresent(action);
    }

    /** Calls with the failure, if there is one. */
    default void ifFailed(Consumer<? super Failed<T>> action) {
        Optional<Failed<T>> failed = match(ok -> Optional.empty(), Optional::of);
        failed.ifPresent(action);
    }

    /** Maps the value of a success. */
    default <R> StoreResult<R> map(Function<? super T, ? extends R> mapping) {
        return then(ok -> new Ok<>(mapping.apply(ok)));
    }

    /** Continues with the value of a success; a failure stays what it is. */
    default <R> StoreResult<R> then(Function<? super T, ? extends StoreResult<R>> next) {
        return match(next, Failed::as);
    }

    /** What becomes of a failure; a success stays what it is. */
    default StoreResult<T> recover(Function<? super Failed<T>, ? extends StoreResult<T>> recovery) {
        return match(ok -> this, recovery);
    }

    /**
     * The same failure, of a request for another value.
     *
     * @throws IllegalStateException if it is a success
     */
    default <R> StoreResult<R> failed() {
        return then(ok -> {
            throw new IllegalStateException("a success is no failure");
        });
    }

    /** A success. */
    static <T> StoreResult<T> ok(T value) {
        return new Ok<>(value);
    }

    /** A failure without a hint when to try again. */
    static <T> StoreResult<T> failed(Failure failure, String message) {
        return new Failed<>(failure, message, Optional.empty());
    }

    /**
     * The request was carried out.
     *
     * @param content the object or list as the store has it now, never null
     */
    record Ok<T>(T content) implements StoreResult<T> {
        @Override
        public <R> R match(Function<? super T, ? extends R> onOk, Function<? super Failed<T>, ? extends R> onFailed) {
            return onOk.apply(content);
        }
    }

    /**
     * The request was not carried out, or ({@link Failure#UNKNOWN}) its outcome is unknown.
     *
     * @param reason what is known about the effect
     * @param message for people: names the object, the field and the rule where there is one
     * @param retryAfter the least wait that the store asks for, only with {@link Failure#THROTTLED} and {@link Failure#UNAVAILABLE}
     */
    record Failed<T>(Failure reason, String message, Optional<Duration> retryAfter) implements StoreResult<T> {
        private <R> StoreResult<R> as() {
            return new Failed<>(reason, message, retryAfter);
        }

        @Override
        public <R> R match(Function<? super T, ? extends R> onOk, Function<? super Failed<T>, ? extends R> onFailed) {
            return onFailed.apply(this);
        }
    }

    /** What is known about a request that was not answered with success. */
    enum Failure {
        /** The base version, uid or another precondition no longer holds. Nothing was changed. */
        CONFLICT,
        /** There is no such object. Nothing was changed. */
        NOT_FOUND,
        /** An object of that name exists. Nothing was changed. */
        ALREADY_EXISTS,
        /** The object breaks a rule of its kind; the message names field and rule. Nothing was changed. */
        INVALID,
        /** An admission rule or an access rule refuses it. Nothing was changed. */
        FORBIDDEN,
        /** The revision asked for is no longer (or not yet) in the store's history: list again. */
        GONE,
        /** Too many requests; surely not applied. */
        THROTTLED,
        /** The store could not be reached or refused to work; surely not applied. */
        UNAVAILABLE,
        /** The answer was lost: the request may have been applied. Only a live read can show it. */
        UNKNOWN
    }
}

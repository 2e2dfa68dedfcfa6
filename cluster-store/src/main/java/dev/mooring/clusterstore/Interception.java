// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.store.StoreResult.Failure;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** What a {@link WriteInterceptor} makes of a write. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface Interception {
    /** The write goes its way. */
    Interception PROCEED = new Proceed();

    /** The write is not carried out and is answered with a failure. */
    static Interception refuse(Failure failure, String message) {
        return new Refuse(failure, message);
    }

    /** The write is carried out, but if it succeeds, the client gets {@link Failure#UNKNOWN}. */
    static Interception loseAnswer(String message) {
        return new LoseAnswer(message);
    }

    /** Folds the interception. */
    <R> R match(
            Supplier<? extends R> onProceed,
            BiFunction<? super Failure, ? super String, ? extends R> onRefuse,
            Function<? super String, ? extends R> onLoseAnswer);

    /** The write goes its way. */
    record Proceed() implements Interception {
        @Override
        public <R> R match(
                Supplier<? extends R> onProceed,
                BiFunction<? super Failure, ? super String, ? extends R> onRefuse,
                Function<? super String, ? extends R> onLoseAnswer) {
            return onProceed.get();
        }
    }

    /**
     * The write is not carried out.
     *
     * @param reason the message to the client; never null
     * @param message for people; never null
     */
    record Refuse(Failure reason, String message) implements Interception {
        @Override
        public <R> R match(
                Supplier<? extends R> onProceed,
                BiFunction<? super Failure, ? super String, ? extends R> onRefuse,
                Function<? super String, ? extends R> onLoseAnswer) {
            return onRefuse.apply(reason, message);
        }
    }

    /**
     * The write is carried out and its success kept from the client.
     *
     * @param message for people; never null
     */
    record LoseAnswer(String message) implements Interception {
        @Override
        public <R> R match(
                Supplier<? extends R> onProceed,
                BiFunction<? super Failure, ? super String, ? extends R> onRefuse,
                Function<? super String, ? extends R> onLoseAnswer) {
            return onLoseAnswer.apply(message);
        }
    }
}

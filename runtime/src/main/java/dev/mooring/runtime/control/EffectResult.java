// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.store.StoreResult;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/** What became of an effect. Objects in it have already reached the caches. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface EffectResult {
    /** The effect. */
    Effect effect();

    /** Whether it did what was asked for. */
    boolean succeeded();

    /** Why not; empty if it succeeded. */
    String message();

    /** Folds the result. */
    <R> R match(Function<? super Stored, ? extends R> onStored, Function<? super Performed, ? extends R> onPerformed);

    /** The failure of a store effect; empty for others and for successes. */
    default Optional<StoreResult.Failure> storeFailure() {
        return match(stored -> stored.result().failure(), performed -> Optional.empty());
    }

    /** What a live search found; empty if that was nothing, if it failed, and for other effects. */
    default Optional<KubernetesObject> found() {
        return match(
                stored -> stored.result()
                        .value()
                        .filter(Optional.class::isInstance)
                        .flatMap(found -> ((Optional<?>) found).map(KubernetesObject.class::cast)),
                performed -> Optional.empty());
    }

    /** The outcome of a call; empty for store effects. */
    default Optional<Outcome<?>> outcome() {
        return match(stored -> Optional.empty(), performed -> Optional.of(performed.answer()));
    }

    /** The answer of the store. */
    record Stored(Effect effect, StoreResult<?> result) implements EffectResult {
        @Override
        public boolean succeeded() {
            return result.failure().isEmpty();
        }

        @Override
        public String message() {
            return result.message();
        }

        @Override
        public <R> R match(
                Function<? super Stored, ? extends R> onStored, Function<? super Performed, ? extends R> onPerformed) {
            return onStored.apply(this);
        }
    }

    /** The answer of a plugin or of the host. */
    record Performed(Effect effect, Outcome<?> answer) implements EffectResult {
        @Override
        public boolean succeeded() {
            return answer.isDone();
        }

        @Override
        public String message() {
            return answer.message();
        }

        @Override
        public <R> R match(
                Function<? super Stored, ? extends R> onStored, Function<? super Performed, ? extends R> onPerformed) {
            return onPerformed.apply(this);
        }
    }
}

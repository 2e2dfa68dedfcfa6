// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.store.StoreResult.Failure;
import java.util.Optional;
import java.util.Set;

/** The live read of an object that is no longer known well enough, since a write to it met another or its answer was lost. */
final class RefreshAfterConflict {
    private static final String OPERATION = "reread";
    private static final Set<Failure> LEAVES_IN_DOUBT =
            Set.of(Failure.CONFLICT, Failure.UNKNOWN, Failure.ALREADY_EXISTS);
    private static final Set<Failure> PASSES = Set.of(Failure.UNAVAILABLE, Failure.THROTTLED, Failure.UNKNOWN);

    private RefreshAfterConflict() {}

    /** What has to be read after an effect before its key is decided again. */
    static Optional<Effect.Read<?>> after(Effect effect, EffectResult result) {
        return effect instanceof Effect.Write write
                        && result.storeFailure()
                                .filter(LEAVES_IN_DOUBT::contains)
                                .isPresent()
                ? Optional.of(new Effect.Read<>(OPERATION, write.kind(), write.object()))
                : Optional.empty();
    }

    /** Whether a read that failed so is to be tried again. */
    static boolean mayComeLater(EffectResult result) {
        return result.storeFailure().filter(PASSES::contains).isPresent();
    }
}

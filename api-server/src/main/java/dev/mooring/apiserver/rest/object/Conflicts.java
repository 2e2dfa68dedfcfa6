// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.object;

import dev.mooring.storage.store.StoreResult;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.function.Supplier;

/** Requests that are tried again when another writer was faster, as the API server does for requests that name no version. */
public final class Conflicts {
    private static final int TRIES = 6;

    private Conflicts() {}

    /** Tries until it is no conflict, for some times at most. */
    static <R> StoreResult<R> outlasted(Supplier<StoreResult<R>> attempt) {
        StoreResult<R> result = attempt.get();
        for (int i = 1;
                i < TRIES && result.failure().filter(Failure.CONFLICT::equals).isPresent();
                i++) {
            result = attempt.get();
        }
        return result;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a controller remembers about one key between decisions. Immutable. Everything that has to survive a crash is in the store;
 * this is what may be forgotten.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface KeyState {
    /** By which rule the controller decided last, as part of a sentence for people; empty if it does not say. */
    default Optional<String> ground() {
        return Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What keeps pods off a node.
 *
 * @param key what
 * @param value its value
 * @param effect what it does to pods
 * @param timeAdded since when
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Taint(String key, String value, String effect, Optional<Instant> timeAdded) {
    /** The same with another key. */
    public Taint withKey(String newKey) {
        return new Taint(newKey, value, effect, timeAdded);
    }

    /** The same with another value. */
    public Taint withValue(String newValue) {
        return new Taint(key, newValue, effect, timeAdded);
    }

    /** The same with another effect. */
    public Taint withEffect(String newEffect) {
        return new Taint(key, value, newEffect, timeAdded);
    }

    /** The same with another timeAdded. */
    public Taint withTimeAdded(Optional<Instant> newTimeAdded) {
        return new Taint(key, value, effect, newTimeAdded);
    }
}

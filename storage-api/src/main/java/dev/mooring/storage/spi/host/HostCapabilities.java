// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What can be done on this machine by this user, found out once at start. Immutable.
 *
 * @param missing for each feature that is not there, why; for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HostCapabilities(Map<HostFeature, String> missing) {
    /** Copies the map. */
    public HostCapabilities {
        Map<HostFeature, String> copy = new EnumMap<>(HostFeature.class);
        copy.putAll(missing);
        missing = Map.copyOf(copy);
    }

    /** Whether a feature is there. */
    public boolean has(HostFeature feature) {
        return !missing.containsKey(feature);
    }

    /** Why a feature is missing; empty if it is there. */
    public Optional<String> whyMissing(HostFeature feature) {
        return Optional.ofNullable(missing.get(feature));
    }

    /** Nothing can be done, for one reason. */
    public static HostCapabilities nothing(String why) {
        Map<HostFeature, String> all = new EnumMap<>(HostFeature.class);
        for (HostFeature feature : HostFeature.values()) {
            all.put(feature, why);
        }
        return new HostCapabilities(all);
    }
}

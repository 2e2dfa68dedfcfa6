// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * One value of a metric.
 *
 * @param name the metric's name; of a histogram with {@code _bucket}, {@code _sum} or {@code _count} behind it
 * @param labels labels in their order; unmodifiable
 * @param value the value; durations are in seconds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Sample(String name, Map<String, String> labels, double value) {
    /** Copies the labels. */
    public Sample {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
}

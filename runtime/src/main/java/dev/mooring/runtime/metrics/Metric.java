// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.metrics;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A metric with its values, as Prometheus' exposition format and others need it.
 *
 * @param name the name
 * @param type what the values are
 * @param help for people
 * @param samples one per combination of labels, several for a histogram; in a fixed order; label combinations without a value are
 *     left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Metric(String name, Type type, String help, List<Sample> samples) {
    /** Copies the list. */
    public Metric {
        samples = List.copyOf(samples);
    }

    /** What the values of a metric are. */
    public enum Type {
        /** Only grows. */
        COUNTER,
        /** As it is now. */
        GAUGE,
        /** Cumulative buckets by the label {@code le}, a sum and a count. */
        HISTOGRAM
    }
}

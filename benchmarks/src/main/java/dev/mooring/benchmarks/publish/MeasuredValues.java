// SPDX-License-Identifier: Apache-2.0
package dev.mooring.benchmarks.publish;

import java.util.List;

/** Measured values, in order. */
public record MeasuredValues(List<Double> values) {
    /** At least one. */
    public MeasuredValues {
        values = values.stream().sorted().toList();
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
    }

    /** The smallest value that at least so large a part of all does not exceed. */
    double quantile(double part) {
        int index = (int) Math.ceil(part * values.size()) - 1;
        return values.get(Math.max(0, index));
    }

    /** The smallest value that half of all do not exceed. */
    public double median() {
        return quantile(0.5);
    }

    double mean() {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.kubernetes.KubernetesOptions;
import dev.mooring.kubernetes.KubernetesOptions.RequestLimit;
import picocli.CommandLine.Option;

/** Options of commands that may ask an API server only so often. */
public final class RequestLimitOptions {
    @Option(
            names = "--kube-api-qps",
            paramLabel = "N",
            defaultValue = "0",
            converter = RequestRate.class,
            description = "The most reads, and the most writes, per second. Default: 0, no limit.")
    private double qps;

    @Option(
            names = "--kube-api-burst",
            paramLabel = "N",
            defaultValue = "30",
            converter = RequestRate.Burst.class,
            description =
                    "How many requests may be sent at once after a pause, with --kube-api-qps (${DEFAULT-VALUE}).")
    private int burst = 30;

    /** The same options, with the limit if there is one. */
    public KubernetesOptions limiting(KubernetesOptions options) {
        return qps > 0 ? options.withLimit(new RequestLimit(qps, burst)) : options;
    }
}

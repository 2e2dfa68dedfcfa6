// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.distribution.sidecar.SidecarSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which Leases a side-car takes, as the flags of Kubernetes' side-cars say it. */
public final class SidecarLeaseOptions {
    private static final Path OWN_NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

    @Option(
            names = "--leader-election",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Serves only while it holds the Leases of all side-cars of the driver.")
    private boolean elects;

    @Option(
            names = "--leader-election-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "",
            description = "Where the Leases are. Default: the namespace of this pod, else default.")
    private String namespace = "";

    @Option(
            names = "--leader-election-lease-duration",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = GoDuration.class,
            description = "How long others wait after the last renewal that they saw (${DEFAULT-VALUE}).")
    private Duration leaseDuration = Duration.ofSeconds(15);

    @Option(
            names = "--leader-election-renew-deadline",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = GoDuration.class,
            description = "How long it goes on after its last renewal (${DEFAULT-VALUE}).")
    private Duration renewDeadline = Duration.ofSeconds(10);

    @Option(
            names = "--leader-election-retry-period",
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = GoDuration.class,
            description = "How long between two tries; less than half of the deadline is taken (${DEFAULT-VALUE}).")
    private Duration retryPeriod = Duration.ofSeconds(5);

    /** What is taken; absent if nothing is. */
    public Optional<SidecarSettings.Leases> leases() {
        Duration most = renewDeadline.multipliedBy(2).dividedBy(5);
        return elects
                ? Optional.of(new SidecarSettings.Leases(
                        namespaceOfLeases(),
                        leaseDuration,
                        renewDeadline,
                        retryPeriod.compareTo(most) < 0 ? retryPeriod : most))
                : Optional.empty();
    }

    private String namespaceOfLeases() {
        if (!namespace.isEmpty()) {
            return namespace;
        }
        try {
            return Files.readString(OWN_NAMESPACE).strip();
        } catch (IOException noPod) {
            return System.getenv().getOrDefault("NAMESPACE", "default");
        }
    }

    /**
     * The name of this process in Leases: in a pod the pod's, as side-cars have it, so that a container that starts again goes on at once; else
     * one that no other process has.
     */
    public static String identity() {
        String pod = System.getenv().getOrDefault("POD_NAME", "");
        boolean inPod = System.getenv().containsKey("KUBERNETES_SERVICE_HOST");
        if (!pod.isEmpty()) {
            return pod;
        }
        try {
            return inPod ? HostName.ofThisMachine() : HostName.ofThisProcess();
        } catch (IOException e) {
            return HostName.ofThisProcess();
        }
    }
}

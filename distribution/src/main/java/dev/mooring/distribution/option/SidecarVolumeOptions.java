// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.binder.CapacityRole;
import dev.mooring.binder.ProvisionerRole;
import dev.mooring.runtime.plugin.SidecarRules;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** How volumes are made, as the flags of external-provisioner say it. */
public final class SidecarVolumeOptions {
    private static final Set<String> LASTING = Set.of(
            "Topology",
            "CSINodeExpandSecret",
            "HonorPVReclaimPolicy",
            "ReleaseLeaderElectionOnExit",
            "RecoverVolumeExpansionFailure",
            "AnnotateFsResize",
            "VolumeAttributesClass");

    @Option(
            names = "--volume-name-prefix",
            paramLabel = "TEXT",
            defaultValue = "pvc",
            description = "The name of a new volume begins with it (${DEFAULT-VALUE}).")
    private String prefix = "";

    @Option(
            names = "--volume-name-uuid-length",
            paramLabel = "N",
            defaultValue = "-1",
            description = "How many letters of the claim's uid end a volume's name; -1 for all (${DEFAULT-VALUE}).")
    private int uidLength = -1;

    @Option(
            names = "--default-fstype",
            paramLabel = "NAME",
            defaultValue = "",
            description = "The file system where neither class nor volume names one. Default: the driver chooses.")
    private String fsType = "";

    @Option(
            names = "--extra-create-metadata",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Tells the driver claim and volume in CreateVolume.")
    private boolean claimMetadata;

    @Option(
            names = "--strict-topology",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "A volume for a chosen node is made for that node alone.")
    private boolean strictTopology;

    @Option(
            names = "--immediate-topology",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description = "A volume for no chosen node is made where the driver has nodes.")
    private boolean immediateTopology = true;

    @Option(
            names = "--controller-publish-readonly",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "A volume that only readers ask for is attached read-only.")
    private boolean readOnlyVolumes;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = GoDuration.class,
            description = "How long a call to the driver may take (${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(15);

    @Option(
            names = "--feature-gates",
            paramLabel = "NAME=BOOLEAN",
            split = ",",
            description = "Features of the side-cars. Those that are here are always on; others are refused.")
    private Map<String, Boolean> gates = Map.of();

    @Option(
            names = "--node-deployment",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Makes the volumes of this node alone, which NODE_NAME names. Without Leases.")
    private boolean ofNode;

    @Option(
            names = "--node-deployment-immediate-binding",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description = "With --node-deployment: takes claims that may lie on any node.")
    private boolean choosing = true;

    @Option(
            names = "--node-deployment-base-delay",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = GoDuration.class,
            description = "Within which time the node whose turn comes first takes such a claim (${DEFAULT-VALUE}).")
    private Duration choosingWithin = Duration.ofSeconds(20);

    @Option(
            names = "--enable-capacity",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description =
                    "Tells schedulers how much storage is left, by CSIStorageCapacity in the namespace that NAMESPACE names.")
    private boolean capacity;

    @Option(
            names = "--capacity-poll-interval",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = GoDuration.class,
            description = "How often the driver is asked how much storage is left (${DEFAULT-VALUE}).")
    private Duration capacityInterval = Duration.ofMinutes(1);

    @Option(
            names = "--capacity-for-immediate-binding",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description = "Tells of classes that do not wait for pods too.")
    private boolean capacityImmediate;

    @Option(
            names = "--handle-volume-inuse-error",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description =
                    "A volume that the driver does not make larger while it is used is asked for after minutes, not at once again.")
    private boolean patientInUse = true;

    /** Whether only what is this node's is served. */
    public boolean isOfNode() {
        return ofNode;
    }

    /**
     * How the driver is called.
     *
     * @throws IllegalArgumentException if a gate cannot be as it is wanted; the message names it
     */
    public SidecarRules rules(String identity) {
        gates.forEach((name, on) -> {
            if (!LASTING.contains(name)) {
                throw new IllegalArgumentException(
                        "--feature-gates: there is no " + name + "; there are " + String.join(", ", gateNames()));
            } else if (!on) {
                throw new IllegalArgumentException("--feature-gates: " + name + " cannot be switched off");
            }
        });
        // As external-provisioner writes it, but for the driver's name, which is not known yet.
        String process = Instant.now().toEpochMilli() + "-" + new SecureRandom().nextInt(10_000);
        return new SidecarRules(
                fsType,
                claimMetadata,
                strictTopology,
                immediateTopology,
                readOnlyVolumes,
                patientInUse,
                timeout,
                Optional.of(process),
                Optional.empty());
    }

    private static List<String> gateNames() {
        return LASTING.stream().sorted().toList();
    }

    /**
     * Which claims and volumes are served.
     *
     * @throws IllegalArgumentException if the node has no name
     */
    public ProvisionerRole role() {
        Optional<String> node = Optional.empty();
        if (ofNode) {
            node = Optional.ofNullable(System.getenv("NODE_NAME")).filter(name -> !name.isEmpty());
            if (node.isEmpty()) {
                throw new IllegalArgumentException("--node-deployment needs the node's name in NODE_NAME");
            }
        }
        return new ProvisionerRole(
                prefix,
                uidLength,
                node,
                choosing && ofNode ? Optional.of(choosingWithin) : Optional.empty(),
                capacity ? Optional.of(capacityRole(node)) : Optional.empty());
    }

    private CapacityRole capacityRole(Optional<String> node) {
        String namespace = System.getenv().getOrDefault("NAMESPACE", "");
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("--enable-capacity needs the pod's namespace in NAMESPACE");
        }
        return new CapacityRole(
                namespace,
                "external-provisioner" + node.map(name -> "-" + name).orElse(""),
                Optional.empty(),
                capacityInterval,
                capacityImmediate);
    }
}

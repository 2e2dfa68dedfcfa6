// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.wiring;

import dev.mooring.host.linux.KernelRelease;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What kernel, tools or rights of this machine lack, and what a node does without it. */
public final class MachineLimits {
    private static final Logger LOG = LoggerFactory.getLogger(MachineLimits.class);

    private MachineLimits() {}

    /**
     * Refuses to begin on a kernel that is too old for a node.
     *
     * @throws IOException with the release and the reason
     */
    public static void requireKernel(Optional<KernelRelease> running) throws IOException {
        Optional<String> why = running.flatMap(KernelRelease::whyTooOld);
        if (why.isPresent()) {
            throw new IOException(why.get() + ". controller, play and explain run on any kernel");
        }
    }

    /** Tells it once, when a node begins. */
    public static void tell(HostCapabilities capabilities) {
        of(capabilities).forEach(LOG::warn);
    }

    /** A sentence for each feature that is missing; none if nothing is. */
    static List<String> of(HostCapabilities capabilities) {
        return Arrays.stream(HostFeature.values())
                .flatMap(feature ->
                        capabilities
                                .whyMissing(feature)
                                .flatMap(why -> without(feature).map(done -> why + ": " + done))
                                .stream())
                .toList();
    }

    /** What does not work without a feature; empty for a feature that is missed only where a user asks for it. */
    private static Optional<String> without(HostFeature feature) {
        return switch (feature) {
            case ROOT -> Optional.of("volumes that need more rights cannot be mounted");
            case RESOLVE_RULES -> Optional.of("sub-paths of volumes are refused");
            case MOUNT_IDENTITY -> Optional.of("nothing can be bound into a pod's directory");
            case ATOMIC_BIND -> Optional.of("nothing can be bound into a pod's directory");
            case PROCESS_GROUPS -> Optional.of("a tool that is given up may leave processes behind");
            case KILLABLE_UNMOUNT -> Optional.of("an unmount from a server that does not answer keeps a thread");
            case SELINUX -> Optional.empty();
        };
    }
}

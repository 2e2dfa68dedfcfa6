// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.attachdetach.AttachDetachOptions;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** When volumes are taken from nodes that do not answer any more; by default only on evidence that these do not write. */
public final class LostNodeOptions {
    @Option(
            names = "--detach-from-deleted-nodes",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description = "Take a deleted Node as evidence that its machine is off (${DEFAULT-VALUE}).")
    private boolean deletedNodes = true;

    @Option(
            names = "--fence-lost-nodes",
            paramLabel = "BOOLEAN",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            description =
                    "When another node waits for a volume, let the plugin cut off a node that is not ready (${DEFAULT-VALUE}).")
    private boolean fence;

    @Option(
            names = "--force-detach-after",
            paramLabel = "TIME",
            defaultValue = "0s",
            converter = GoDuration.class,
            description =
                    "Detach by force and without evidence, after this time, from a node that is not ready. Kubernetes has 6m; 0s is never (${DEFAULT-VALUE}).")
    private Duration forceAfter = Duration.ZERO;

    /** What was chosen. */
    public AttachDetachOptions attachDetach() {
        return new AttachDetachOptions(
                deletedNodes, fence, Optional.of(forceAfter).filter(time -> !time.isZero()));
    }
}

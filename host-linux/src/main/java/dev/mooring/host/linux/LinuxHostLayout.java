// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Where the host keeps things on a machine.
 *
 * @param state below it each plugin has a directory named after it, such as {@code /var/lib/mooring}
 * @param orphans where mount points that were not empty are put aside; on the file system of the mount points, its parent exists
 * @param places what the processes of Mooring on this machine keep for themselves, which no volume may show, empty or destroy
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LinuxHostLayout(Path state, Path orphans, KeptPlaces places) {
    /** Checks that the paths are absolute. */
    public LinuxHostLayout {
        if (!state.isAbsolute() || !orphans.isAbsolute()) {
            throw new IllegalArgumentException("the directories of the host are absolute paths");
        }
    }

    /**
     * The usual places of a machine: plugins keep their state in {@code /var/lib/mooring}, wherever the root is, and what is put aside lies
     * below the root.
     *
     * @param kubeletRoot the directory below which volumes are mounted, such as {@code /var/lib/kubelet}
     */
    public static LinuxHostLayout below(Path kubeletRoot) {
        return new LinuxHostLayout(
                Path.of("/var/lib/mooring"), kubeletRoot.resolve("orphans"), KeptPlaces.in(KeptPlaces.DIRECTORY));
    }
}

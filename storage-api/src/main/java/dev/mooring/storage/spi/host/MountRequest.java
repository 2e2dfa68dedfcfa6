// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A file system to be mounted by the tool of its type ({@code mount.nfs}) or by the kernel alone.
 *
 * @param source such as {@code server:/export}, {@code /dev/sda} or {@code tmpfs}
 * @param type the type as the tool or the kernel calls it
 * @param options options in their order, already checked
 * @param readOnly whether nothing can be written, from the first instant
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MountRequest(String source, String type, List<String> options, boolean readOnly) {
    /** Copies the list. */
    public MountRequest {
        options = List.copyOf(options);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.spi.VolumeNotes;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A file system wanted on a device and at a place.
 *
 * @param type such as {@code ext4}
 * @param policy whether it may be made if it is not there
 * @param readOnly whether nothing may be written, not even by the replay of a journal
 * @param shared whether other nodes may have the device mounted at the same time
 * @param options options of the mount in their order, already checked; without {@code ro}
 * @param leastBytes the size that the device has to have at least before a file system is made on it; 0 if none is known
 * @param notes where it is noted that the device was formatted, so that it never is again
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record FileSystemRequest(
        String type,
        FormatPolicy policy,
        boolean readOnly,
        boolean shared,
        List<String> options,
        long leastBytes,
        VolumeNotes notes)
        implements FileSystemRequestBuilder.With {
    /** Copies the list. */
    public FileSystemRequest {
        options = List.copyOf(options);
    }
}

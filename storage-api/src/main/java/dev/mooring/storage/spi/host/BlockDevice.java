// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.builder.WithBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A block device as it was when it was looked at. Names move between boots; {@link #wwid} does not.
 *
 * @param name the kernel's name, such as {@code sda} or {@code dm-0}
 * @param path its file, such as {@code /dev/sda}
 * @param number major and minor number, such as {@code 8:0}
 * @param sizeBytes its size in bytes
 * @param readOnly whether the kernel refuses writes
 * @param wwid what identifies the disk wherever it is seen (SCSI page 0x83, or the multipath map's); absent if it has none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record BlockDevice(
        String name, Path path, String number, long sizeBytes, boolean readOnly, Optional<String> wwid)
        implements BlockDeviceBuilder.With {}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.OptionalLong;

/** Looks into the places of a device that show what is on it (semantics/plugins §1.5 condition 5). */
public interface DeviceReader {
    /**
     * Reads all the places, past every cache.
     *
     * @return where the first byte is that is not zero; empty if all are; deferred if any place could not be read as a whole
     */
    Outcome<OptionalLong> firstOther(OperationContext context, BlockDevice device);

    /**
     * Reads the beginning of the device, past every cache.
     *
     * @param length in bytes, a multiple of 4096
     * @return that many bytes, fewer if the device is smaller; deferred if they could not be read as a whole
     */
    Outcome<byte[]> head(OperationContext context, BlockDevice device, int length);
}

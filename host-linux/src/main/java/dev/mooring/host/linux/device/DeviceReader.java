// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.OptionalLong;

/** Looks into the places of a device in which something is wherever anything is (semantics/plugins §1.5 condition 5). */
@FunctionalInterface
public interface DeviceReader {
    /**
     * Reads all the places, past every cache.
     *
     * @return where the first byte is that is not zero; empty if all are; deferred if any place could not be read as a whole
     */
    Outcome<OptionalLong> firstOther(OperationContext context, BlockDevice device);
}

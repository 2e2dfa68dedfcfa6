// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import dev.mooring.storage.model.Quantity;
import java.math.BigInteger;

/** Sizes of volumes in whole bytes. Pure. */
public final class Sizes {
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    private Sizes() {}

    /** The least number of bytes that is not smaller. */
    public static long bytes(Quantity size) {
        return size.valueRoundedUp().min(LARGEST).longValue();
    }

    /** The larger one; 0 from a driver means that it does not say. */
    public static Quantity larger(Quantity size, long bytes) {
        return bytes > bytes(size) ? Quantity.ofBytes(bytes) : size;
    }
}

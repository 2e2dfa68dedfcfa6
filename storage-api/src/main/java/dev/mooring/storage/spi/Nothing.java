// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import org.apiguardian.api.API;

/** The value of a call that only succeeds or not. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Nothing {
    /** The one value. */
    NOTHING
}

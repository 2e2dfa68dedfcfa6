// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.term;

import org.apiguardian.api.API;

/** One time in office of a leader. Once over it is over for good; who is elected again has a new one. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Tenure {
    /** Grows with every change of the leader. */
    long number();

    /** True while this leader's lease is certainly valid. Once false, it stays false. */
    boolean isHeld();
}

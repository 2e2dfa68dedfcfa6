// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import java.time.Instant;
import org.apiguardian.api.API;

/** The only source of time. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TimeSource {
    /** Both clocks now. */
    Time now();

    /** The clocks of this machine. */
    static TimeSource system() {
        return () -> new Time(Instant.now(), System.nanoTime());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime;

import dev.mooring.runtime.control.Dispatch;
import java.util.List;
import org.apiguardian.api.API;

/**
 * How a runtime ended.
 *
 * @param uncertain effects that had not answered when the time was up: they may or may not have happened, and the next start
 *     finds out from the store and the records
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CloseReport(List<Dispatch> uncertain) {
    /** Copies the list. */
    public CloseReport {
        uncertain = List.copyOf(uncertain);
    }

    /** Whether everything had answered. */
    public boolean clean() {
        return uncertain.isEmpty();
    }
}

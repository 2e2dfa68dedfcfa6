// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import org.apiguardian.api.API;

/** Where a controller says which of its keys have to be decided again. Mail for one key coalesces. Confined to the decider. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Mailbox {
    /** Asks for a decision because something that the key depends on has changed: ends its back-offs. */
    void inputChanged(Key key);

    /** Asks for a decision without ending back-offs, as for the echo of an own write or a freed reservation. */
    void recheck(Key key);
}

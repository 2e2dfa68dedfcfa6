// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import java.util.Locale;
import org.apiguardian.api.API;

/** What a write does. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum WriteVerb {
    /** An object is created. */
    CREATE,
    /** An object or its status is changed. */
    UPDATE,
    /** A user's merge patch is applied to an object or its status. */
    PATCH,
    /** An object is deleted, or marked for it. */
    DELETE,
    /** An object is put verbatim, past all rules. */
    LOAD;

    /** The verb as the API server has it: {@code create}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.document;

import org.apiguardian.api.API;

/** The JSON {@code null}: in a merge patch it removes a key. There is no Java null in a document. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum JsonNull {
    /** The one value. */
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.rest.exchange;

import dev.mooring.storage.document.Document;

/** How large an object may become by patches: as large as one that is sent as a whole, for each watch shows it as a whole. */
public final class ObjectSize {
    private ObjectSize() {}

    /** Refuses what is too large, unless it was larger before. */
    public static void require(RequestTarget target, Document before, Document patched) {
        int size = Answer.bytes(patched).length;
        if (size > RequestBody.MOST_BYTES && size > Answer.bytes(before).length) {
            throw RestFailure.of(
                    413,
                    "RequestEntityTooLarge",
                    target.kind().plural() + " \"" + target.name() + "\" is too large: patched, it has " + size
                            + " bytes as JSON; limit is " + RequestBody.MOST_BYTES);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import java.util.List;
import org.apiguardian.api.API;

/**
 * One page of a list.
 *
 * @param items the objects in order of namespace, then name; unmodifiable
 * @param revision the revision that the whole list (all its pages) shows
 * @param continueToken how to ask for the next page; empty on the last one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObjectList<T>(List<T> items, Revision revision, String continueToken) {
    /** Copies the items. */
    public ObjectList {
        items = List.copyOf(items);
    }
}

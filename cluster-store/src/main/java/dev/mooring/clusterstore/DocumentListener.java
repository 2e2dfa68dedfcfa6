// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import org.apiguardian.api.API;

/** Hears a watch of whole documents; the same rules as for {@link dev.mooring.storage.store.WatchListener}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DocumentListener {
    /** A step of the history; {@link WatchEvent} says which object a type shows. */
    void onEvent(WatchEvent.Type type, Document object, Revision revision);

    /** Nothing happened to the selected objects up to this revision; a watch may be resumed from it. */
    void onBookmark(Revision revision);

    /** The watch ended and will say nothing more. */
    void onEnd(Failure reason, String message);
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.store;

import dev.mooring.storage.model.KubernetesObject;
import org.apiguardian.api.API;

/**
 * Hears a watch. Called by one thread at a time, in the order of the revisions. An implementation never calls the store from here: it hands
 * the event on. It may make its caller wait while it has too much to do; so a store that calls it holds no lock that its other calls need.
 *
 * @param <T> the kind watched
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WatchListener<T extends KubernetesObject> {
    /** A step of the history. */
    void onEvent(WatchEvent<T> event);

    /** Nothing happened to the selected objects up to this revision; a watch may be resumed from it. */
    void onBookmark(Revision revision);

    /**
     * The watch ended and will say nothing more.
     *
     * @param reason {@link StoreResult.Failure#GONE}: list again; {@link StoreResult.Failure#UNAVAILABLE}: watch again from the last revision seen
     * @param message for people
     */
    void onEnd(StoreResult.Failure reason, String message);
}

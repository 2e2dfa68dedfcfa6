// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.control;

import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import dev.mooring.storage.store.WatchEvent;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One list and watch that a loop needs, and where what they show goes. The runtime lists, watches from the list's revision, and
 * lists again when the store has forgotten where the watch ended. Confined to the decider.
 *
 * @param <T> the kind's type
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Subscription<T extends KubernetesObject> {
    /** The kind. */
    Kind<T> kind();

    /** What is listed and watched, in one page. */
    ListOptions options();

    /** Learns a whole list, which was begun after the last event of a watch came in. */
    void listed(List<T> objects, Revision revision);

    /** Learns what the watch shows, after everything that it showed before. */
    void heard(WatchEvent<T> event);

    /** Learns that the watch has shown everything up to a revision. */
    void seen(Revision revision);

    /** Learns that the list or the watch failed; it is tried again. */
    void failed(Failure reason, String message);

    /** Hears which subscriptions a loop needs. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    interface Listener {
        /** A list and a watch are needed from now on. Returns at once: the list is not answered within this call. */
        void begin(Subscription<?> subscription);

        /** They are needed no more. What they still show is of no interest. */
        void end(Subscription<?> subscription);
    }
}

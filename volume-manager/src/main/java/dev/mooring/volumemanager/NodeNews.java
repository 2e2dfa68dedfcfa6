// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.volumemanager.content.ContentNews;
import org.apiguardian.api.API;

/**
 * Where an embedder tells the controllers of one node what the store does not. Belongs to one control loop, and all is told on its
 * decider's thread.
 *
 * @param content where the changes of objects that volumes show are told ({@link HostVolumes})
 * @param mounts where the changes of the mount table are told
 * @param shutdown where it is told that the machine is shut down
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NodeNews(ContentNews content, MountNews mounts, ShutdownNews shutdown) {
    /** News to which nobody listens yet. */
    public NodeNews() {
        this(new ContentNews(), new MountNews(), new ShutdownNews());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A mount in the place of a volume of a pod that is gone, of which neither the cluster nor its plugin knows which volume it is. It may be
 * taken away as long as it is only a further view of what is mounted elsewhere: then nothing is lost with it, whosever it was. What is
 * seen nowhere else is left alone.
 *
 * @param mount what was found
 * @param podUid the pod that is gone
 * @param device whether it is a device that is held for the pod, rather than a directory that the pod saw
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Unnamed(MountEntry mount, String podUid, boolean device) {
    /**
     * Whether nothing is lost if it goes: what it shows is seen elsewhere as well, by a mount that does not go with it, and nothing is
     * mounted on it, below it or under it.
     *
     * @param table the mounts now
     * @param root the node's root: other pods' views do not count, and for a device nothing below it does
     */
    public boolean isFurtherView(MountTable table, Path root) {
        Path place = mount.mountPoint();
        Path apart = device ? root : root.resolve("pods");
        Propagation propagation = new Propagation(table);
        return table.at(place).size() == 1
                && table.at(place).get(0).equals(mount)
                && table.below(place).isEmpty()
                && table.entries().stream()
                        .filter(other -> !other.mountPoint().startsWith(apart))
                        .filter(other -> !propagation.goesWith(mount, other))
                        .anyMatch(other -> mount.showsWithin(other.device(), other.root()));
    }
}

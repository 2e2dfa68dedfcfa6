// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The node side of the control plane: shows volumes to the pods of one node, takes them away, and does with storage what only this node
 * can do.
 *
 * <p>An embedder replays the node's {@link dev.mooring.runtime.record.RecordLog}, makes the controllers, and runs them with a {@link
 * dev.mooring.volumemanager.calls.NodeCallHandler} that appends to the same log:
 *
 * <pre>{@code
 * List<Controller> controllers = VolumeManager.controllers(config, plugins, log.replay());
 * CallHandler calls = new NodeCallHandler(config.node(), config.root(), plugins, log, host, secrets)
 *         .withNotes(volume -> StoreNotes.of(store, volume));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class VolumeManager {
    private VolumeManager() {}

    /**
     * Makes the controllers of one node, for one control loop. They belong together: all of them go into the same loop, and none into
     * another one.
     *
     * @param config the node and its duties
     * @param plugins the plugins installed on the node
     * @param records what the node's log says, as {@link dev.mooring.runtime.record.RecordLog#replay} answers it; nothing is published
     *     or undone before it is known
     * @return the controllers, in the order in which they observe; never null
     */
    public static List<Controller> controllers(
            NodeConfig config, PluginRegistry plugins, Collection<? extends RecordEntry> records) {
        return controllers(config, plugins, records, new NodeSignals(), Adoption.Result.NOTHING);
    }

    /**
     * The same for a node that is told more than the store tells, and whose machine was searched for mounts of which the log did not
     * tell.
     *
     * @param signals where an embedder tells what it sees
     * @param found what the search came to, {@link Adoption.Result#NOTHING} if there was none; what it recorded is in the records
     */
    public static List<Controller> controllers(
            NodeConfig config,
            PluginRegistry plugins,
            Collection<? extends RecordEntry> records,
            NodeSignals signals,
            Adoption.Result found) {
        return NodeControllers.of(config, plugins, records, signals, found);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.apiguardian.api.API;

/**
 * Shows a plugin to other programs as a driver. Found by {@link java.util.ServiceLoader}: an implementation brings libraries that nothing
 * else needs, so it may be in a module layer of its own.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface PluginServer {
    /**
     * Starts to serve.
     *
     * @param plugin what is shown, as it is configured
     * @param host acts on this machine
     * @param clock the time
     * @param settings how it is shown
     * @return to be closed
     * @throws IOException if the endpoint cannot be made; the message names it
     * @throws IllegalArgumentException if a setting is wrong; the message names it
     */
    Serving serve(StoragePlugin plugin, HostServices host, InstantSource clock, Settings settings) throws IOException;

    /** What a plugin can do as a driver; pure. A manifest says the same as the driver itself. */
    Abilities abilities(StoragePlugin plugin);

    /**
     * What a driver can do.
     *
     * @param makes whether it makes and deletes volumes
     * @param attaches whether volumes are attached to a node before they are used there
     * @param boundToNode whether a volume can be used only on the node where it is
     * @param measuresCapacity whether it knows how much space a node has for volumes
     * @param expands whether volumes can be made larger
     * @param modifies whether volumes have attributes that can be changed
     * @param makesInline whether a volume may be written in a pod, and lives as long as that
     * @param stages whether a volume is prepared on a node, once for all of its pods
     * @param managesOwnership whether the owner and the mode of a volume's files may be changed for a pod
     */
    record Abilities(
            boolean makes,
            boolean attaches,
            boolean boundToNode,
            boolean measuresCapacity,
            boolean expands,
            boolean modifies,
            boolean makesInline,
            boolean stages,
            boolean managesOwnership) {}

    /** A driver that runs. */
    interface Serving extends AutoCloseable {
        /** Ends the driver; calls that run have a short time to end. */
        @Override
        void close();
    }

    /**
     * How a plugin is shown.
     *
     * @param driverName the driver's name, a DNS name of at most 63 characters
     * @param version of the driver, not empty
     * @param endpoint where it listens, such as {@code unix:///run/csi.sock}
     * @param nodeId the name of this node among all nodes with the driver
     * @param controller whether storage can be made and deleted by it
     * @param node whether storage can be used on this machine by it
     * @param state a directory for what the driver has to remember; it survives restarts
     */
    record Settings(
            String driverName,
            String version,
            String endpoint,
            String nodeId,
            boolean controller,
            boolean node,
            Path state) {}
}

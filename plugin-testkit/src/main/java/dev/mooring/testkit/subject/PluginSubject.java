// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.subject;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.host.Machine;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** What the author tells the kit about a plugin: how to make it, and how to get a volume. Only {@link #plugin} has no default. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface PluginSubject {
    /**
     * Makes the plugin, as the host would find it after a start. Called again wherever the machine is restarted; nothing but the machine
     * connects two of them.
     *
     * @param machine where it will work
     */
    StoragePlugin plugin(Machine machine);

    /** Makes the machine of one test. */
    default Machine machine() {
        return Machine.inMemory();
    }

    /**
     * A volume that exists; for plugins that cannot provision.
     *
     * @param machine the machine of this test
     * @param number which one, from 1; the same number is the same volume, and another one another
     * @return a source in which the plugin finds no fault
     */
    default VolumeSource existing(Machine machine, int number) {
        throw new UnsupportedOperationException("a plugin without Provisioning needs volumes: override existing()");
    }

    /** The parameters of the storage class. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /** The size of the volumes that are asked for. */
    default Quantity size() {
        return Quantity.parse("16Mi");
    }

    /** The modes that are asked for. */
    default List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /**
     * At how many points of each call trouble is tried, evenly chosen, and how many orders of two pods: all by default. Fewer where a call
     * takes seconds.
     */
    default int points() {
        return Integer.MAX_VALUE;
    }

    /** The node on which everything happens. */
    default NodeRef node() {
        return new NodeRef("node-1", "node-uid-1");
    }

    /** The secrets to which the volumes refer. Whatever the plugin looks up must show nowhere. */
    default Secrets secrets() {
        return Secrets.NONE;
    }

    /** Sources with a fault, each with another one. */
    default List<VolumeSource> faultySources() {
        return List.of();
    }

    /** Parameters of classes with a fault, each with another one. */
    default List<Map<String, String>> faultyParameters() {
        return List.of();
    }

    /**
     * Storage that looks like a volume of this plugin and is not one that it made: a directory of the host, an export with data.
     * Deleting and recycling must leave it alone.
     *
     * @param machine the machine of this test, on which it may have to be made
     */
    default List<VolumeSource> foreignSources(Machine machine) {
        return List.of();
    }

    /**
     * Storage whose content recycling must leave alone. Where recycling is for volumes that were made by hand, it is what somebody else
     * uses on the machine.
     *
     * @param machine the machine of this test, on which it may have to be made
     */
    default List<VolumeSource> foreignToRecycle(Machine machine) {
        return foreignSources(machine);
    }

    /**
     * What exists in the back-end, one line for each thing: sessions, exports, disks. What is mounted on the machine or lies in its
     * directory is known to the kit.
     *
     * @param machine the machine of this test
     */
    default List<String> backendInventory(Machine machine) {
        return List.of();
    }
}

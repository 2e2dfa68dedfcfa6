// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.subject;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.testkit.host.Machine;
import dev.mooring.testkit.host.MemoryHost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * Whether all tests happen on one machine, one after the other: faster where it takes seconds to make one. After a test that failed
     * there is another one.
     */
    default boolean sharesMachine() {
        return false;
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

    /**
     * A volume that exists and can be used as a raw device; for plugins with {@code BlockMapping} that cannot provision.
     *
     * @param machine the machine of this test
     * @param number which one, from 1; a number beside {@link #existing}'s may be the same storage
     * @return a source in which the plugin finds no fault; empty where there is none, so that raw devices are not tried
     */
    default Optional<VolumeSource> existingDevice(Machine machine, int number) {
        return Optional.of(existing(machine, number));
    }

    /**
     * Makes storage larger, as its administrator does; for plugins that can only let the node see it ({@code NodeExpanding}).
     *
     * @param machine the machine of this test
     * @param source the volume
     * @param size what it has to have at least, which becomes as large as is said of {@link #size}
     */
    default void grow(Machine machine, VolumeSource source, Quantity size) {}

    /** The annotations of volumes that are not provisioned. */
    default Map<String, String> annotations() {
        return Map.of();
    }

    /** The parameters of the storage class. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /** The parameters of the class of snapshots. */
    default Map<String, String> snapshotParameters() {
        return Map.of();
    }

    /**
     * The size of the volumes that are asked for. Where the plugin lets volumes grow, one volume grows by this much again at each point at
     * which trouble is tried, up to {@link #points} times for each kind of trouble, and a few times to begin with: if the back-end has a
     * largest size, answer a small part of it, or try fewer points.
     */
    default Quantity size() {
        return Quantity.parse("16Mi");
    }

    /** The modes that are asked for. */
    default List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /**
     * At how many points of each call each kind of trouble is tried, evenly chosen, how many orders of two pods, and about how many volumes
     * and pods at once: all by default. Fewer where a call takes seconds.
     */
    default int points() {
        return Integer.MAX_VALUE;
    }

    /**
     * How long one call may take: the deadline of all calls but the hurried ones. A call that has not ended after twice that time is given
     * up: its test fails with the stack of the call, and tests that need the same call are skipped.
     */
    default Duration callLimit() {
        return Duration.ofMinutes(1);
    }

    /** The node on which everything happens. */
    default NodeRef node() {
        return new NodeRef("node-1", "node-uid-1");
    }

    /**
     * The labels of a node; for plugins that plan by labels of their own. Without {@code kubernetes.io/hostname} the kit adds it.
     *
     * @param node {@link #node}, or one on which nothing happens
     */
    default Map<String, String> nodeLabels(NodeRef node) {
        return Map.of();
    }

    /** The secrets to which the volumes refer. Whatever the plugin looks up must show nowhere. */
    default Secrets secrets() {
        return Secrets.NONE;
    }

    /**
     * Attributes that {@code Modifying} can give to a volume, each time others than it had, and {@code Provisioning} to a new one; none are
     * tried by default. They have to show in {@link #backendInventory}.
     */
    default List<Map<String, String>> modifications() {
        return List.of();
    }

    /**
     * Whether a node can write to a volume, as the back-end sees it: what {@code Fencing} has to change.
     *
     * @param machine the machine of this test
     * @param volume a volume that is staged on {@link #node}
     * @param node a node
     * @return empty if it cannot be told
     */
    default Optional<Boolean> mayWrite(Machine machine, VolumeId volume, NodeRef node) {
        return Optional.empty();
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
     * Storage whose content recycling must leave alone. Where recycling is for volumes that were made by hand, it is what another user
     * uses on the machine.
     *
     * @param machine the machine of this test, on which it may have to be made
     */
    default List<VolumeSource> foreignToRecycle(Machine machine) {
        return foreignSources(machine);
    }

    /**
     * What exists in the back-end, one line for each thing: sessions, exports, disks. What is mounted on the machine or lies in its
     * directory is known to the kit, and so are the devices of a machine in memory, which are the default.
     *
     * @param machine the machine of this test
     */
    default List<String> backendInventory(Machine machine) {
        return machine.host() instanceof MemoryHost memory ? memory.devices() : List.of();
    }
}

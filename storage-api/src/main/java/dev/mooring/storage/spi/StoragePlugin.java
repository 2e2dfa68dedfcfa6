// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.VolumeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * A storage back-end. A plugin implements this interface and, for each thing that its storage can do, one of the {@link
 * Capability} interfaces.
 *
 * <p>The methods here are pure: no I/O, no clock, equal answers for equal arguments. All methods may be called by several threads at
 * once. Everything around the storage is the host's: paths, order, records, locks, back-off, ownership, read-only, options
 * checking.
 *
 * <p>A plugin is found by {@link java.util.ServiceLoader}: declare {@code provides dev.mooring.storage.spi.StoragePlugin with …}
 * and a public constructor without parameters.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface StoragePlugin {
    /** What this plugin is; the same value at every call, never null. */
    PluginDescriptor describe();

    /**
     * The identity of a volume.
     *
     * @param source a source that {@link #validate} found no fault with: of one of the declared types, or of type {@code csi} with this
     *     plugin's name as its driver
     * @return the normalised identity, never null
     */
    VolumeId identify(VolumeSource source);

    /**
     * Looks for faults in a source.
     *
     * @param source a source of one of the declared types, or of type {@code csi} with this plugin's name as its driver
     * @return one entry per fault, naming field and rule; empty if there is no fault; never null
     */
    List<FieldProblem> validate(VolumeSource source);

    /**
     * Which calls share one pool of the host: what one back-end that does not answer may hold up, such as all volumes of one server; pure.
     * Without a word from the plugin each volume stands for itself.
     *
     * @param volume a volume of this plugin
     * @return a name that begins with the plugin's, never null
     */
    default String bulkhead(VolumeId volume) {
        return volume.toString();
    }

    /**
     * This plugin with settings of the operator, such as its root directory; as it was found, a plugin has its defaults.
     *
     * @param settings values by name
     * @return the plugin to be used instead of this one; INVALID, naming the setting, if one is unknown or wrong
     */
    default Outcome<StoragePlugin> configured(Map<String, String> settings) {
        return settings.isEmpty()
                ? Outcome.done(this)
                : Outcome.refused(
                        Refusal.INVALID,
                        describe().name() + " has no setting '" + new TreeSet<>(settings.keySet()).first() + "'");
    }

    /**
     * Directories of the machine that this plugin, as it is configured, keeps beside its {@link
     * dev.mooring.storage.spi.host.HostServices#stateDirectory}, such as that in which it makes volumes. No other plugin shows, empties or
     * destroys them; what this plugin's volumes show of them is its own to judge.
     *
     * @return absolute paths, which do not have to exist; may be empty, never null
     */
    default List<Path> keptDirectories() {
        return List.of();
    }

    /** Whether {@link #discover} may find something; false unless a plugin is set up for it. */
    default boolean discovers() {
        return false;
    }

    /**
     * Looks for storage on the node that can be offered as volumes. Unlike the other methods here it acts on the host, though it changes
     * nothing. What cannot be offered is reported by {@link OperationContext#report}.
     *
     * @param nodeLabels the labels of the node
     * @return what was found, in a fixed order, whether or not there is a volume for it already
     */
    default Outcome<List<FoundVolume>> discover(OperationContext context, Map<String, String> nodeLabels) {
        return Outcome.done(List.of());
    }

    /**
     * A capability of this plugin.
     *
     * @param type the interface wanted
     * @return the implementation; empty if the storage cannot do that; never null
     */
    default <C extends Capability> Optional<C> capability(Class<C> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }
}

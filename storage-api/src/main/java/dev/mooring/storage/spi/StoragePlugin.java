// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.model.VolumeSource;
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
     * @param source a source of one of the declared types that {@link #validate} found no fault with
     * @return the normalised identity, never null
     */
    VolumeId identify(VolumeSource source);

    /**
     * Looks for faults in a source.
     *
     * @param source a source of one of the declared types
     * @return one entry per fault, naming field and rule; empty if there is none; never null
     */
    List<FieldProblem> validate(VolumeSource source);

    /**
     * This plugin with settings of whoever operates the host, such as its root directory; as it was found, a plugin has its defaults.
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
     * A capability of this plugin.
     *
     * @param type the interface wanted
     * @return the implementation; empty if the storage cannot do that; never null
     */
    default <C extends Capability> Optional<C> capability(Class<C> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }
}

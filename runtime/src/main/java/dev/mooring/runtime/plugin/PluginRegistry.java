// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.control.Defects;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.HostServices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins of one host, by name and by the source types that they serve. Grows by {@link #add} only. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PluginRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(PluginRegistry.class);

    /** No plugins, for ever. */
    public static final PluginRegistry EMPTY = new PluginRegistry(List.of());

    private final Map<String, StoragePlugin> byName = new ConcurrentSkipListMap<>();
    private final Map<String, StoragePlugin> bySourceType = new ConcurrentSkipListMap<>();

    /**
     * Registers plugins.
     *
     * @param plugins the plugins
     * @throws IllegalArgumentException if two plugins have one name or serve one source type; the message names both
     */
    public PluginRegistry(Collection<? extends StoragePlugin> plugins) {
        plugins.forEach(this::register);
    }

    /**
     * Registers one more, such as that which serves CSI drivers once the first driver has come. A plugin that is here stays: what it cannot
     * do now its calls defer.
     *
     * @throws IllegalArgumentException if another plugin has its name or serves one of its source types; the message names both
     */
    public void add(StoragePlugin plugin) {
        if (this == EMPTY) {
            throw new IllegalStateException("the empty registry stays empty");
        }
        register(plugin);
    }

    private void register(StoragePlugin plugin) {
        PluginName name = plugin.describe().name();
        StoragePlugin sameName = byName.putIfAbsent(name.value(), plugin);
        if (sameName != null) {
            throw new IllegalArgumentException(
                    "two plugins are called " + name + ": " + describe(sameName) + " and " + describe(plugin));
        }
        for (String type : plugin.describe().sourceTypes()) {
            StoragePlugin sameType = bySourceType.putIfAbsent(type, plugin);
            if (sameType != null) {
                throw new IllegalArgumentException("two plugins serve the volume source '" + type + "': "
                        + describe(sameType) + " and " + describe(plugin));
            }
        }
    }

    /** All plugins in order of their names. */
    public Collection<StoragePlugin> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /** The plugin of a name. */
    public Optional<StoragePlugin> named(PluginName name) {
        return named(name.value());
    }

    /** The plugin of a name as users write it, for example as provisioner; a malformed name names none. */
    public Optional<StoragePlugin> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The plugin that serves a source: for a CSI source the one with its driver's name, if there is one. */
    public Optional<StoragePlugin> serving(VolumeSource source) {
        Optional<StoragePlugin> driver = CsiSource.of(source).flatMap(csi -> named(csi.driver()));
        return driver.or(() -> Optional.ofNullable(bySourceType.get(source.type())));
    }

    /** Which storage a source stands for; empty if no plugin serves it or its plugin finds it invalid. */
    public Optional<VolumeId> identify(VolumeSource source) {
        return serving(source)
                .filter(plugin -> problems(plugin, source).isEmpty())
                .map(plugin -> plugin.identify(source));
    }

    /**
     * What is wrong with a source, as its plugin finds. A plugin that fails at it, or fails to name a valid volume, has found a problem
     * too: one volume that a plugin cannot bear must stop neither its own changes nor the decisions about others.
     *
     * @param plugin the plugin that serves the source
     * @return the problems; if the list is empty, the plugin identifies the volume
     */
    public static List<FieldProblem> problems(StoragePlugin plugin, VolumeSource source) {
        String step = "validate";
        try {
            List<FieldProblem> problems = List.copyOf(plugin.validate(source));
            if (problems.isEmpty()) {
                step = "identify";
                Objects.requireNonNull(plugin.identify(source), "identify answered null");
            }
            return problems;
        } catch (Throwable defect) {
            Defects.throwTheMachines(defect);
            LOG.debug("{} of {} failed for a volume of type {}", step, describe(plugin), source.type(), defect);
            return List.of(new FieldProblem(
                    "spec." + source.type(),
                    "plugin " + plugin.describe().name() + " failed to " + step + " it: "
                            + defect.getClass().getName()));
        }
    }

    /** A capability of a named plugin. */
    public <C extends Capability> Optional<C> capability(PluginName name, Class<C> type) {
        return named(name).flatMap(plugin -> plugin.capability(type));
    }

    /**
     * What the host does for the calls of a plugin: as {@link HostServices#forPlugin}, with what the plugin keeps.
     *
     * @param given directories that the host gives to the call
     */
    public HostServices hostFor(PluginName name, HostServices host, List<Path> given) {
        List<Path> all = new ArrayList<>(given);
        named(name).ifPresent(plugin -> all.addAll(plugin.keptDirectories()));
        return host.forPlugin(name, all);
    }

    private static String describe(StoragePlugin plugin) {
        return plugin.describe().name() + " (" + plugin.getClass().getName() + ")";
    }
}

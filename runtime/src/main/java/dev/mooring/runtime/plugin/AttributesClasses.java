// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.runtime.cache.Caches;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.VolumeAttributesClass;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apiguardian.api.API;

/**
 * What the VolumeAttributesClass that a claim names means for a plugin. Every controller that gives storage attributes, new or old, on a
 * node or in the controllers, asks here, so that all of them refuse the same claims in the same words. Pure; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AttributesClasses {
    private AttributesClasses() {}

    /**
     * The class that a claim names.
     *
     * @return the name; empty if the claim names none, also by an empty text
     */
    public static Optional<String> nameOf(PersistentVolumeClaim claim) {
        return claim.spec().volumeAttributesClassName().filter(name -> !name.isEmpty());
    }

    /**
     * The attributes that new storage of a claim has from the start (semantics/binder §1.10 X5).
     *
     * @param claim the claim, never null
     * @param plugin the plugin that makes the storage, never null
     * @param caches where the class is looked up; must hold the kind
     * @return the attributes by name, none for a claim that names no class; or {@link Refusal#UNSUPPORTED} if the plugin is not {@link
     *     Modifying}, else as {@link #find}; never null
     */
    public static Outcome<Map<String, String>> wanted(
            PersistentVolumeClaim claim, StoragePlugin plugin, Caches caches) {
        Optional<String> name = nameOf(claim);
        if (name.isEmpty()) {
            return Outcome.done(Map.of());
        }
        PluginName plugged = plugin.describe().name();
        if (plugin.capability(Modifying.class).isEmpty()) {
            return Outcome.refused(
                    Refusal.UNSUPPORTED,
                    "plugin " + plugged + " gives storage no attributes, and the claim names VAC " + name.get());
        }
        return find(name.get(), plugged, caches).map(VolumeAttributesClass::parameters);
    }

    /**
     * Attributes in few letters, for {@link dev.mooring.runtime.control.Call#occasion}: other attributes are another effect.
     *
     * @return the same for equal attributes in any order; never empty
     */
    public static String digest(Map<String, String> attributes) {
        byte[] text = new TreeMap<>(attributes).toString().getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(text).toString();
    }

    /**
     * A class by its name, for storage of a plugin.
     *
     * @param name the name, not empty
     * @param plugin whose storage it is, never null
     * @param caches where the class is looked up; must hold the kind
     * @return the class; or {@link Refusal#NOT_FOUND} if no class has the name, {@link Refusal#INVALID} if it is for another driver;
     *     never null
     */
    public static Outcome<VolumeAttributesClass> find(String name, PluginName plugin, Caches caches) {
        Optional<VolumeAttributesClass> found = caches.get(Kinds.VOLUME_ATTRIBUTES_CLASS, ObjectKey.cluster(name));
        if (found.isEmpty()) {
            return Outcome.refused(Refusal.NOT_FOUND, "VAC " + name + " does not exist");
        }
        String driver = found.get().driverName();
        return driver.equals(plugin.value())
                ? Outcome.done(found.get())
                : Outcome.refused(
                        Refusal.INVALID, "VAC " + name + " is for the driver " + driver + ", not for " + plugin);
    }
}

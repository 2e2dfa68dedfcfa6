// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.Provisioners;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.StoragePlugin;
import java.util.Optional;

/**
 * Who reclaims a volume's storage (semantics/binder §1.9).
 *
 * @param recycles whether it is emptied; else destroyed
 * @param executor the plugin; absent if no plugin here does it
 * @param external whether a program outside of this process does it
 * @param problem why none can; empty if one can
 */
record ReclaimExecutor(boolean recycles, Optional<StoragePlugin> executor, boolean external, String problem) {
    static ReclaimExecutor recycler(PluginRegistry plugins, PersistentVolume volume) {
        Optional<StoragePlugin> plugin = volume.spec()
                .source()
                .flatMap(plugins::serving)
                .filter(candidate -> candidate.capability(Recycling.class).isPresent());
        return new ReclaimExecutor(
                true, plugin, false, plugin.isPresent() ? "" : "No recycler plugin found for the volume!");
    }

    static ReclaimExecutor deleter(PluginRegistry plugins, PersistentVolume volume) {
        if (volume.spec().source().isEmpty()) {
            return nobody("error getting deleter volume plugin for volume \""
                    + volume.metadata().name() + "\": it has no source");
        }
        Optional<String> provisionedBy = volume.metadata().annotation(Annotations.PROVISIONED_BY);
        if (provisionedBy.isPresent()) {
            Optional<StoragePlugin> named = plugins.named(provisionedBy.get()).filter(ReclaimExecutor::deletes);
            if (named.isPresent()) {
                return new ReclaimExecutor(false, named, false, "");
            }
            return Provisioners.isInTree(provisionedBy.get())
                    ? nobody("error getting deleter volume plugin for volume \""
                            + volume.metadata().name() + "\": no deletable plugin is named " + provisionedBy.get())
                    : new ReclaimExecutor(false, Optional.empty(), true, "");
        }
        if (volume.spec()
                .source()
                .filter(source -> source.type().equals(CsiSource.TYPE))
                .isPresent()) {
            return new ReclaimExecutor(false, Optional.empty(), true, "");
        }
        Optional<StoragePlugin> serving =
                volume.spec().source().flatMap(plugins::serving).filter(ReclaimExecutor::deletes);
        return serving.isPresent()
                ? new ReclaimExecutor(false, serving, false, "")
                : nobody("error getting deleter volume plugin for volume \""
                        + volume.metadata().name() + "\": no volume plugin matched");
    }

    private static ReclaimExecutor nobody(String problem) {
        return new ReclaimExecutor(false, Optional.empty(), false, problem);
    }

    private static boolean deletes(StoragePlugin plugin) {
        return plugin.capability(Deleting.class).isPresent();
    }

    PluginName plugin() {
        return executor.orElseThrow().describe().name();
    }

    boolean onNode() {
        return executor.orElseThrow().describe().reclaimPlace() == Place.NODE;
    }

    String operation() {
        return recycles ? BinderOperations.RECYCLE : BinderOperations.DELETE;
    }

    String failureReason() {
        return recycles ? "VolumeFailedRecycle" : "VolumeFailedDelete";
    }

    String postponedReason() {
        return recycles ? failureReason() : "VolumeDelete";
    }

    String failureText(String why) {
        return recycles ? "Recycle failed: " + why : why;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.MigratedPlugins;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import java.util.Optional;

/**
 * The annotation {@code pv.kubernetes.io/migrated-to}: which CSI driver has taken over the in-tree plugin of a claim or volume (semantics/
 * binder §1.2 SC0, §1.6 SV0).
 *
 * @param migrated what has been migrated
 * @param plugins the plugins of this process, none of which is
 */
record Migration(MigratedPlugins migrated, PluginRegistry plugins) {
    /** SC0: by the provisioner that the claim has been given to. */
    PersistentVolumeClaim marked(PersistentVolumeClaim claim) {
        ObjectMeta metadata = claim.metadata();
        Optional<String> provisioner = metadata.annotation(Annotations.STORAGE_PROVISIONER)
                .or(() -> metadata.annotation(Annotations.BETA_STORAGE_PROVISIONER));
        ObjectMeta marked = marked(metadata, provisioner);
        return marked.equals(metadata) ? claim : claim.withMetadata(marked);
    }

    /** SV0, the annotation only: by the provisioner that made the volume. */
    ObjectMeta marked(PersistentVolume volume) {
        return marked(volume.metadata(), volume.metadata().annotation(Annotations.PROVISIONED_BY));
    }

    /** An unknown provisioner is left alone. */
    ObjectMeta marked(ObjectMeta metadata, Optional<String> provisioner) {
        if (provisioner.isEmpty()) {
            return metadata;
        }
        Optional<String> driver = migrated.driverOf(provisioner.get());
        if (driver.isPresent()) {
            return metadata.annotation(Annotations.MIGRATED_TO).equals(driver)
                    ? metadata
                    : metadata.withAnnotation(Annotations.MIGRATED_TO, driver.get());
        }
        boolean known = plugins.named(provisioner.get()).isPresent()
                || MigratedPlugins.UPSTREAM.driverOf(provisioner.get()).isPresent();
        return known && metadata.annotation(Annotations.MIGRATED_TO).isPresent()
                ? metadata.withoutAnnotation(Annotations.MIGRATED_TO)
                : metadata;
    }

    /** Whether a CSI driver does what the plugin of this name once did. */
    boolean isMigrated(String plugin) {
        return migrated.driverOf(plugin).isPresent();
    }
}

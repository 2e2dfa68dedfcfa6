// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.Cloning;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Snapshotting;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.Optional;
import org.apiguardian.api.API;

/** Which method of a plugin makes new storage: that of the capability for what the storage is filled with. Thread-safe. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NewStorage {
    private NewStorage() {}

    /** The capability that a plugin needs for a request; never null. */
    public static Class<? extends Capability> capability(ProvisionRequest request) {
        if (request.content().isEmpty()) {
            return Provisioning.class;
        }
        return request.content().get() instanceof ContentSource.OfSnapshot ? Snapshotting.class : Cloning.class;
    }

    /**
     * Has the storage made.
     *
     * @param maker a plugin's implementation of the {@linkplain #capability capability} for the request
     * @param context of the call
     * @param request what is wanted
     * @param plan what the plugin planned for it
     * @return the plugin's answer
     * @throws IllegalArgumentException if the maker is of another capability
     */
    public static Outcome<VolumeTemplate> make(
            Capability maker, OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        Optional<ContentSource> content = request.content();
        if (content.isPresent()
                && content.get() instanceof ContentSource.OfVolume source
                && maker instanceof Cloning cloning) {
            return cloning.cloneVolume(context, request, plan, source.volume());
        }
        if (content.isPresent()
                && content.get() instanceof ContentSource.OfSnapshot source
                && maker instanceof Snapshotting snapshotting) {
            return snapshotting.restore(context, request, plan, source.snapshot());
        }
        if (content.isEmpty() && maker instanceof Provisioning provisioning) {
            return provisioning.provision(context, request, plan);
        }
        throw new IllegalArgumentException(maker.getClass().getName() + " does not make what was asked for");
    }
}

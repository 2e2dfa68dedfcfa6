// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.OwnershipRule;
import dev.mooring.volumemanager.subpath.SubPaths;
import java.nio.file.Path;

/**
 * What every host does to what a plugin has published: gives it to the pod's group, then shows parts of it to containers (semantics/
 * attach-and-mount §3.11, §3.15). A volume whose plugin keeps its own ownership, one that is read-only, and a device are not given away.
 */
final class PodSteps implements HostSteps {
    private final Path root;
    private final PluginRegistry plugins;

    PodSteps(Path root, PluginRegistry plugins) {
        this.root = root;
        this.plugins = plugins;
    }

    @Override
    public Outcome<Nothing> afterPublish(OperationContext context, PublishCall call) {
        PublishRequest request = call.request();
        if (request.occasion() == Occasion.REPUBLISH
                || call.record().deviceMap().isPresent()) {
            return Outcome.done();
        }
        Outcome<Nothing> given = ownedByPod(call) ? give(context, call) : Outcome.done();
        return given.then(done -> subPaths(context, call.record())
                .publish(request.target(), call.setup().subPaths()));
    }

    private boolean ownedByPod(PublishCall call) {
        return call.setup().group().isPresent()
                && !call.request().readOnly()
                && plugins.named(call.plugin())
                        .filter(plugin -> plugin.describe().managesOwnership())
                        .isPresent();
    }

    private static Outcome<Nothing> give(OperationContext context, PublishCall call) {
        OwnershipRule rule = new OwnershipRule(
                call.setup().group().orElseThrow(), false, call.setup().onlyIfRootDiffers());
        return context.host()
                .files()
                .open(call.request().target(), LinkRule.FOLLOW)
                .then(volume -> {
                    try (volume) {
                        return context.host().files().own(context, volume, rule);
                    }
                })
                .map(owned -> Nothing.NOTHING);
    }

    @Override
    public Outcome<Nothing> beforeUnpublish(OperationContext context, RecordEntry.Publish record) {
        return record.deviceMap().isPresent()
                ? Outcome.done()
                : subPaths(context, record).unpublish();
    }

    /** Named by the pod's volume, which is unique in the pod. */
    private SubPaths subPaths(OperationContext context, RecordEntry.Publish record) {
        return new SubPaths(context, root.resolve("pods").resolve(record.pod().uid()), record.podVolume());
    }
}

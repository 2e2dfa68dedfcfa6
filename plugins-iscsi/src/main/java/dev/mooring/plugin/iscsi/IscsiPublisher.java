// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.plugin.support.Directories;
import dev.mooring.plugin.support.PublishedMount;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics.Usage;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;

/** Shows the staged file system to pods. */
final class IscsiPublisher {
    private final OperationContext context;

    IscsiPublisher(OperationContext context) {
        this.context = context;
    }

    Outcome<PluginState> publish(PublishRequest request, VolumeId volume) {
        if (request.stagingPath().isEmpty()) {
            return Outcome.refused(Refusal.INVALID, "an iSCSI volume is published from where it is staged");
        }
        Path staged = request.stagingPath().get();
        return context.host().files().open(staged, LinkRule.REFUSE).then(pinned -> {
            try (pinned) {
                return isStaged(pinned, staged, volume)
                        .then(nothing -> context.host()
                                .mounts()
                                .bind(pinned, request.target(), BindOptions.PLAIN.readOnly(request.readOnly())))
                        .map(PublishedMount::state);
            }
        });
    }

    /** The directory below the mount must never be shown: what is written there is lost. */
    private Outcome<Nothing> isStaged(PinnedPath pinned, Path staged, VolumeId volume) {
        return new StagedLedger(context.host())
                .find(volume)
                .then(known -> context.host().mounts().entryOf(pinned).then(entry -> {
                    boolean ours = entry.mountPoint().equals(staged)
                            && known.filter(entryOf -> entryOf.mount().equals(entry.device()))
                                    .isPresent();
                    return ours
                            ? Outcome.done()
                            : Outcome.deferred("the volume is not mounted at " + staged + " but " + entry + " is seen");
                }));
    }

    Outcome<Nothing> unpublish(VolumeId volume, Path target, PluginState state) {
        return PublishedMount.unmount(context, target, state, () -> expectationFromLedger(volume));
    }

    /** The answer to publish was lost: what is mounted is ours if it is the file system that is staged. */
    private Outcome<MountExpectation> expectationFromLedger(VolumeId volume) {
        return new StagedLedger(context.host())
                .find(volume)
                .map(known -> known.map(Staged::mount)
                        .filter(device -> !device.isEmpty())
                        .map(device -> MountExpectationBuilder.builder()
                                .device(device)
                                .tree(true)
                                .build())
                        .orElseGet(MountExpectation::nothing));
    }

    Outcome<Usage> usage(Path path) {
        return Directories.use(context.host().files().open(path, LinkRule.FOLLOW), PinnedPath::space)
                .map(Usage::of);
    }
}

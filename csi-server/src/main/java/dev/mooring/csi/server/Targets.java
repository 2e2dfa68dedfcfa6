// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.csi.server.RpcFailure.Asked;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.List;

/**
 * Target paths of this node: what is shown there, and that it is gone afterwards. A file system is the plugin's to show; a block device
 * is bound to the target, which is a file then (semantics/csi §6.5). Each step may be repeated after any interruption.
 */
record Targets(DriverTraits traits, HostServices host) {
    /** Whatever is bound there: the caller has said that the target is the driver's. */
    private static final MountExpectation ANYTHING =
            MountExpectationBuilder.builder().build();

    /**
     * Refuses a path at which nothing was begun and where something lies: the volume would hide it, and afterwards nothing tells it from what
     * was written beside a mount that had gone.
     */
    void requireFree(Path path) throws RpcFailure {
        Outcome<Boolean> free = host.mounts()
                .table()
                .then(mounts -> mounts.top(path).isPresent()
                        ? Outcome.done(true) // the plugin knows its own mounts
                        : host.files().open(path, LinkRule.FOLLOW).then(Targets::isFree));
        if (!free.isRefused(Refusal.NOT_FOUND) && !RpcFailure.orThrow(free, Asked.NODE)) {
            throw RpcFailure.precondition(
                    path + " is not empty, and a volume would hide what is there: empty or remove it");
        }
    }

    private static Outcome<Boolean> isFree(PinnedPath opened) {
        try (opened) {
            return opened.facts().then(facts -> {
                if (facts.kind() != FileKind.DIRECTORY) {
                    return Outcome.done(facts.kind() == FileKind.FILE && facts.size() == 0);
                }
                Outcome<List<String>> names = opened.list(1);
                return names.isRefused(Refusal.EXHAUSTED) ? Outcome.done(false) : names.map(List::isEmpty);
            });
        }
    }

    /** Shows a volume at a target. */
    Outcome<PluginState> show(RpcContext context, PublishRequest request) throws RpcFailure {
        if (request.volume().mode() == VolumeMode.FILESYSTEM) {
            return traits.need(Publishing.class).publish(context, request);
        }
        return traits.need(BlockMapping.class)
                .map(context, request)
                .then(path -> host.blockDevices().find(path))
                .then(device -> protectedIf(request.readOnly(), device))
                .then(device -> host.files().open(device.path(), LinkRule.FOLLOW))
                .then(device -> {
                    try (device) {
                        return host.mounts().bind(device, request.target(), BindOptions.PLAIN);
                    }
                })
                .map(bound -> PluginState.NONE);
    }

    /** No mount stands between a pod and a device: only the kernel's own refusal keeps who may read from writing. */
    private static Outcome<BlockDevice> protectedIf(boolean readOnly, BlockDevice device) {
        return !readOnly || device.readOnly()
                ? Outcome.done(device)
                : Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "the device " + device.path() + " can be written, so that it cannot be published read-only");
    }

    /** Takes a volume away from a target, which is gone then. */
    void hide(RpcContext context, VolumeRecord record, VolumeUse use) throws RpcFailure {
        VolumeId id = traits.plugin().identify(record.source());
        Path target = Path.of(use.path());
        Outcome<Nothing> hidden = use.mode() == VolumeMode.FILESYSTEM
                ? traits.need(Publishing.class).unpublish(context, id, use.pod(), target, use.state())
                : unbound(context, id, use, target);
        RpcFailure.orThrow(hidden, Asked.NODE);
        remove(target);
    }

    private Outcome<Nothing> unbound(RpcContext context, VolumeId id, VolumeUse use, Path target) throws RpcFailure {
        BlockMapping plugin = traits.need(BlockMapping.class);
        return host.mounts()
                .unmount(context, target, ANYTHING, UnmountForce.NONE)
                .then(gone -> plugin.unmap(context, id, use.pod()));
    }

    /** The driver removes the target, also one that it did not make; never what is in it, and never a mount. */
    void remove(Path target) throws RpcFailure {
        Path parent = target.getParent();
        Path name = target.getFileName();
        if (parent == null || name == null) {
            throw RpcFailure.invalid("target_path is the root");
        }
        Outcome<Nothing> removed = host.files().open(parent, LinkRule.FOLLOW).then(opened -> {
            try (opened) {
                return opened.removeDirectory(name.toString());
            }
        });
        if (!removed.isRefused(Refusal.NOT_FOUND)) {
            RpcFailure.orThrow(removed, Asked.NODE);
        }
    }
}

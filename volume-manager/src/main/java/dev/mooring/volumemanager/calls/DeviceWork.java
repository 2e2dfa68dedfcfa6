// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.storage.spi.BlockMapping;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * A volume that a pod sees as a raw device (semantics/attach-and-mount §3.7, plugins §1.7). The device found by the plugin is bound to a
 * file of the host, a loop device over that file keeps its numbers from being given to another device, and a link in the pod's directory
 * leads to it. Undone in the opposite order; each step may be repeated after any interruption. As with Kubernetes each pod's file has a
 * loop device of its own, found by that file: the end of one pod lets go of nothing that holds the device for another. Thread-safe.
 */
record DeviceWork(HostServices host, HostDirectories directories) {
    /** Anything that is bound there: the file lies in a directory of the host in which only we bind. */
    private static final MountExpectation ANYTHING =
            MountExpectationBuilder.builder().build();

    Outcome<PluginState> map(OperationContext context, PublishCall call, BlockMapping plugin) {
        Path map = call.record().deviceMap().orElseThrow();
        Path link = call.record().target();
        return directories
                .make(parentOf(link))
                .then(made -> directories.make(parentOf(map)))
                .then(made -> plugin.map(context, call.request()))
                .then(path -> host.blockDevices().find(path))
                .then(device -> protectedIf(call.request().readOnly(), device))
                .then(device -> bind(device, map)
                        .then(bound -> host.blockDevices().attachLoop(context, map))
                        .then(held -> link(link, device.path())))
                .map(linked -> PluginState.NONE);
    }

    /** No mount stands between a pod and a device: only the kernel's own refusal keeps who may read from writing (S18). */
    private static Outcome<BlockDevice> protectedIf(boolean readOnly, BlockDevice device) {
        return !readOnly || device.readOnly()
                ? Outcome.done(device)
                : Outcome.refused(
                        Refusal.UNSUPPORTED,
                        "the device " + device.path() + " can be written, so a pod that may only read does not get it");
    }

    private Outcome<Nothing> bind(BlockDevice device, Path map) {
        return host.files().open(device.path(), LinkRule.FOLLOW).then(opened -> {
            try (opened) {
                return host.mounts().bind(opened, map, BindOptions.PLAIN).map(entry -> Nothing.NOTHING);
            }
        });
    }

    /** The link may be there from an earlier attempt, with the name that the device had then. */
    private Outcome<Nothing> link(Path link, Path device) {
        return within(parentOf(link), parent -> {
            String name = nameOf(link);
            return parent.readLink(name).then(there -> {
                if (there.equals(Optional.of(device.toString()))) {
                    return Outcome.done();
                }
                Outcome<Nothing> removed = there.isPresent() ? parent.removeFile(name) : Outcome.done();
                return removed.then(gone -> parent.makeSymbolicLink(name, device.toString()));
            });
        });
    }

    Outcome<Nothing> unmap(OperationContext context, Publish record, BlockMapping plugin) {
        Path map = record.deviceMap().orElseThrow();
        Path link = record.target();
        return ifThere(within(parentOf(link), parent -> parent.removeFile(nameOf(link))))
                .then(unlinked -> host.blockDevices().detachLoop(context, map))
                .then(released -> host.mounts().unmount(context, map, ANYTHING, UnmountForce.NONE))
                .then(unbound -> plugin.unmap(context, record.volumeId(), record.pod()))
                .then(unmapped -> directories.removeEmpty(parentOf(link)))
                .then(removed -> directories.removeEmpty(parentOf(map)));
    }

    private Outcome<Nothing> within(Path directory, Function<PinnedPath, Outcome<Nothing>> action) {
        return directories.open(directory).then(parent -> {
            try (parent) {
                return action.apply(parent);
            }
        });
    }

    private static Outcome<Nothing> ifThere(Outcome<Nothing> outcome) {
        return outcome.isRefused(Refusal.NOT_FOUND) ? Outcome.done() : outcome;
    }

    private static Path parentOf(Path path) {
        return Optional.ofNullable(path.getParent()).orElse(path);
    }

    private static String nameOf(Path path) {
        return Optional.ofNullable(path.getFileName()).orElse(path).toString();
    }
}

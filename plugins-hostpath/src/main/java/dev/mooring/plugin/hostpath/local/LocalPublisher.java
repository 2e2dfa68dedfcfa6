// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.PublishedMount;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BindOptions;
import dev.mooring.storage.spi.host.BindOptionsBuilder;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Shows a directory, or the staged file system of a device, to a pod. */
final class LocalPublisher {
    private final OperationContext context;
    private final DiskAdmission admission;

    LocalPublisher(OperationContext context, LocalSettings settings) {
        this.context = context;
        this.admission = new DiskAdmission(context, settings);
    }

    Outcome<PluginState> publish(PublishRequest request) {
        VolumeSpec volume = request.volume();
        if (volume.mode() == VolumeMode.BLOCK) {
            return Outcome.refused(Refusal.INCOMPATIBLE, "the volume is a block device and cannot be mounted");
        }
        return admission.use(
                volume,
                located -> located.device().isPresent()
                        ? staged(request, located.device().get()).map(PublishedMount::state)
                        : options(volume.mountOptions()).then(options -> directory(located, request, options)));
    }

    private Outcome<PluginState> directory(LocatedVolume located, PublishRequest request, BindOptions options) {
        return located.pinned()
                .facts()
                .then(facts -> show(located.pinned(), located.path(), request, options)
                        .map(entry -> PublishedMount.state(entry, facts.identity())));
    }

    private Outcome<MountEntry> staged(PublishRequest request, BlockDevice device) {
        Optional<Path> staging = request.stagingPath();
        if (staging.isEmpty()) {
            return Outcome.deferred("the volume's device is not prepared");
        }
        return context.host()
                .mounts()
                .mountedIn(staging.get())
                .then(mounted -> mounted.top(staging.get())
                                .filter(entry -> LocalDevices.shows(context, entry, device))
                                .isPresent()
                        ? context.host().files().open(staging.get(), LinkRule.REFUSE)
                        : Outcome.deferred(
                                "the file system of " + device.path() + " is not mounted at " + staging.get()))
                .then(root -> {
                    try (root) {
                        return show(root, staging.get(), request, BindOptions.PLAIN);
                    }
                });
    }

    private Outcome<MountEntry> show(PinnedPath source, Path path, PublishRequest request, BindOptions options) {
        return context.host().mounts().mountedIn(path).then(mounted -> {
            List<MountEntry> hidden = mounted.below(path);
            if (!hidden.isEmpty()) {
                context.report(Notice.warning(
                        "MountsNotShown",
                        "mounts in the volume are not shown to the pod: "
                                + hidden.stream()
                                        .limit(5)
                                        .map(entry -> entry.mountPoint().toString())
                                        .collect(Collectors.joining(", "))));
            }
            boolean readOnly = request.readOnly() || options.readOnly();
            return context.host().mounts().bind(source, request.target(), options.readOnly(readOnly));
        });
    }

    /** The options of a directory's mount: only what a second view of a mounted file system can have of its own. */
    static Outcome<BindOptions> options(List<String> wanted) {
        boolean readOnly = false;
        boolean noSetuid = false;
        boolean noDevices = false;
        boolean noExecution = false;
        for (String option : wanted) {
            switch (option) {
                case "ro", "rw" -> readOnly = option.equals("ro");
                case "nosuid", "suid" -> noSetuid = option.equals("nosuid");
                case "nodev", "dev" -> noDevices = option.equals("nodev");
                case "noexec", "exec" -> noExecution = option.equals("noexec");
                case "defaults" -> {}
                default -> {
                    return Outcome.refused(
                            Refusal.INVALID, "a directory cannot be shown with mount option '" + option + "'");
                }
            }
        }
        return Outcome.done(BindOptionsBuilder.builder()
                .readOnly(readOnly)
                .noSetuid(noSetuid)
                .noDevices(noDevices)
                .noExecution(noExecution)
                .build());
    }

    Outcome<Nothing> unpublish(VolumeId volume, Path target, PluginState state) {
        return PublishedMount.unmount(context, target, state, () -> expectationFromPath(volume, target));
    }

    /** The answer to publish was lost: what is mounted is ours if it shows what the volume's path leads to. */
    private Outcome<MountExpectation> expectationFromPath(VolumeId volume, Path target) {
        return context.host().mounts().table().then(table -> {
            Optional<MountEntry> there = table.top(target);
            if (there.isEmpty()) {
                return Outcome.done(MountExpectation.nothing());
            }
            return new Locator(context)
                    .locate(Path.of(volume.backend()))
                    .then(located -> {
                        try (located) {
                            return located.device().isPresent()
                                    ? Outcome.done(LocalDevices.shows(
                                            context,
                                            there.get(),
                                            located.device().get()))
                                    : sameDirectory(target, located);
                        }
                    })
                    .then(ours -> ours
                            ? Outcome.done(MountExpectation.of(there.get(), false))
                            : PublishedMount.unproven(there.get()));
        });
    }

    private Outcome<Boolean> sameDirectory(Path target, LocatedVolume located) {
        return context.host().files().open(target, LinkRule.REFUSE).then(shown -> {
            try (shown) {
                return shown.facts()
                        .then(one -> located.pinned()
                                .facts()
                                .map(other -> one.identity().equals(other.identity())));
            }
        });
    }
}

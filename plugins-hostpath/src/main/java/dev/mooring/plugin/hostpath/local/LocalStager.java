// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.PublishedMount;
import dev.mooring.plugin.support.VolumeOptions;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.FileSystemRequestBuilder;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.util.Optional;

/** Mounts the file system of a device once for all pods. A directory, and a device that is used as such, need nothing but the checks. */
final class LocalStager {
    /** Nothing was mounted. */
    static final PluginState UNMOUNTED = new PluginState(3, "");

    private final OperationContext context;
    private final DiskAdmission admission;
    private final WriteProtection protection;

    LocalStager(OperationContext context, LocalSettings settings) {
        this.context = context;
        this.admission = new DiskAdmission(context, settings);
        this.protection = new WriteProtection(context);
    }

    Outcome<PluginState> stage(StageRequest request) {
        VolumeSpec volume = request.volume();
        return VolumeOptions.formatPolicy(volume)
                .then(policy -> admission.use(volume, located -> {
                    if (located.device().isEmpty()) {
                        return volume.mode() == VolumeMode.BLOCK ? noDevice(located.path()) : Outcome.done(UNMOUNTED);
                    }
                    return volume.mode() == VolumeMode.BLOCK
                            ? unused(located.device().get())
                                    .then(nothing -> protection.lift(located))
                                    .map(device -> UNMOUNTED)
                            : mount(request, located, policy);
                }));
    }

    static <T> Outcome<T> noDevice(Path path) {
        return Outcome.refused(Refusal.INCOMPATIBLE, path + " is a directory, but a block device was asked for");
    }

    private Outcome<PluginState> mount(StageRequest request, LocatedVolume located, FormatPolicy policy) {
        return context.host().mounts().table().then(table -> {
            boolean mounted = table.top(request.stagingPath()).isPresent();
            return (mounted ? Outcome.done(located.device()) : prepared(located, request.readOnly()))
                    .then(device -> context.host()
                            .fileSystems()
                            .mount(
                                    context,
                                    device.orElseThrow(),
                                    request.stagingPath(),
                                    FileSystemRequestBuilder.builder()
                                            .type(LocalSources.fsType(request.volume()))
                                            .policy(policy)
                                            .readOnly(request.readOnly())
                                            .options(request.volume().mountOptions())
                                            .leastBytes(VolumeOptions.capacityBytes(request.volume()))
                                            .notes(context.notes())
                                            .build()))
                    .map(PublishedMount::state);
        });
    }

    /** The device as it is to be mounted; one that is mounted read-only is made so, too. */
    private Outcome<Optional<BlockDevice>> prepared(LocatedVolume located, boolean readOnly) {
        return unused(located.device().orElseThrow())
                .then(nothing ->
                        readOnly ? protection.note(located).map(noted -> located.device()) : protection.lift(located));
    }

    private Outcome<Nothing> unused(BlockDevice device) {
        return LocalDevices.unused(context, device);
    }

    Outcome<Nothing> unstage(VolumeId volume, Path stagingPath, PluginState state) {
        return state.equals(UNMOUNTED)
                ? context.host().mounts().unmount(context, stagingPath, MountExpectation.nothing(), UnmountForce.NONE)
                : PublishedMount.unmount(context, stagingPath, state, () -> expectationFromPath(volume, stagingPath))
                        .then(nothing -> writableAgain(Path.of(volume.backend())));
    }

    /** Does not hold up the volume's end: what cannot be done now, such as with a disk that has gone, is done before its next use. */
    private Outcome<Nothing> writableAgain(Path path) {
        Outcome<?> lifted = new Locator(context).locate(path).then(located -> {
            try (located) {
                return protection.lift(located);
            }
        });
        if (!lifted.isDone()) {
            context.report(
                    Notice.warning("DeviceMayBeReadOnly", path + " may still be read-only: " + lifted.message()));
        }
        return Outcome.done();
    }

    /** The answer to stage was lost: what is mounted is ours if it is the file system of the volume's device. */
    private Outcome<MountExpectation> expectationFromPath(VolumeId volume, Path stagingPath) {
        return context.host().mounts().table().then(table -> {
            Optional<MountEntry> there = table.top(stagingPath);
            if (there.isEmpty()) {
                return Outcome.done(MountExpectation.nothing());
            }
            return context.host()
                    .blockDevices()
                    .find(Path.of(volume.backend()))
                    .then(device -> LocalDevices.shows(context, there.get(), device)
                            ? Outcome.done(MountExpectation.of(there.get(), false))
                            : PublishedMount.unproven(there.get()));
        });
    }
}

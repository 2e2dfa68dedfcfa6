// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.plugin.UnwatchedContext;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeNotes;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.FileSystemRequest;
import dev.mooring.storage.spi.host.FileSystemRequestBuilder;
import dev.mooring.storage.spi.host.FormatPolicy;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.volumemanager.calls.StageCall;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * How a stand-in prepares a volume that is a device with a file system for one node at a time: as the real ones, by the host's own {@link
 * dev.mooring.storage.spi.host.FileSystems}, which look at the device, make its file system if they may, and mount it. All that is not
 * real is the device, its tools and the kernel's mount.
 */
final class Preparing {
    private static final String USUAL = "ext4";
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Devices devices;
    private final InstantSource clock;
    private final Contents contents = new Contents();

    Preparing(Devices devices, InstantSource clock) {
        this.devices = devices;
        this.clock = clock;
    }

    Contents contents() {
        return contents;
    }

    /** Whether a call prepares such a volume. Storage that several nodes may have is no device with an own file system. */
    static Optional<StageCall> concerned(Call call) {
        return call instanceof StageCall stage
                        && stage.spec().mode() == VolumeMode.FILESYSTEM
                        && CsiSource.of(stage.spec().source()).isPresent()
                        && stage.record().stagingPath().isPresent()
                        && isForOneNode(stage.spec().accessModes())
                ? Optional.of(stage)
                : Optional.empty();
    }

    private static boolean isForOneNode(List<AccessMode> modes) {
        return !modes.contains(AccessMode.READ_WRITE_MANY) && !modes.contains(AccessMode.READ_ONLY_MANY);
    }

    /**
     * Prepares it.
     *
     * @param attached whether the back-end has attached it to the node, or need not
     * @param steps the machine
     * @return the mount, or why there is none
     */
    Outcome<MountEntry> prepare(StageCall call, boolean attached, Workbench.Steps steps) {
        VolumeSpec volume = call.spec();
        Disk disk = contents.of(volume);
        Workbench bench = new Workbench(disk, volume.name(), attached, steps);
        Path target = call.record().stagingPath().orElseThrow();
        boolean readOnly = call.record().readOnly();
        FileSystemRequest wanted = FileSystemRequestBuilder.builder()
                .type(type(volume))
                .policy(readOnly ? FormatPolicy.NEVER : FormatPolicy.IF_BLANK)
                .readOnly(readOnly)
                .options(volume.mountOptions())
                .leastBytes(0)
                .notes(disk.notesOf(volume.uid()))
                .build();
        return devices.fileSystems(
                        Machinery.devices(bench), Machinery.mounts(bench, target), bench, device -> bench.head())
                .mount(new Context(call, clock, wanted.notes()), bench.device(), target, wanted);
    }

    private static String type(VolumeSpec volume) {
        return CsiSource.of(volume.source())
                .map(CsiSource::fsType)
                .filter(type -> !type.isEmpty())
                .orElse(USUAL);
    }

    /** One call on one machine. */
    private record Context(StageCall call, InstantSource clock, VolumeNotes notes) implements UnwatchedContext {
        @Override
        public NodeRef here() {
            return call.onNode();
        }

        @Override
        public Instant deadline() {
            return clock.instant().plus(LIMIT);
        }

        @Override
        public String idempotencyKey() {
            return call.volume() + " " + call.spec().uid();
        }

        @Override
        public HostServices host() {
            return HostServices.none();
        }
    }
}

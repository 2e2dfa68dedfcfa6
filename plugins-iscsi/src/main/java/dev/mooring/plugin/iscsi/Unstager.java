// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Notice;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.MountExpectation;
import dev.mooring.storage.spi.host.MountExpectationBuilder;
import dev.mooring.storage.spi.host.UnmountForce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a volume away from this node (semantics/plugins §3.6). The order is what keeps data: nothing is removed below something that is
 * still there. Every step may be repeated, so that after a crash all of them are done again.
 */
final class Unstager {
    private static final Duration DISAPPEARANCE = Duration.ofSeconds(10);

    private final IscsiCall call;
    private final BlockDevices devices;

    Unstager(IscsiCall call) {
        this.call = call;
        this.devices = call.host().blockDevices();
    }

    Outcome<Nothing> unstage(VolumeId volume, Path stagingPath, PluginState state) {
        StagedLedger ledger = new StagedLedger(call.host());
        return ledger.find(volume)
                .then(entry -> entry.isPresent()
                        ? Outcome.done(entry)
                        // an entry stands as long as a login may come true
                        : Staged.read(state).map(staged -> staged.map(Staged::withoutDoubts)))
                .then(known -> unstage(volume, stagingPath, known));
    }

    Outcome<Nothing> unstage(VolumeId volume, Path stagingPath, Optional<Staged> known) {
        return unmount(stagingPath, known)
                .then(nothing -> known.isEmpty()
                        // the writing of the first entry may have been cut off
                        ? new StagedLedger(call.host()).remove(volume)
                        : call.withTarget(known.get().iqn(), () -> takeAway(volume, known.get())));
    }

    /** Until now another volume that was going may have left it a session. */
    private Outcome<Nothing> takeAway(VolumeId volume, Staged known) {
        return new StagedLedger(call.host())
                .find(volume)
                .map(entry -> entry.map(known::withPortalsOf).orElse(known))
                .then(staged -> takeAllAway(volume, staged));
    }

    private Outcome<Nothing> unmount(Path stagingPath, Optional<Staged> known) {
        MountExpectation expected = known.map(Staged::mount)
                .filter(device -> !device.isEmpty())
                .map(Unstager::ofDevice)
                // nothing was mounted: whatever is there, is not ours
                .orElseGet(() -> MountExpectation.nothing());
        return known.map(staged -> KubeletNote.remove(call, stagingPath, staged))
                .orElseGet(Outcome::done)
                .then(nothing ->
                        call.host().mounts().unmount(call.context(), stagingPath, expected, UnmountForce.NONE));
    }

    private static MountExpectation ofDevice(String number) {
        return MountExpectationBuilder.builder().device(number).build();
    }

    private Outcome<Nothing> takeAllAway(VolumeId volume, Staged staged) {
        return Disks.of(call, staged)
                .then(paths -> map(paths)
                        .then(map -> map.isPresent() ? Outcome.done(map) : new Multipath(call).left(staged))
                        .then(map -> release(staged, paths, map)))
                .then(nothing -> new Disconnector(call).disconnect(volume, staged))
                .then(nothing -> new StagedLedger(call.host()).remove(volume));
    }

    private Outcome<Optional<BlockDevice>> map(List<BlockDevice> paths) {
        return Steps.first(paths, devices::multipathMap);
    }

    private Outcome<Nothing> release(Staged staged, List<BlockDevice> paths, Optional<BlockDevice> map) {
        List<BlockDevice> top = map.map(List::of).orElse(paths);
        return Steps.each(top, this::unused)
                .then(nothing -> Disks.givenUp(call, paths))
                .then(dead -> flush(staged, paths, map, dead))
                .then(nothing -> new Reservations(call).release(staged, paths))
                .then(nothing -> Steps.each(map.stream().toList(), new Multipath(call)::flush))
                .then(nothing -> Steps.each(paths, this::unused))
                .then(nothing -> Steps.each(paths, path -> devices.remove(call.context(), path)))
                .then(nothing -> gone(staged, paths));
    }

    /**
     * Writes out what the kernel holds. Through a disk that the kernel has given up nothing can be written any more, and keeping the volume
     * would bring nothing back.
     */
    private Outcome<Nothing> flush(
            Staged staged, List<BlockDevice> paths, Optional<BlockDevice> map, List<BlockDevice> dead) {
        List<BlockDevice> alive =
                paths.stream().filter(path -> !dead.contains(path)).toList();
        boolean noWay = alive.isEmpty() && (map.isPresent() || !dead.isEmpty());
        boolean lost = noWay || dead.stream().anyMatch(path -> path.number().equals(staged.mount()));
        if (lost) {
            call.context()
                    .report(Notice.warning(
                            "DirtyDataLost",
                            "the target " + staged.iqn() + " does not answer; what was written last to unit "
                                    + staged.lun() + " and not yet flushed is lost"));
        }
        return Steps.each(alive.isEmpty() ? List.of() : map.stream().toList(), this::flush)
                .then(nothing -> Steps.each(alive, this::flush));
    }

    private Outcome<Nothing> unused(BlockDevice device) {
        return devices.users(call.context(), device)
                .then(users -> users.isEmpty()
                        ? Outcome.done()
                        : Outcome.refused(Refusal.IN_USE, device.path() + " is used: " + String.join(", ", users)));
    }

    private Outcome<Nothing> flush(BlockDevice device) {
        return devices.flush(call.context(), device);
    }

    private Outcome<Nothing> gone(Staged staged, List<BlockDevice> removed) {
        List<String> names = removed.stream().map(BlockDevice::name).toList();
        return call.await(
                        DISAPPEARANCE,
                        () -> Disks.of(call, staged)
                                .map(left -> left.stream().noneMatch(disk -> names.contains(disk.name()))
                                        ? Optional.of(Nothing.NOTHING)
                                        : Optional.empty()))
                .then(gone ->
                        gone.map(Outcome::done).orElseGet(() -> Outcome.uncertain("the kernel still has " + names)));
    }
}

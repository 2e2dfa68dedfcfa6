// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the device of a volume that is staged here. */
final class Mapper {
    private final IscsiCall call;

    Mapper(IscsiCall call) {
        this.call = call;
    }

    /**
     * The devices of a staged volume.
     *
     * @param staged what is known of it
     * @param paths its disks
     * @param map the map over them, if there is one
     */
    record Devices(Staged staged, List<BlockDevice> paths, Optional<BlockDevice> map) {
        /** What is used: what was given out before, or else the map, or else the path. */
        BlockDevice top() {
            return Stream.concat(map.stream(), paths.stream())
                    .filter(device -> device.number().equals(staged.mount()))
                    .findFirst()
                    .or(() -> map)
                    .orElseGet(() -> paths.get(0));
        }
    }

    /** That of the paths and the maps over them which has a number. */
    static Outcome<Optional<BlockDevice>> numbered(IscsiCall call, List<BlockDevice> paths, String number) {
        return Steps.collect(paths, call.host().blockDevices()::multipathMap)
                .map(maps -> Stream.concat(maps.stream().flatMap(Optional::stream), paths.stream())
                        .filter(device -> device.number().equals(number))
                        .findFirst());
    }

    Outcome<Devices> find(VolumeId volume) {
        return new StagedLedger(call.host())
                .find(volume)
                .then(entry ->
                        entry.isEmpty() ? Outcome.deferred(volume + " is not staged on this node") : find(entry.get()));
    }

    private Outcome<Devices> find(Staged staged) {
        BlockDevices devices = call.host().blockDevices();
        return Disks.of(call, staged)
                .map(found ->
                        found.stream().filter(disk -> isSame(staged, disk)).toList())
                .then(paths -> paths.isEmpty()
                        ? Outcome.deferred("unit " + staged.lun() + " of " + staged.iqn() + " is not there")
                        : Steps.first(paths, devices::multipathMap).map(map -> new Devices(staged, paths, map)));
    }

    private static boolean isSame(Staged staged, BlockDevice disk) {
        return staged.wwid().isEmpty()
                || disk.wwid().filter(staged.wwid()::equals).isPresent();
    }
}

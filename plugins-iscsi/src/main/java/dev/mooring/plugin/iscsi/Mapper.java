// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import java.util.List;
import java.util.Optional;

/** Finds the device of a volume that is staged here. */
final class Mapper {
    private final Call call;

    Mapper(Call call) {
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
        /** What is used: the map, or the path. */
        BlockDevice top() {
            return map.orElseGet(() -> paths.get(0));
        }
    }

    Outcome<Devices> find(VolumeId volume) {
        return new Ledger(call.host())
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

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Lets the node see that a unit became larger: every path, then the map, then the file system (semantics/plugins §3.7). */
final class Expander {
    private static final Duration RESIZE = Duration.ofSeconds(30);

    private final IscsiCall call;

    Expander(IscsiCall call) {
        this.call = call;
    }

    Outcome<Quantity> expand(VolumeId id, VolumeSpec volume, Path path, Quantity wanted) {
        return new Mapper(call)
                .find(id)
                .then(devices -> rescanned(devices)
                        .then(bytes -> large(devices.staged(), bytes, wanted))
                        .then(bytes -> device(devices, bytes))
                        .then(device -> noted(id, devices.staged(), device)
                                .then(nothing -> volume.mode() == VolumeMode.BLOCK
                                        ? Outcome.done(device.sizeBytes())
                                        // whole blocks are a little less than the device, and the volume is the device
                                        : call.host()
                                                .fileSystems()
                                                .grow(call.context(), device, path)
                                                .map(bytes -> device.sizeBytes()))))
                .map(Quantity::ofBytes);
    }

    /** One by one, since asking a whole session would also bring in units that are not ours. */
    private Outcome<Long> rescanned(Mapper.Devices devices) {
        return Steps.collect(devices.paths(), path -> call.host().blockDevices().rescan(call.context(), path))
                .then(paths -> {
                    List<Long> sizes = paths.stream()
                            .map(BlockDevice::sizeBytes)
                            .distinct()
                            .toList();
                    return sizes.size() == 1
                            ? Outcome.done(sizes.get(0))
                            : Outcome.uncertain("the paths do not agree on the size: " + sizes);
                });
    }

    private static Outcome<Long> large(Staged staged, long bytes, Quantity wanted) {
        if (bytes < staged.bytes()) {
            return Outcome.refused(
                    Refusal.CORRUPT, "the unit has " + bytes + " bytes now, but had " + staged.bytes() + " before");
        }
        return Quantity.ofBytes(bytes).compareTo(wanted) < 0
                ? Outcome.deferred("the unit has " + bytes + " bytes, fewer than the " + wanted + " wanted")
                : Outcome.done(bytes);
    }

    private Outcome<BlockDevice> device(Mapper.Devices devices, long bytes) {
        BlockDevice top = devices.top();
        if (devices.map().isEmpty() || top.sizeBytes() == bytes) {
            return call.host().blockDevices().named(top.name());
        }
        return new Multipath(call)
                .name(top)
                .then(name -> call.host()
                        .processes()
                        .run(
                                call.context(),
                                Command.change(name, RESIZE, "multipathd", List.of("resize", "map", name))))
                .then(result -> call.host().blockDevices().named(top.name()))
                .then(now -> now.sizeBytes() == bytes
                        ? Outcome.done(now)
                        : Outcome.uncertain("the map has " + now.sizeBytes() + " bytes, its paths have " + bytes));
    }

    private Outcome<BlockDevice> noted(VolumeId id, Staged staged, BlockDevice device) {
        StagedLedger ledger = new StagedLedger(call.host());
        return call.withLedger(() -> ledger.find(id)
                        .then(now -> ledger.put(id, now.orElse(staged).withDisk(staged.wwid(), device.sizeBytes()))))
                .map(nothing -> device);
    }
}

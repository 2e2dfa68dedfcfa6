// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Function;

/** Looks into the places of {@link DirectReader}, by a helper process that reads devices for us: to a place where something is, not to its byte. */
public final class AskingReader implements DeviceReader {
    private final BlockDevices devices;
    private final Function<BlockDevice, Outcome<byte[]>> heads;

    public AskingReader(BlockDevices devices, Function<BlockDevice, Outcome<byte[]>> heads) {
        this.devices = devices;
        this.heads = heads;
    }

    @Override
    public Outcome<byte[]> head(OperationContext context, BlockDevice device, int length) {
        return heads.apply(device).map(head -> head.length > length ? Arrays.copyOf(head, length) : head);
    }

    @Override
    public Outcome<OptionalLong> firstOther(OperationContext context, BlockDevice device) {
        return devices.named(device.name()).then(now -> {
            if (now.sizeBytes() != device.sizeBytes() || now.sizeBytes() == 0) {
                return Outcome.deferred(
                        device.path() + " has " + now.sizeBytes() + " bytes, not " + device.sizeBytes());
            }
            for (DirectReader.Range place : DirectReader.places(device.sizeBytes())) {
                Outcome<OptionalLong> found = look(context, device, place);
                if (!found.equals(Outcome.done(OptionalLong.empty()))) {
                    return found;
                }
            }
            return Outcome.done(OptionalLong.empty());
        });
    }

    private Outcome<OptionalLong> look(OperationContext context, BlockDevice device, DirectReader.Range place) {
        long whole = (place.length() + DirectReader.BLOCK - 1) / DirectReader.BLOCK * DirectReader.BLOCK;
        return devices.isZero(context, device, place.start(), whole)
                .map(zero -> zero ? OptionalLong.empty() : OptionalLong.of(place.start()));
    }
}

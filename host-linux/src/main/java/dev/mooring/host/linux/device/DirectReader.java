// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.kernel.BoundedCalls;
import dev.mooring.host.linux.kernel.Descriptor;
import dev.mooring.host.linux.kernel.DeviceCalls;
import dev.mooring.host.linux.kernel.Kernel;
import dev.mooring.host.linux.kernel.KernelException;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Reads the first and the last 2 MiB and the places where ext file systems keep copies of their superblock. */
public final class DirectReader implements DeviceReader {
    static final long BLOCK = 4096;
    private static final long EDGE = 2 << 20;
    /** 8193 KiB, 32 MiB and 128 MiB: the first copy for blocks of 1, 2 and 4 KiB. */
    private static final List<Long> COPIES = List.of(8193L << 10, 32L << 20, 128L << 20);

    private final Kernel kernel;
    private final DeviceCalls devices;
    private final BoundedCalls bounded;

    public DirectReader(Kernel kernel, BoundedCalls bounded) {
        this.kernel = kernel;
        this.devices = new DeviceCalls(kernel);
        this.bounded = bounded;
    }

    /**
     * A part of a device.
     *
     * @param start a multiple of the block size
     */
    public record Range(long start, int length) {}

    /** The places of a device of a size; none begins behind its end. */
    public static List<Range> places(long size) {
        List<Range> places = new ArrayList<>();
        long head = Math.min(EDGE, size);
        places.add(new Range(0, (int) head));
        COPIES.stream()
                .filter(copy -> copy + BLOCK <= size)
                .map(copy -> new Range(copy / BLOCK * BLOCK, (int) (2 * BLOCK)))
                .map(range -> new Range(range.start, (int) Math.min(range.length, size - range.start)))
                .forEach(places::add);
        long tail = Math.max(head, size - EDGE) / BLOCK * BLOCK;
        if (size > head) {
            places.add(new Range(tail, (int) (size - tail)));
        }
        return places;
    }

    @Override
    public Outcome<OptionalLong> firstOther(OperationContext context, BlockDevice device) {
        return opened(context, device, (opened, size) -> {
            for (Range place : places(size)) {
                Outcome<OptionalLong> found = look(opened, device, place);
                if (!found.equals(Outcome.done(OptionalLong.empty()))) {
                    return found;
                }
            }
            return Outcome.done(OptionalLong.empty());
        });
    }

    @Override
    public Outcome<byte[]> head(OperationContext context, BlockDevice device, int length) {
        return opened(
                context, device, (opened, size) -> read(opened, device, new Range(0, (int) Math.min(length, size))));
    }

    /** Something that is read of an open device of a size in bytes. */
    private interface Reading<T> {
        Outcome<T> read(Descriptor opened, long size) throws KernelException;
    }

    private <T> Outcome<T> opened(OperationContext context, BlockDevice device, Reading<T> reading) {
        return bounded.call(context, "device " + device.name(), "the reading of " + device.path(), () -> {
            int flags = Kernel.O_RDONLY | kernel.directFlag();
            try (Descriptor opened = devices.open(Kernel.name(device.path()), flags)) {
                long size = devices.size(opened);
                if (size != device.sizeBytes() || size == 0) {
                    return Outcome.deferred(device.path() + " has " + size + " bytes, not " + device.sizeBytes());
                }
                return reading.read(opened, size);
            } catch (KernelException e) {
                return Outcome.deferred(device.path() + " cannot be read: " + e.getMessage());
            }
        });
    }

    private Outcome<OptionalLong> look(Descriptor opened, BlockDevice device, Range place) throws KernelException {
        return read(opened, device, place).map(content -> {
            OptionalLong other = LongStream.range(0, place.length)
                    .filter(i -> content[(int) i] != 0)
                    .findFirst();
            return other.isPresent() ? OptionalLong.of(place.start + other.getAsLong()) : other;
        });
    }

    private Outcome<byte[]> read(Descriptor opened, BlockDevice device, Range place) throws KernelException {
        int whole = (int) ((place.length + BLOCK - 1) / BLOCK * BLOCK);
        byte[] content = devices.readDirect(opened, place.start, whole);
        return content.length < place.length
                ? Outcome.deferred(
                        device.path() + " gave " + content.length + " of " + place.length + " bytes at " + place.start)
                : Outcome.done(content);
    }
}

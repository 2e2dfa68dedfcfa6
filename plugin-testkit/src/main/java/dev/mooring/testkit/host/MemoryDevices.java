// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDeviceBuilder;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Loop devices in memory, over files in memory. They have numbers and names, and nothing can be read from them. */
final class MemoryDevices implements BlockDevices {
    private static final String LOOP = "loop";
    private static final int MAJOR = 7;

    private final MemoryDisk disk;
    private final Path directory;
    private final Map<Integer, Path> loops = new TreeMap<>();
    private final Map<Integer, Boolean> readOnly = new TreeMap<>();

    MemoryDevices(MemoryDisk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
    }

    /** There are none any more. */
    void forget() {
        synchronized (disk) {
            loops.clear();
            readOnly.clear();
        }
    }

    /** One line for each device. */
    List<String> lines() {
        synchronized (disk) {
            return loops.entrySet().stream()
                    .map(loop -> "device " + LOOP + loop.getKey() + " over " + loop.getValue())
                    .toList();
        }
    }

    private BlockDevice device(int number, Path file) {
        long size = disk.find(file, LinkRule.REFUSE)
                .result()
                .map(place -> (long) place.node().content.length)
                .orElse(0L);
        return BlockDeviceBuilder.builder()
                .name(LOOP + number)
                .path(directory.resolve(LOOP + number))
                .number(MAJOR + ":" + number)
                .sizeBytes(size)
                .readOnly(readOnly.getOrDefault(number, false))
                .build();
    }

    @Override
    public Outcome<BlockDevice> find(Path path) {
        return path.startsWith(directory)
                ? named(String.valueOf(path.getFileName()))
                : Outcome.refused(Refusal.NOT_FOUND, "no device at " + path);
    }

    @Override
    public Outcome<BlockDevice> named(String name) {
        synchronized (disk) {
            return loops.entrySet().stream()
                    .filter(loop -> name.equals(LOOP + loop.getKey()))
                    .findFirst()
                    .map(loop -> Outcome.done(device(loop.getKey(), loop.getValue())))
                    .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "no device " + name));
        }
    }

    @Override
    public Outcome<List<String>> users(OperationContext context, BlockDevice device) {
        return named(device.name()).map(found -> List.of());
    }

    @Override
    public Outcome<Nothing> flush(OperationContext context, BlockDevice device) {
        return named(device.name()).map(found -> Nothing.NOTHING);
    }

    @Override
    public Outcome<Nothing> setReadOnly(OperationContext context, BlockDevice device, boolean wanted) {
        synchronized (disk) {
            return named(device.name()).map(found -> {
                readOnly.put(Integer.valueOf(found.name().substring(LOOP.length())), wanted);
                return Nothing.NOTHING;
            });
        }
    }

    @Override
    public Outcome<BlockDevice> rescan(OperationContext context, BlockDevice device) {
        return named(device.name());
    }

    @Override
    public Outcome<Nothing> remove(OperationContext context, BlockDevice device) {
        return Outcome.refused(Refusal.UNSUPPORTED, device.name() + " is no SCSI device");
    }

    @Override
    public Outcome<Optional<BlockDevice>> multipathMap(BlockDevice path) {
        return Outcome.done(Optional.empty());
    }

    @Override
    public Outcome<BlockDevice> attachLoop(OperationContext context, Path file) {
        synchronized (disk) {
            return disk.find(file, LinkRule.REFUSE)
                    .then(place -> place.node().kind == FileKind.FILE
                            ? Outcome.done(device(numberOf(place.path()), place.path()))
                            : Outcome.refused(Refusal.INCOMPATIBLE, file + " is no file"));
        }
    }

    /** The number of a file's device, which it gets if it has none. */
    private int numberOf(Path file) {
        int free = 0;
        while (loops.containsKey(free) && !loops.get(free).equals(file)) {
            free++;
        }
        int next = free;
        int number = loops.entrySet().stream()
                .filter(loop -> loop.getValue().equals(file))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(next);
        loops.put(number, file);
        return number;
    }

    @Override
    public Outcome<Nothing> detachLoop(OperationContext context, Path file) {
        synchronized (disk) {
            List<Integer> gone = loops.entrySet().stream()
                    .filter(loop -> loop.getValue().equals(file))
                    .map(Map.Entry::getKey)
                    .toList();
            gone.forEach(loops::remove);
            gone.forEach(readOnly::remove);
            return Outcome.done();
        }
    }
}

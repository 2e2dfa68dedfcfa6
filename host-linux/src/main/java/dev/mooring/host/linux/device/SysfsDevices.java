// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.device;

import dev.mooring.host.linux.kernel.Elements;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDeviceBuilder;
import dev.mooring.storage.spi.host.Sysfs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What {@code /sys} tells of block devices; nothing here touches a device (semantics/plugins §1.7). */
final class SysfsDevices {
    private static final long SECTOR = 512;
    private static final String MULTIPATH = "mpath-";
    private static final Path BLOCK = Path.of("/sys/class/block");

    private final Sysfs sysfs;

    SysfsDevices(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /** The directory of a device; of a partition too. */
    static Path directory(String name) {
        return BLOCK.resolve(name.replace('/', '!'));
    }

    Outcome<BlockDevice> named(String name) {
        if (!Elements.isName(name.replace('/', '!'))) {
            return Outcome.refused(Refusal.INVALID, "'" + name + "' is no name of a device");
        }
        Path directory = directory(name);
        return text(directory.resolve("dev"))
                .then(number -> number.<Outcome<BlockDevice>>map(found -> facts(name, directory, found))
                        .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "there is no block device " + name)));
    }

    /** The device with a number, such as {@code 8:0}. */
    Outcome<BlockDevice> numbered(String number) {
        return sysfs.resolve(Path.of("/sys/dev/block", number))
                .then(found -> found.map(Path::getFileName)
                        .map(last -> named(last.toString().replace('!', '/')))
                        .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "there is no block device " + number)));
    }

    private Outcome<BlockDevice> facts(String name, Path directory, String number) {
        return text(directory.resolve("size"))
                .then(size -> text(directory.resolve("ro"))
                        .then(ro -> wwid(directory)
                                .map(wwid -> BlockDeviceBuilder.builder()
                                        .name(name)
                                        .path(Path.of("/dev").resolve(name))
                                        .number(number)
                                        .sizeBytes(
                                                size.map(SysfsDevices::sectors).orElse(0L) * SECTOR)
                                        .readOnly(ro.equals(Optional.of("1")))
                                        .wwid(wwid)
                                        .build())));
    }

    private static long sectors(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException strange) {
            return 0;
        }
    }

    /** A path and the map over it have one identity, however it is written. */
    private Outcome<Optional<String>> wwid(Path directory) {
        return text(directory.resolve("dm/uuid"))
                .then(uuid -> uuid.isPresent()
                        ? Outcome.done(uuid.flatMap(SysfsDevices::identityOfMap))
                        : text(directory.resolve("device/wwid"))
                                .then(scsi -> scsi.isPresent()
                                        ? Outcome.done(scsi)
                                        // an NVMe namespace has it beside its size
                                        : text(directory.resolve("wwid"))));
    }

    /** multipath writes the type of the identity as one digit: 3 for NAA, 2 for EUI-64. */
    private static Optional<String> identityOfMap(String uuid) {
        if (!uuid.startsWith(MULTIPATH)) {
            return Optional.empty();
        }
        String identity = uuid.substring(MULTIPATH.length());
        boolean hexadecimal = identity.matches("[23][0-9a-f]{16,32}");
        if (!hexadecimal) {
            return Optional.of(identity);
        }
        return Optional.of((identity.charAt(0) == '3' ? "naa." : "eui.") + identity.substring(1));
    }

    /** The device and its partitions. */
    Outcome<List<String>> withPartitions(String name) {
        Path directory = directory(name);
        return sysfs.list(directory).then(names -> {
            List<String> all = new ArrayList<>(List.of(name));
            for (String entry : names) {
                Outcome<Optional<String>> partition =
                        text(directory.resolve(entry).resolve("partition"));
                if (!partition.isDone()) {
                    return partition.map(nothing -> List.of());
                }
                if (partition.result().flatMap(Function.identity()).isPresent()) {
                    all.add(entry.replace('!', '/'));
                }
            }
            return Outcome.done(List.copyOf(all));
        });
    }

    /** The map over a path, or the path itself if it is one; a mapping of another kind does not count (#128059). */
    Outcome<Optional<String>> multipathMap(String name) {
        return isMultipath(name)
                .then(itself -> itself
                        ? Outcome.done(Optional.of(name))
                        : sysfs.list(directory(name).resolve("holders")).then(this::firstMultipath));
    }

    private Outcome<Optional<String>> firstMultipath(List<String> holders) {
        for (String holder : holders) {
            Outcome<Boolean> multipath = isMultipath(holder);
            if (!multipath.equals(Outcome.done(false))) {
                return multipath.map(found -> Optional.of(holder));
            }
        }
        return Outcome.done(Optional.empty());
    }

    private Outcome<Boolean> isMultipath(String name) {
        return text(directory(name).resolve("dm/uuid"))
                .map(uuid -> uuid.map(text -> text.startsWith(MULTIPATH)).orElse(false));
    }

    private Outcome<Optional<String>> text(Path file) {
        return sysfs.read(file).map(text -> text.map(String::strip).filter(found -> !found.isEmpty()));
    }
}

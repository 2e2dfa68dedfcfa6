// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.Command;
import dev.mooring.storage.spi.host.Command.AtLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tools of each type of file system (semantics/plugins §1.5, §1.6). None of them is ever killed: half a file system is worse than a
 * slow one.
 */
final class FileSystemTools {
    /** No limit of its own: the wait ends with the caller's deadline, the tool goes on (P6). */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private static final Set<String> EXT = Set.of("ext2", "ext3", "ext4");

    private FileSystemTools() {}

    static boolean isExt(String type) {
        return EXT.contains(type);
    }

    /** Whether a file system that was found is mounted when another type was asked for: the ext4 driver is that of its ancestors too. */
    static boolean serves(String wanted, String found) {
        return wanted.equals(found) || (wanted.equals("ext4") && isExt(found));
    }

    /** Makes a file system with our identity. */
    static Outcome<Command> make(String type, String uuid, Path device) {
        String file = device.toString();
        return switch (type) {
            case "ext2", "ext3", "ext4" -> done("mkfs." + type, device, "-F", "-m0", "-U", uuid, file);
            case "xfs" -> done("mkfs.xfs", device, "-f", "-m", "uuid=" + uuid, file);
            case "btrfs" -> done("mkfs.btrfs", device, "-f", "-U", uuid, file);
            default ->
                Outcome.refused(Refusal.UNSUPPORTED, "a file system of type " + type + " is mounted here but not made");
        };
    }

    /** What repairs it before it is mounted; empty where the kernel does that itself. */
    static Optional<Command> check(String type, Path device) {
        return isExt(type) ? Optional.of(change("e2fsck", device, List.of("-p", device.toString()))) : Optional.empty();
    }

    /** Grows it to the size of its device while it is mounted. */
    static Outcome<Command> grow(String type, Path device, Path mountPoint) {
        return switch (type) {
            case "ext2", "ext3", "ext4" -> done("resize2fs", device, device.toString());
            case "xfs" -> done("xfs_growfs", device, "-d", mountPoint.toString());
            case "btrfs" -> done("btrfs", device, "filesystem", "resize", "max", mountPoint.toString());
            default -> Outcome.refused(Refusal.UNSUPPORTED, "a file system of type " + type + " is not grown here");
        };
    }

    private static Outcome<Command> done(String tool, Path device, String... arguments) {
        return Outcome.done(change(tool, device, new ArrayList<>(List.of(arguments))));
    }

    private static Command change(String tool, Path device, List<String> arguments) {
        return Command.change(device.toString(), UNLIMITED, tool, arguments).withLimit(UNLIMITED, AtLimit.LEAVE);
    }
}

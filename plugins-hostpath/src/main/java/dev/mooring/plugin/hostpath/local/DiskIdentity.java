// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.FlatJson;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which disk or directory a volume is, whatever its path leads to by now (semantics/plugins §5.1).
 *
 * @param kind what it is
 * @param node the uid of the node that recorded it; empty where it is not known
 * @param inode the directory within its file system; empty for a device
 * @param disk the disk or file system: {@code wwid:…}, {@code serial:…}, {@code dm:…}, {@code md:…}, {@code partuuid:…}, {@code file:…} for
 *     a loop device, {@code uuid:…} of a mounted file system, the type and source of one without a device, or {@code none:…} with its path
 *     if nothing tells the device from another one
 * @param content the UUID of the file system on a device that nothing else tells from another one, {@link #NO_CONTENT} if there is none;
 *     empty if it does not matter or was not looked for
 */
record DiskIdentity(Kind kind, String node, String inode, String disk, String content) {
    /** The note on the volume. */
    static final String NOTE = "mooring.dev/local-identity";

    /** Written by a person: the directory has to be where a file system is mounted; which one is recorded at its first use. */
    static final String ANY_MOUNT = "mount";

    /** There is no file system on the device. */
    static final String NO_CONTENT = "none";

    private static final String NOTHING = "none:";
    private static final String BY_CONTENT = "uuid:";
    /** A map may have a name that a person chose; LVM and LUKS draw theirs. */
    private static final List<String> UNIQUE =
            List.of("wwid:", "serial:", BY_CONTENT, "partuuid:", "md:", "dm:LVM-", "dm:CRYPT-LUKS");

    /** A partition that is known by its disk. */
    private static final Pattern PARTITION = Pattern.compile("((?:wwid|serial|dm|md):.+)/[0-9]{1,3}");

    /** The kernel knows no more on one disk. */
    private static final int MOST_PARTITIONS = 255;

    private static final Pattern TEXT =
            Pattern.compile("kind=(mount|directory|device);node=([^;]*);inode=([0-9]*);(?:content=([^;]*);)?disk=(.+)");

    /** What a volume is. */
    enum Kind {
        /** A directory on which a file system is mounted. */
        MOUNT("mount"),
        /** A directory within a file system. */
        DIRECTORY("directory"),
        /** A block device. */
        DEVICE("device");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    static DiskIdentity ofDevice(String node, String disk) {
        return new DiskIdentity(Kind.DEVICE, node, "", FlatJson.safe(disk), "");
    }

    static DiskIdentity ofUnknownDevice(String node, String path) {
        return ofDevice(node, NOTHING + path);
    }

    static DiskIdentity ofDirectory(boolean mountPoint, String node, long inode, String disk) {
        return new DiskIdentity(
                mountPoint ? Kind.MOUNT : Kind.DIRECTORY, node, Long.toUnsignedString(inode), FlatJson.safe(disk), "");
    }

    DiskIdentity withContent(String found) {
        return new DiskIdentity(kind, node, inode, disk, FlatJson.safe(found));
    }

    /** Whether it could be told from another disk. */
    boolean isCertain() {
        return !disk.startsWith(NOTHING);
    }

    /** Whether no other machine could have it too: the name of a file, or of a mounted file system without a device, may be used again. */
    boolean isUnique() {
        return UNIQUE.stream().anyMatch(disk::startsWith);
    }

    /** Whether it is the same storage, by whichever record. */
    boolean sameStorage(DiskIdentity other) {
        return kind == other.kind && inode.equals(other.inode) && disk.equals(other.disk);
    }

    /** What is equal for equal storage and different for any other. */
    String key() {
        return kind.text + " " + inode + " " + disk;
    }

    /** The key of the disk of a partition that is known by it. */
    Optional<String> wholeKey() {
        Matcher partition = PARTITION.matcher(disk);
        return kind == Kind.DEVICE && partition.matches()
                ? Optional.of(kind.text + " " + inode + " " + partition.group(1))
                : Optional.empty();
    }

    /** The keys of what is on the same medium: of the disk of a partition, or of all partitions that a disk may have. */
    List<String> overlappingKeys() {
        if (kind != Kind.DEVICE) {
            return List.of();
        }
        return wholeKey()
                .map(List::of)
                .orElseGet(() -> IntStream.rangeClosed(1, MOST_PARTITIONS)
                        .mapToObj(number -> key() + "/" + number)
                        .toList());
    }

    /** A second key of a device, by which it is found under another path; empty unless a file system was looked for and is there. */
    Optional<String> contentKey() {
        return kind == Kind.DEVICE && !content.isEmpty() && !content.equals(NO_CONTENT)
                ? Optional.of(kind.text + " " + inode + " " + BY_CONTENT + content)
                : Optional.empty();
    }

    /** Reads what {@link #toString} wrote; empty for any other text. A device that was known by what it holds has no other name. */
    static Optional<DiskIdentity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String content = Optional.ofNullable(matcher.group(4)).orElse("");
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(matcher.group(1))) {
                String disk = matcher.group(5);
                boolean former = kind == Kind.DEVICE && disk.startsWith(BY_CONTENT);
                return Optional.of(
                        former
                                ? new DiskIdentity(
                                        kind, matcher.group(2), "", NOTHING, disk.substring(BY_CONTENT.length()))
                                : new DiskIdentity(kind, matcher.group(2), matcher.group(3), disk, content));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        String told = isCertain() || content.isEmpty() || content.equals(NO_CONTENT) ? "" : "content=" + content + ";";
        return "kind=" + kind.text + ";node=" + node + ";inode=" + inode + ";" + told + "disk=" + disk;
    }
}

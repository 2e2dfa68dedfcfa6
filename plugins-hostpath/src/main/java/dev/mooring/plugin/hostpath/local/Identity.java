// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.hostpath.Fields;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which disk or directory a volume is, whatever its path leads to by now (semantics/plugins §5.1).
 *
 * @param kind what it is
 * @param node the uid of the node that recorded it; empty where it is not known
 * @param inode the directory within its file system; empty for a device
 * @param disk the disk or file system: {@code wwid:…}, {@code uuid:…}, {@code file:…} for a loop device, the type and source of a file
 *     system without a device, or {@code none:…} if nothing tells the device from another one
 */
record Identity(Kind kind, String node, String inode, String disk) {
    /** The note on the volume. */
    static final String NOTE = "mooring.dev/local-identity";

    /** Written by a person: the directory has to be where a file system is mounted; which one is recorded at its first use. */
    static final String ANY_MOUNT = "mount";

    private static final String NOTHING = "none:";
    private static final Pattern TEXT =
            Pattern.compile("kind=(mount|directory|device);node=([^;]*);inode=([0-9]*);disk=(.+)");

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

    static Identity ofDevice(String node, String disk) {
        return new Identity(Kind.DEVICE, node, "", Fields.safe(disk));
    }

    static Identity ofUnknownDevice(String node, String path) {
        return ofDevice(node, NOTHING + path);
    }

    static Identity ofDirectory(boolean mountPoint, String node, long inode, String disk) {
        return new Identity(
                mountPoint ? Kind.MOUNT : Kind.DIRECTORY, node, Long.toUnsignedString(inode), Fields.safe(disk));
    }

    /** Whether it could be told from another disk. */
    boolean isCertain() {
        return !disk.startsWith(NOTHING);
    }

    /** Whether no other machine could have it too: the name of a file, or of a mounted file system without a device, may be used again. */
    boolean isUnique() {
        return disk.startsWith("wwid:") || disk.startsWith("serial:") || disk.startsWith("uuid:");
    }

    /** Whether it is the same storage, whoever recorded it. */
    boolean sameStorage(Identity other) {
        return kind == other.kind && inode.equals(other.inode) && disk.equals(other.disk);
    }

    /** What is equal for equal storage and different for any other. */
    String key() {
        return kind.text + " " + inode + " " + disk;
    }

    /** Reads what {@link #toString} wrote; empty for any other text. */
    static Optional<Identity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(matcher.group(1))) {
                return Optional.of(new Identity(kind, matcher.group(2), matcher.group(3), matcher.group(4)));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "kind=" + kind.text + ";node=" + node + ";inode=" + inode + ";disk=" + disk;
    }
}

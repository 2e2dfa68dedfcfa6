// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux.filesystem;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * What the first bytes of a device say of the file system on it (semantics/plugins §1.5). They are read from the medium itself, since a
 * cache of this node may be older than what another node has written. Offsets are those of {@code struct ext2_super_block}, {@code struct
 * xfs_dsb} and {@code struct btrfs_super_block}. Pure.
 *
 * @param type {@code ext}, {@code xfs} or {@code btrfs}; the versions of ext are not distinguished
 * @param uuid its identity, in lower case
 * @param life how far it has come
 */
record Superblock(String type, String uuid, Life life) {
    /** How many bytes at the start of a device are enough. */
    static final int LENGTH = 72 << 10;

    private static final int EXT = 1024;
    private static final int EXT_LENGTH = 1024;
    private static final int EXT_MAGIC = 0xef53;
    private static final int EXT_RECOVER = 0x4;

    private static final int XFS_LENGTH = 512;
    private static final int XFS_IN_PROGRESS = 126;

    private static final int BTRFS = 64 << 10;
    private static final int BTRFS_LENGTH = 4096;

    /** How far a file system has come. */
    enum Life {
        /** Its making has not come to its end: no kernel mounts it. */
        UNFINISHED,
        /** It may be whole, and was never mounted writable. */
        NEVER_MOUNTED,
        /** It is whole, and may have been mounted. */
        MAYBE_MOUNTED
    }

    /**
     * Reads the superblock.
     *
     * @param head the first {@link #LENGTH} bytes of the device; fewer if it is smaller
     * @return empty if there is no superblock of a type that is made here
     */
    static Optional<Superblock> read(byte[] head) {
        return xfs(head).or(() -> ext(head)).or(() -> btrfs(head));
    }

    /** Whether its UUID is that one, however it is written. */
    boolean is(String identity) {
        return uuid.equalsIgnoreCase(identity);
    }

    /** {@code mkfs.xfs} sets the flag in its first write of the superblock and clears it in the last one; no mount sets it. */
    private static Optional<Superblock> xfs(byte[] head) {
        if (head.length < XFS_LENGTH || !text(head, 0, 4).equals("XFSB")) {
            return Optional.empty();
        }
        Life life = head[XFS_IN_PROGRESS] == 0 ? Life.MAYBE_MOUNTED : Life.UNFINISHED;
        return Optional.of(new Superblock("xfs", uuid(head, 32), life));
    }

    /**
     * A mount that may write sets the time of the mount, and counts. A check resets the counter, but never the time. The log and the name
     * of the last mount point are looked at too, for a machine that has no clock.
     */
    private static Optional<Superblock> ext(byte[] head) {
        if (head.length < EXT + EXT_LENGTH) {
            return Optional.empty();
        }
        ByteBuffer fields = ByteBuffer.wrap(head, EXT, EXT_LENGTH).slice().order(ByteOrder.LITTLE_ENDIAN);
        if (Short.toUnsignedInt(fields.getShort(0x38)) != EXT_MAGIC) {
            return Optional.empty();
        }
        boolean fresh = fields.getInt(0x2c) == 0 // s_mtime
                && fields.get(0x274) == 0 // s_mtime_hi
                && fields.getShort(0x34) == 0 // s_mnt_count
                && fields.get(0x88) == 0 // s_last_mounted
                && (fields.getInt(0x60) & EXT_RECOVER) == 0 // s_feature_incompat
                && fields.getInt(0x40) == fields.getInt(0x108); // s_lastcheck is s_mkfs_time
        return Optional.of(
                new Superblock("ext", uuid(head, EXT + 0x68), fresh ? Life.NEVER_MOUNTED : Life.MAYBE_MOUNTED));
    }

    /**
     * {@code mkfs.btrfs} writes another magic until all is there, which no kernel knows. A whole superblock does not say whether it was
     * mounted: its generation counts what {@code mkfs} has committed too.
     */
    private static Optional<Superblock> btrfs(byte[] head) {
        if (head.length < BTRFS + BTRFS_LENGTH) {
            return Optional.empty();
        }
        String magic = text(head, BTRFS + 64, 8);
        boolean unfinished = magic.equals("!BHRfS_M");
        return unfinished || magic.equals("_BHRfS_M")
                ? Optional.of(new Superblock(
                        "btrfs", uuid(head, BTRFS + 32), unfinished ? Life.UNFINISHED : Life.MAYBE_MOUNTED))
                : Optional.empty();
    }

    private static String text(byte[] head, int offset, int length) {
        return new String(head, offset, length, StandardCharsets.ISO_8859_1);
    }

    private static String uuid(byte[] head, int offset) {
        ByteBuffer bytes = ByteBuffer.wrap(head, offset, 16);
        return new UUID(bytes.getLong(), bytes.getLong()).toString();
    }
}

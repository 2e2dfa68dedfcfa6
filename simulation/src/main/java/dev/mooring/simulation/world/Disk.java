// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.VolumeNotes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What is on the storage of a volume. Confined to the world's thread. */
final class Disk {
    /** What such a disk holds on which no tool recognises anything, and which is not blank. */
    static final String UNRECOGNISED = "unknown";

    private static final int HEAD = 2048;
    private static final int EXT = 1024;
    private static final int IN_PROGRESS = 126;

    private final String identity;
    private String type = "";
    private String uuid = "";
    private boolean unrecognised;
    /** What a tool that was interrupted has left: the disk is not blank, and no probe recognises it. */
    private boolean begun;
    /** Whether its file system was mounted since it was made. */
    private boolean mounted;

    private long content;
    private String owner = "";
    private final Map<String, VolumeNotes> notes = new HashMap<>();

    /**
     * Storage that is new to the world.
     *
     * @param identity what the volume object says of it
     * @param content the name of what is on it
     * @param holds the type of the file system that was made on it before, or {@link #UNRECOGNISED}; empty if it is blank
     */
    Disk(String identity, long content, String holds) {
        this.identity = identity;
        this.content = content;
        this.unrecognised = holds.equals(UNRECOGNISED);
        this.type = unrecognised ? "" : holds;
        this.mounted = !type.isEmpty();
        this.uuid = type.isEmpty()
                ? ""
                : UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8))
                        .toString();
    }

    String identity() {
        return identity;
    }

    /** Another one after everything that was on it has gone. */
    long content() {
        return content;
    }

    /** Whether a place reads as zeros. The beginning shows a file system, and what a tool has left; other data may be anywhere. */
    boolean zeros(long offset) {
        return !unrecognised && (offset > 0 || (type.isEmpty() && !begun));
    }

    /**
     * What making a file system would destroy. An interrupted tool has left nothing of worth. A file system
     * that was never mounted holds no data, but only its own maker may make it again.
     *
     * @param newUuid the identity of the file system that is to be made
     */
    Optional<String> held(String newUuid) {
        return unrecognised
                ? Optional.of("data that no tool recognises")
                : type().filter(found -> mounted || !uuid.equals(newUuid));
    }

    /** Whether {@link #head} proves that its file system was never mounted. What has no superblock is proved by nothing there. */
    boolean provesUnused() {
        return type.startsWith("ext") ? !mounted : type.equals("xfs") && begun;
    }

    /** Its first bytes, as far as a superblock says there what it is and whether it was mounted. */
    byte[] head() {
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        if (type.startsWith("ext")) {
            head.putShort(EXT + 0x38, (short) 0xef53).putShort(EXT + 0x34, (short) (mounted ? 1 : 0));
            identify(head, EXT + 0x68);
        } else if (type.equals("xfs")) {
            head.put(0, "XFSB".getBytes(StandardCharsets.US_ASCII)).put(IN_PROGRESS, (byte) (begun ? 1 : 0));
            identify(head, 32);
        }
        return head.array();
    }

    private void identify(ByteBuffer head, int offset) {
        UUID identifier = UUID.fromString(uuid);
        head.order(ByteOrder.BIG_ENDIAN)
                .putLong(offset, identifier.getMostSignificantBits())
                .putLong(offset + Long.BYTES, identifier.getLeastSignificantBits());
    }

    /** Whether the kernel mounts it. */
    boolean mountable(String wanted) {
        return type.equals(wanted) && !begun;
    }

    /** It is mounted, and may be written to. */
    void mount() {
        mounted = true;
    }

    /** The type of its file system; empty if nothing is recognised. */
    Optional<String> type() {
        return type.isEmpty() ? Optional.empty() : Optional.of(type);
    }

    String uuid() {
        return uuid;
    }

    /** A tool has begun to make a file system and has not come to its end. XFS shows it from the beginning, as in progress. */
    void begin(String newType, String newUuid, long newContent) {
        boolean shown = newType.equals("xfs");
        type = shown ? newType : "";
        uuid = shown ? newUuid : "";
        unrecognised = false;
        begun = true;
        mounted = false;
        content = newContent;
    }

    /** A file system was made. */
    void format(String newType, String newUuid, long newContent) {
        type = newType;
        uuid = newUuid;
        unrecognised = false;
        begun = false;
        mounted = false;
        content = newContent;
    }

    /** All files have gone, and the file system is there. */
    void scrub(long newContent) {
        content = newContent;
    }

    /**
     * Notes on the volume object that has the storage now. A user who makes a new volume object for a disk looks at the disk first, and
     * wipes what an interrupted tool has left. No other party can: the note of it went with the other object.
     */
    VolumeNotes notesOf(String volumeUid) {
        if (begun && !owner.equals(volumeUid)) {
            begun = false;
            type = "";
            uuid = "";
        }
        owner = volumeUid;
        return notes.computeIfAbsent(volumeUid, uid -> new Notes());
    }

    private static final class Notes implements VolumeNotes {
        private final Map<String, String> values = new HashMap<>();

        @Override
        public Outcome<Optional<String>> find(String key) {
            return Outcome.done(Optional.ofNullable(values.get(key)));
        }

        @Override
        public Outcome<Nothing> write(String key, Optional<String> expected, String value) {
            Optional<String> there = Optional.ofNullable(values.get(key));
            if (there.equals(Optional.of(value))) {
                return Outcome.done();
            }
            if (!there.equals(expected)) {
                return Outcome.refused(Refusal.INCOMPATIBLE, "another note is there: " + there.orElse("none"));
            }
            values.put(key, value);
            return Outcome.done();
        }
    }
}

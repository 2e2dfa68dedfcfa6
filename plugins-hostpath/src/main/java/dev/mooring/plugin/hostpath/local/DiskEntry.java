// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.plugin.support.FlatJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the node knows of a disk: whose data is on it, and how far cleaning it has come.
 *
 * @param state whether there may be data
 * @param volume the uid of the volume that had it last
 * @param name that volume's name, for people
 * @param disk {@link DiskIdentity#key}
 * @param bytes the size of the device when it was seen last; 0 for a directory
 * @param round how often cleaning it for this volume has begun
 * @param progress how far cleaning is
 * @param madeReadOnly whether the device was writable and was made read-only here, which is still to be taken back
 */
record DiskEntry(
        State state,
        String volume,
        String name,
        String disk,
        long bytes,
        int round,
        Progress progress,
        boolean madeReadOnly) {
    /** Whether there may be data. */
    enum State {
        /** There may be. */
        DIRTY,
        /** It is being removed. */
        CLEANING,
        /** There is none. */
        CLEAN
    }

    /**
     * What of a cleaning is surely done and written out.
     *
     * @param method by which method; empty if none has begun
     * @param pass how many passes are complete
     * @param offset up to where the next pass is complete
     * @param discarded whether the last complete pass was a discard that the device carried out from beginning to end
     */
    record Progress(String method, int pass, long offset, boolean discarded) {
        static final Progress NONE = begun("");

        /** Nothing is done yet. */
        static Progress begun(String method) {
            return new Progress(method, 0, 0, false);
        }

        Progress at(long reached) {
            return new Progress(method, pass, reached, discarded);
        }

        Progress next(boolean afterDiscard) {
            return new Progress(method, pass + 1, 0, afterDiscard);
        }
    }

    static DiskEntry dirty(String volume, String name, String disk, long bytes) {
        return new DiskEntry(State.DIRTY, volume, name, disk, bytes, 0, Progress.NONE, false);
    }

    DiskEntry cleaning(CleanMethod method) {
        Progress begun = Progress.begun(method.toString());
        return new DiskEntry(State.CLEANING, volume, name, disk, bytes, round + 1, begun, madeReadOnly);
    }

    DiskEntry at(Progress reached) {
        return new DiskEntry(state, volume, name, disk, bytes, round, reached, madeReadOnly);
    }

    DiskEntry clean() {
        return new DiskEntry(State.CLEAN, volume, name, disk, bytes, round, Progress.NONE, madeReadOnly);
    }

    DiskEntry readOnly(boolean made) {
        return new DiskEntry(state, volume, name, disk, bytes, round, progress, made);
    }

    /** Whether the data of a volume is being removed from a device of this size, or has been. */
    boolean isCleanedOf(String volumeUid, long deviceBytes) {
        return state != State.DIRTY && volume.equals(volumeUid) && bytes == deviceBytes;
    }

    /** Whether there may be data of another volume than that. */
    boolean isOfAnother(String volumeUid) {
        return state != State.CLEAN && !volume.equals(volumeUid);
    }

    /** As it is noted on the volume. */
    String note() {
        return state == State.CLEANING
                ? "cleaning/" + progress.method() + "/" + round
                : state == State.CLEAN ? "clean" : "dirty";
    }

    String write() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("state", state.name());
        fields.put("volume", volume);
        fields.put("name", name);
        fields.put("disk", disk);
        fields.put("bytes", Long.toString(bytes));
        fields.put("round", Integer.toString(round));
        fields.put("method", progress.method());
        fields.put("pass", Integer.toString(progress.pass()));
        fields.put("offset", Long.toString(progress.offset()));
        fields.put("discarded", Boolean.toString(progress.discarded()));
        fields.put("madeReadOnly", Boolean.toString(madeReadOnly));
        return FlatJson.write(fields);
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
    static Optional<DiskEntry> read(String text) {
        return FlatJson.read(text).flatMap(DiskEntry::of);
    }

    private static Optional<DiskEntry> of(Map<String, String> fields) {
        try {
            return Optional.of(new DiskEntry(
                    State.valueOf(fields.getOrDefault("state", "")),
                    fields.getOrDefault("volume", ""),
                    fields.getOrDefault("name", ""),
                    fields.getOrDefault("disk", ""),
                    Long.parseLong(fields.getOrDefault("bytes", "")),
                    Integer.parseInt(fields.getOrDefault("round", "")),
                    new Progress(
                            fields.getOrDefault("method", ""),
                            Integer.parseInt(fields.getOrDefault("pass", "")),
                            Long.parseLong(fields.getOrDefault("offset", "")),
                            Boolean.parseBoolean(fields.getOrDefault("discarded", ""))),
                    Boolean.parseBoolean(fields.getOrDefault("madeReadOnly", ""))));
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.FlatJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The proof that a directory was made for a volume, and how far making or deleting it has come.
 *
 * @param state how far
 * @param path the directory, relative to the share
 * @param inode which directory it is: the number survives, unlike the file system's identity, which each mount gives again; empty until
 *     it has been made
 * @param claimUid for which claim
 * @param className by which class
 * @param onDelete what becomes of it
 * @param shared whether other volumes may have the same directory
 */
record NfsLedgerEntry(
        State state,
        String path,
        OptionalLong inode,
        String claimUid,
        String className,
        OnDelete onDelete,
        boolean shared) {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,19}");

    /** How far a directory is. */
    enum State {
        /** The directory may exist, empty. */
        CREATING,
        /** The directory is a volume. */
        READY,
        /** The directory is being destroyed and is no longer in its place. */
        TRASHED
    }

    NfsLedgerEntry ready(long made) {
        return new NfsLedgerEntry(State.READY, path, OptionalLong.of(made), claimUid, className, onDelete, shared);
    }

    NfsLedgerEntry trashed() {
        return new NfsLedgerEntry(State.TRASHED, path, inode, claimUid, className, onDelete, shared);
    }

    /** A JSON object of texts. */
    String write() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("state", state.name());
        fields.put("path", path);
        fields.put("claimUid", claimUid);
        fields.put("className", className);
        fields.put("onDelete", onDelete.text());
        fields.put("shared", Boolean.toString(shared));
        inode.ifPresent(number -> fields.put("inode", Long.toString(number)));
        return FlatJson.write(fields);
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
    static Optional<NfsLedgerEntry> read(String text) {
        return FlatJson.read(text)
                .flatMap(fields -> OnDelete.of(fields.getOrDefault("onDelete", ""))
                        .flatMap(onDelete -> of(fields, inode(fields.getOrDefault("inode", "")), onDelete)));
    }

    /** Clustered servers number their files with all 64 bits. */
    private static OptionalLong inode(String text) {
        try {
            return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
        } catch (NumberFormatException tooLarge) {
            return OptionalLong.empty();
        }
    }

    private static Optional<NfsLedgerEntry> of(Map<String, String> fields, OptionalLong inode, OnDelete onDelete) {
        String path = fields.getOrDefault("path", "");
        for (State state : State.values()) {
            boolean whole = !path.isEmpty() && (state == State.CREATING || inode.isPresent());
            if (whole && state.name().equals(fields.get("state"))) {
                return Optional.of(new NfsLedgerEntry(
                        state,
                        path,
                        inode,
                        fields.getOrDefault("claimUid", ""),
                        fields.getOrDefault("className", ""),
                        onDelete,
                        Boolean.parseBoolean(fields.get("shared"))));
            }
        }
        return Optional.empty();
    }
}

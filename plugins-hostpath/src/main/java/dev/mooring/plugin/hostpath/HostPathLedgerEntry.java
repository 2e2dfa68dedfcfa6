// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.FlatJson;
import dev.mooring.storage.spi.host.FileIdentity;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The proof that a directory was made here, and how far making or deleting it has come.
 *
 * @param state how far
 * @param claimUid for which claim; empty for a snapshot
 * @param nodeUid on which node; a disk that was carried to another node is not ours there
 * @param identity which directory; empty until it has been made, or of a copy until it is begun
 * @param volumeUid the PersistentVolume whose it is; empty until it is used for the first time
 * @param taken of a snapshot, what it was taken of; empty for a volume
 */
record HostPathLedgerEntry(
        State state,
        String claimUid,
        String nodeUid,
        Optional<FileIdentity> identity,
        Optional<String> volumeUid,
        Optional<Taken> taken) {
    /**
     * What a snapshot was taken of.
     *
     * @param volume the volume's name
     * @param at when copying began
     * @param bytes the size of the volume
     */
    record Taken(String volume, Instant at, long bytes) {}

    /** How far a directory is. */
    enum State {
        /** The directory may exist, empty. With an identity it is a copy that is being filled, or that has just become the volume. */
        CREATING,
        /** The directory is a volume. */
        READY,
        /** The directory is being deleted and may have been moved out of the volumes. */
        TRASHED
    }

    /** Of a volume that is made for a claim. */
    static HostPathLedgerEntry ofClaim(String claimUid, String nodeUid) {
        return new HostPathLedgerEntry(
                State.CREATING, claimUid, nodeUid, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Of a snapshot that is taken. */
    static HostPathLedgerEntry ofSnapshot(String nodeUid, Taken taken) {
        return new HostPathLedgerEntry(
                State.CREATING, "", nodeUid, Optional.empty(), Optional.empty(), Optional.of(taken));
    }

    HostPathLedgerEntry filling(FileIdentity made) {
        return new HostPathLedgerEntry(State.CREATING, claimUid, nodeUid, Optional.of(made), volumeUid, taken);
    }

    HostPathLedgerEntry ready(FileIdentity made) {
        return new HostPathLedgerEntry(State.READY, claimUid, nodeUid, Optional.of(made), volumeUid, taken);
    }

    HostPathLedgerEntry trashed() {
        return new HostPathLedgerEntry(State.TRASHED, claimUid, nodeUid, identity, volumeUid, taken);
    }

    HostPathLedgerEntry usedBy(String volume) {
        return new HostPathLedgerEntry(state, claimUid, nodeUid, identity, Optional.of(volume), taken);
    }

    /** Whether nothing says that it is another volume's. */
    boolean mayBeOf(String volume) {
        return volumeUid.isEmpty() || volumeUid.get().equals(volume);
    }

    /** A JSON object of texts. */
    String write() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("state", state.name());
        fields.put("claimUid", claimUid);
        fields.put("nodeUid", nodeUid);
        identity.ifPresent(id -> fields.put("identity", id.toString()));
        volumeUid.ifPresent(uid -> fields.put("volumeUid", uid));
        taken.ifPresent(known -> {
            fields.put("takenOf", known.volume());
            fields.put("takenAt", known.at().toString());
            fields.put("bytes", Long.toString(known.bytes()));
        });
        return FlatJson.write(fields);
    }

    /** Reads what {@link #write} wrote; empty for anything else. */
    static Optional<HostPathLedgerEntry> read(String text) {
        return FlatJson.read(text).flatMap(HostPathLedgerEntry::of);
    }

    private static Optional<HostPathLedgerEntry> of(Map<String, String> fields) {
        Optional<FileIdentity> identity =
                Optional.ofNullable(fields.get("identity")).flatMap(FileIdentity::parse);
        for (State state : State.values()) {
            if (state.name().equals(fields.get("state")) && (state == State.CREATING || identity.isPresent())) {
                return Optional.of(new HostPathLedgerEntry(
                        state,
                        fields.getOrDefault("claimUid", ""),
                        fields.getOrDefault("nodeUid", ""),
                        identity,
                        Optional.ofNullable(fields.get("volumeUid")),
                        taken(fields)));
            }
        }
        return Optional.empty();
    }

    private static Optional<Taken> taken(Map<String, String> fields) {
        try {
            return Optional.ofNullable(fields.get("takenOf"))
                    .map(volume -> new Taken(
                            volume,
                            Instant.parse(fields.getOrDefault("takenAt", "")),
                            Long.parseLong(fields.getOrDefault("bytes", ""))));
        } catch (DateTimeException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}

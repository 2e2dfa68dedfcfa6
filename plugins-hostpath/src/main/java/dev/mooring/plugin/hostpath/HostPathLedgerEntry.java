// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath;

import dev.mooring.plugin.support.FlatJson;
import dev.mooring.storage.spi.host.FileIdentity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The proof that a directory was made here, and how far making or deleting it has come.
 *
 * @param state how far
 * @param claimUid for which claim
 * @param nodeUid on which node; a disk that was carried to another node is not ours there
 * @param identity which directory; empty until it has been made, or of a copy until it is begun
 * @param volumeUid the PersistentVolume whose it is; empty until it is used for the first time
 */
record HostPathLedgerEntry(
        State state, String claimUid, String nodeUid, Optional<FileIdentity> identity, Optional<String> volumeUid) {
    /** How far a directory is. */
    enum State {
        /** The directory may exist, empty. With an identity it is a copy that is being filled, or that has just become the volume. */
        CREATING,
        /** The directory is a volume. */
        READY,
        /** The directory is being deleted and may have been moved out of the volumes. */
        TRASHED
    }

    HostPathLedgerEntry filling(FileIdentity made) {
        return new HostPathLedgerEntry(State.CREATING, claimUid, nodeUid, Optional.of(made), volumeUid);
    }

    HostPathLedgerEntry ready(FileIdentity made) {
        return new HostPathLedgerEntry(State.READY, claimUid, nodeUid, Optional.of(made), volumeUid);
    }

    HostPathLedgerEntry trashed() {
        return new HostPathLedgerEntry(State.TRASHED, claimUid, nodeUid, identity, volumeUid);
    }

    HostPathLedgerEntry usedBy(String volume) {
        return new HostPathLedgerEntry(state, claimUid, nodeUid, identity, Optional.of(volume));
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
                        Optional.ofNullable(fields.get("volumeUid"))));
            }
        }
        return Optional.empty();
    }
}

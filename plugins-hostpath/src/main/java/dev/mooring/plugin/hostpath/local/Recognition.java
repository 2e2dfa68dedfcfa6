// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.hostpath.local;

import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.Optional;

/**
 * Whether what is at a path now is the volume that was recorded (semantics/plugins §5.1). A disk that is not mounted is waited for; a
 * wrong one is never touched. Pure.
 */
final class Recognition {
    private Recognition() {}

    /**
     * Judges.
     *
     * @param recorded the note on the volume; empty at its first use
     * @param found what is there
     * @param plainDirectories whether a directory on which nothing is mounted may become a volume
     * @return what has to be recorded; deferred if the disk is not mounted, CORRUPT if it is another one
     */
    static Outcome<DiskIdentity> judge(Optional<String> recorded, DiskIdentity found, boolean plainDirectories) {
        if (recorded.isEmpty()) {
            return first(found, plainDirectories);
        }
        if (recorded.get().equals(DiskIdentity.ANY_MOUNT)) {
            return first(found, false);
        }
        Optional<DiskIdentity> before = DiskIdentity.parse(recorded.get());
        return before.map(known -> judge(known, found))
                .orElseGet(() -> Outcome.refused(
                        Refusal.CORRUPT, "the note " + DiskIdentity.NOTE + " cannot be read: " + recorded.get()));
    }

    private static Outcome<DiskIdentity> first(DiskIdentity found, boolean plainDirectories) {
        return found.kind() == DiskIdentity.Kind.DIRECTORY && !plainDirectories
                ? Outcome.deferred("the volume is not mounted on the node: no file system is mounted on the directory")
                : Outcome.done(found);
    }

    private static Outcome<DiskIdentity> judge(DiskIdentity known, DiskIdentity found) {
        boolean nameless = known.kind() == DiskIdentity.Kind.DEVICE
                && found.kind() == DiskIdentity.Kind.DEVICE
                && !known.isCertain();
        boolean looked = !known.content().isEmpty() && !found.content().isEmpty();
        boolean sameContent = known.content().equals(found.content());
        if ((known.sameStorage(found) || nameless) && (sameContent || !looked)) {
            // a disk that no other machine can have is the volume also after the node was registered again
            return known.node().equals(found.node()) || known.isUnique() || (looked && sameContent)
                    ? Outcome.done(found)
                    : Outcome.refused(
                            Refusal.DENIED,
                            "the node was registered again, and it is unknown whether this is the disk of the volume; remove the note "
                                    + DiskIdentity.NOTE + " if it is");
        }
        boolean diskMissing = found.kind() == DiskIdentity.Kind.DIRECTORY
                && known.kind() != DiskIdentity.Kind.DEVICE
                && !(known.kind() == DiskIdentity.Kind.DIRECTORY && known.disk().equals(found.disk()));
        return diskMissing
                ? Outcome.deferred("the volume is not mounted on the node: " + found + " is in the place of " + known)
                : Outcome.refused(
                        Refusal.CORRUPT,
                        "another disk is in the place of the volume: " + found + ", but " + known + " was recorded");
    }
}

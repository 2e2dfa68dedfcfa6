// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import dev.mooring.storage.spi.host.FileSystemSpace;
import java.nio.file.Path;
import org.apiguardian.api.API;

/** Measures how full a published volume is. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public non-sealed interface Statistics extends Capability {
    /** Measures without ever waiting for a dead server: then the answer is {@link Outcome.Deferred}. */
    Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path);

    /** Whether {@link #condition} can say anything; pure. */
    default boolean tellsCondition() {
        return false;
    }

    /**
     * Looks from this node whether a published volume is in good order, without ever waiting for a dead server.
     *
     * @return {@link Refusal#UNSUPPORTED} if it cannot be said
     */
    default Outcome<Health.Condition> condition(OperationContext context, VolumeId volume, Path path) {
        return Outcome.refused(Refusal.UNSUPPORTED, "the condition of volumes is not told");
    }

    /**
     * What was measured.
     *
     * @param capacityBytes size in bytes
     * @param usedBytes used bytes
     * @param availableBytes bytes that an ordinary user can still write
     * @param inodes number of inodes; 0 where the storage counts none
     * @param freeInodes inodes not used
     */
    record Usage(long capacityBytes, long usedBytes, long availableBytes, long inodes, long freeInodes) {
        /** How full a volume is that has a file system of its own. */
        public static Usage of(FileSystemSpace space) {
            return new Usage(
                    space.capacityBytes(),
                    space.usedBytes(),
                    space.availableBytes(),
                    space.inodes(),
                    space.freeInodes());
        }
    }
}

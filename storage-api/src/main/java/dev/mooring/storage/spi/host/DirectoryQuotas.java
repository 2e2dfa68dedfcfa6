// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import org.apiguardian.api.API;

/**
 * Limits for what a directory holds, where the file system counts it and refuses what is too much: project quotas of ext4 and XFS on this
 * machine (semantics/plugins §2.9). ext4 lets a process with CAP_SYS_RESOURCE, such as root's, write more. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DirectoryQuotas {
    /**
     * Lets a directory hold at least so much and no more. A limit that is higher already stays. May be repeated after any interruption.
     *
     * @param directory a directory that is empty, or has a limit under this key
     * @param key what the limit is for, the same in every call for this directory and in none for another one
     * @param bytes the limit, more than 0; rounded up to what the file system can count
     * @return the limit now, in bytes; UNSUPPORTED if the file system has no quotas or does not enforce them, INCOMPATIBLE for what is no
     *     directory or holds files that no quota counts, EXHAUSTED if every number that the key leads to is taken
     */
    Outcome<Long> limit(PinnedPath directory, String key, long bytes);

    /**
     * Takes the limit away from a directory, which is counted as before. Done if it has none under this key.
     *
     * @param directory the directory
     * @param key what the limit is for
     * @return UNSUPPORTED if the file system has no quotas
     */
    Outcome<Nothing> lift(PinnedPath directory, String key);
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import org.apiguardian.api.API;

/**
 * The group of a tree (semantics/attach-and-mount §3.11). The owner stays.
 *
 * @param group the group's number
 * @param readOnly whether the group may only read
 * @param onlyIfRootDiffers whether nothing is done if the root is already right
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OwnershipRule(int group, boolean readOnly, boolean onlyIfRootDiffers) {
    /** The bits that a file needs at least. */
    public int fileBits() {
        return readOnly ? 0440 : 0660;
    }

    /** The bits that a directory needs at least: it can be entered, and what is made in it belongs to the group too. */
    public int directoryBits() {
        return fileBits() | 0110 | 02000;
    }

    /** Whether a directory is already right. */
    public boolean fits(FileFacts directory) {
        return directory.group() == group && (directory.mode() & directoryBits()) == directoryBits();
    }
}

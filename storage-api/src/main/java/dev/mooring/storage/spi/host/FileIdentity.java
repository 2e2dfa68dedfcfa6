// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi.host;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * Which file it is, whatever it is called. That of a directory on a disk survives a reboot, which device numbers do not. That of anything
 * else is to be compared within one boot only: on XFS it has the device's number.
 *
 * @param fileSystem the file system's own identity in hexadecimal digits: {@code f_fsid}, or of a directory on XFS the file system's
 *     UUID; on a network mount it changes with each mount
 * @param inode the number within the file system; it may be given to another file when this one has gone
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record FileIdentity(String fileSystem, long inode) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{1,32}):([0-9]{1,20})");

    /** Reads what {@link #toString} wrote; empty for any other text. */
    public static Optional<FileIdentity> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new FileIdentity(matcher.group(1), Long.parseUnsignedLong(matcher.group(2))));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    /** Both parts with a colon between, for records. */
    @Override
    public String toString() {
        return fileSystem + ":" + Long.toUnsignedString(inode);
    }
}

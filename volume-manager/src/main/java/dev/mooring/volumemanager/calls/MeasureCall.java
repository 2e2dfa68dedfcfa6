// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.NodeRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Count what the files of a directory of the host take on its disk. A success carries an {@link Answer}: hard links are
 * counted once, links are not followed. Refused as IN_USE if something is mounted there, which would be counted or hide something.
 *
 * @param onNode where
 * @param volume whose directory, for people
 * @param directory the directory
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record MeasureCall(NodeRef onNode, String volume, Path directory) implements HostCall {
    @Override
    public String operation() {
        return "measure";
    }

    /** A pool of its own: it takes as long as there are files. */
    @Override
    public String bulkhead() {
        return "measuring on " + onNode;
    }

    /**
     * What was counted.
     *
     * @param bytes of the blocks that the files have
     * @param began when the counting began, which is not when the call was asked for
     * @param took how long it took
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Answer(long bytes, Instant began, Duration took) {}
}

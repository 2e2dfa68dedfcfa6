// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.calls;

import dev.mooring.storage.spi.NodeRef;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * Count what the files of a directory of the host take on its disk. A success carries a {@link Long}: bytes of the blocks that they have,
 * hard links once, without following links. Refused as IN_USE if something is mounted there, which would be counted or hide something.
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
}

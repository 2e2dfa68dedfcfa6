// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A disk or directory of one node.
 *
 * @param path the device or directory
 * @param fsType file system to make on a device
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LocalSource(String path, String fsType) {
    /** The source type. */
    public static final String TYPE = "local";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<LocalSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new LocalSource(source.text("path"), source.text("fsType")))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE).put("path", path).put("fsType", fsType).build();
    }
}

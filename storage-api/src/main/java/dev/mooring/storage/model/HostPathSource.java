// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A path of the node.
 *
 * @param path absolute path
 * @param type what must be there, such as {@code Directory}; empty for anything
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HostPathSource(String path, String type) {
    /** The source type. */
    public static final String TYPE = "hostPath";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<HostPathSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new HostPathSource(source.text("path"), source.text("type")))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE).put("path", path).put("type", type).build();
    }
}

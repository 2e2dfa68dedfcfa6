// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An NFS export.
 *
 * @param server host name or address
 * @param path exported path
 * @param readOnly whether nothing may write
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NfsSource(String server, String path, boolean readOnly) {
    /** The source type. */
    public static final String TYPE = "nfs";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<NfsSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new NfsSource(source.text("server"), source.text("path"), source.flag("readOnly")))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE)
                .put("server", server)
                .put("path", path)
                .put("readOnly", readOnly)
                .build();
    }
}

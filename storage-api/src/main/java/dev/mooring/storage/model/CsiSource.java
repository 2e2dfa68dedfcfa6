// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A volume of a CSI driver.
 *
 * @param driver the driver
 * @param volumeHandle the volume's name for the driver
 * @param fsType file system
 * @param readOnly whether nothing may write
 * @param volumeAttributes attributes for the driver
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CsiSource(
        String driver, String volumeHandle, String fsType, boolean readOnly, Map<String, String> volumeAttributes) {
    /** The source type. */
    public static final String TYPE = "csi";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<CsiSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new CsiSource(
                        source.text("driver"),
                        source.text("volumeHandle"),
                        source.text("fsType"),
                        source.flag("readOnly"),
                        SourceFields.map(source, "volumeAttributes")))
                : Optional.empty();
    }

    /** How the status of a Node calls the volume in {@code volumesInUse} and {@code volumesAttached}; never null. */
    public String nameOnNodes() {
        return "kubernetes.io/csi/" + driver + "^" + volumeHandle;
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE)
                .put("driver", driver)
                .put("volumeHandle", volumeHandle)
                .put("fsType", fsType)
                .put("readOnly", readOnly)
                .put("volumeAttributes", volumeAttributes)
                .build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A LUN of an iSCSI target.
 *
 * @param targetPortal address and port
 * @param portals further portals
 * @param iqn name of the target
 * @param lun number of the unit
 * @param fsType file system
 * @param readOnly whether nothing may write
 * @param iscsiInterface interface
 * @param chapAuthDiscovery whether discovery is authenticated
 * @param chapAuthSession whether sessions are authenticated
 * @param initiatorName name of the initiator
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record IscsiSource(
        String targetPortal,
        List<String> portals,
        String iqn,
        long lun,
        String fsType,
        boolean readOnly,
        String iscsiInterface,
        boolean chapAuthDiscovery,
        boolean chapAuthSession,
        String initiatorName)
        implements IscsiSourceBuilder.With {
    /** The source type. */
    public static final String TYPE = "iscsi";

    /** The view of a source; empty if it is of another type. Fields of a wrong type read as absent; validation names them. */
    public static Optional<IscsiSource> of(VolumeSource source) {
        return source.type().equals(TYPE)
                ? Optional.of(new IscsiSource(
                        source.text("targetPortal"),
                        SourceFields.texts(source, "portals"),
                        source.text("iqn"),
                        SourceFields.number(source, "lun"),
                        source.text("fsType"),
                        source.flag("readOnly"),
                        source.text("iscsiInterface"),
                        source.flag("chapAuthDiscovery"),
                        source.flag("chapAuthSession"),
                        source.text("initiatorName")))
                : Optional.empty();
    }

    /** The source; absent fields are left out. */
    public VolumeSource toSource() {
        return new SourceFields(TYPE)
                .put("targetPortal", targetPortal)
                .put("portals", portals)
                .put("iqn", iqn)
                .put("lun", lun)
                .put("fsType", fsType)
                .put("readOnly", readOnly)
                .put("iscsiInterface", iscsiInterface)
                .put("chapAuthDiscovery", chapAuthDiscovery)
                .put("chapAuthSession", chapAuthSession)
                .put("initiatorName", initiatorName)
                .build();
    }
}

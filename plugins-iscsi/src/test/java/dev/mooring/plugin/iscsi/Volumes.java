// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.IscsiSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Volumes for tests. */
final class Volumes {
    static final String IQN = "iqn.2000-01.test:disk";
    static final String PORTAL = "127.0.0.1:3260";

    private Volumes() {}

    static IscsiSource source(String iqn, long lun, String... portals) {
        List<String> all = portals.length == 0 ? List.of(PORTAL) : List.of(portals);
        return new IscsiSource(all.get(0), all.subList(1, all.size()), iqn, lun, "", false, "", false, false, "");
    }

    static VolumeSource withChap(IscsiSource source) {
        VolumeSource plain = new IscsiSource(
                        source.targetPortal(),
                        source.portals(),
                        source.iqn(),
                        source.lun(),
                        source.fsType(),
                        false,
                        source.iscsiInterface(),
                        false,
                        true,
                        source.initiatorName())
                .toSource();
        Document attributes =
                plain.attributes().with("chap", "secretRef", "name").with("ns", "secretRef", "namespace");
        return new VolumeSource(plain.type(), attributes);
    }

    /** The same for a portal that wants to know who asks for its targets. */
    static VolumeSource withDiscoveryChap(IscsiSource source) {
        VolumeSource chap = withChap(source);
        return new VolumeSource(
                chap.type(), chap.attributes().with(false, "chapAuthSession").with(true, "chapAuthDiscovery"));
    }

    static VolumeSource withInitiator(IscsiSource source, String initiator) {
        return new IscsiSource(
                        source.targetPortal(),
                        source.portals(),
                        source.iqn(),
                        source.lun(),
                        source.fsType(),
                        false,
                        source.iscsiInterface(),
                        false,
                        false,
                        initiator)
                .toSource();
    }

    static VolumeSpec volume(VolumeSource source, VolumeMode mode, String... annotations) {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < annotations.length; i += 2) {
            all.put(annotations[i], annotations[i + 1]);
        }
        return new VolumeSpec(
                "pv",
                "pv-uid",
                source,
                List.of(AccessMode.READ_WRITE_ONCE),
                mode,
                Quantity.parse("64Mi"),
                List.of(),
                all);
    }

    static VolumeSpec withModes(VolumeSpec volume, AccessMode... modes) {
        return new VolumeSpec(
                volume.name(),
                volume.uid(),
                volume.source(),
                List.of(modes),
                volume.mode(),
                volume.capacity(),
                volume.mountOptions(),
                volume.annotations());
    }

    static VolumeSpec block(VolumeSource source, String... annotations) {
        return volume(source, VolumeMode.BLOCK, annotations);
    }

    static VolumeSpec fileSystem(VolumeSource source, String... annotations) {
        return volume(source, VolumeMode.FILESYSTEM, annotations);
    }
}

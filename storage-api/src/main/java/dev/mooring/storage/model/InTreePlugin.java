// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A plugin that was part of Kubernetes and whose volumes a CSI driver serves now: the sources stay as they were written, and all programs
 * have to derive the same handle from them: it is part of the names by which node, controller and attacher find each other
 * (semantics/attach-and-mount §1.4; the rules are those of upstream's csi-translation-lib).
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum InTreePlugin {
    /** Disks of Amazon. */
    AWS_EBS("awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            String id = source.text("volumeID");
            if (!id.startsWith("aws://")) {
                return id;
            }
            Matcher url = EBS_URL.matcher(id);
            return url.matches() ? url.group(1) : "";
        }

        @Override
        Map<String, String> attributes(VolumeSource source) {
            return Map.of("partition", Long.toString(SourceFields.number(source, "partition")));
        }
    },
    /** Disks of Azure. */
    AZURE_DISK("azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            return source.text("diskURI");
        }

        @Override
        Map<String, String> attributes(VolumeSource source) {
            Map<String, String> attributes = new LinkedHashMap<>();
            attributes.put("kind", source.text("kind").isEmpty() ? "Managed" : source.text("kind"));
            putUnlessEmpty(attributes, "cachingMode", source.text("cachingMode"));
            putUnlessEmpty(attributes, "fsType", source.text("fsType"));
            return attributes;
        }
    },
    /** Disks of OpenStack. */
    CINDER("cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            return source.text("volumeID");
        }
    },
    /** Disks of Google. */
    GCE_PD("gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            String disk = source.text("pdName");
            String zones = labels.getOrDefault(BETA_ZONE, labels.getOrDefault(ZONE, ""));
            Optional<String> place = zones.contains(BETWEEN_ZONES)
                    ? region(zones).map(region -> "regions/" + region)
                    : Optional.of("zones/" + (zones.isEmpty() ? UNSPECIFIED : zones));
            return disk.isEmpty()
                    ? ""
                    : place.map(where -> "projects/" + UNSPECIFIED + "/" + where + "/disks/" + disk)
                            .orElse("");
        }

        @Override
        Map<String, String> attributes(VolumeSource source) {
            long partition = SourceFields.number(source, "partition");
            return Map.of("partition", partition == 0 ? "" : Long.toString(partition));
        }

        /** The plugin let every mode pass and attached for one writer; the driver would refuse what it cannot do. */
        @Override
        List<AccessMode> modes(List<AccessMode> modes, boolean readOnly) {
            boolean onlyRead = modes.isEmpty() ? readOnly : modes.equals(List.of(AccessMode.READ_ONLY_MANY));
            return onlyRead ? List.of(AccessMode.READ_ONLY_MANY) : ONE_WRITER;
        }
    },
    /** Volumes of Portworx. */
    PORTWORX("portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            return source.text("volumeID");
        }
    },
    /** Disks of vSphere. */
    VSPHERE("vsphereVolume", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com") {
        @Override
        String handle(VolumeSource source, Map<String, String> labels) {
            return source.text("volumePath");
        }

        @Override
        Map<String, String> attributes(VolumeSource source) {
            Map<String, String> attributes = new LinkedHashMap<>();
            putUnlessEmpty(attributes, "storagepolicyname", source.text("storagePolicyName"));
            return attributes;
        }
    };

    private static final Pattern EBS_URL = Pattern.compile("aws://[^/]*/+(vol-[^/]*)/*");
    private static final Pattern GCE_ZONE = Pattern.compile("([^-]+-[^-]+)-[^-]+");
    private static final String BETA_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String BETWEEN_ZONES = "__";
    private static final String UNSPECIFIED = "UNSPECIFIED";
    private static final List<AccessMode> ONE_WRITER = List.of(AccessMode.READ_WRITE_ONCE);

    private static final Map<String, InTreePlugin> BY_TYPE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(plugin -> plugin.sourceType, plugin -> plugin));

    private final String sourceType;
    private final String pluginName;
    private final String driver;

    InTreePlugin(String sourceType, String pluginName, String driver) {
        this.sourceType = sourceType;
        this.pluginName = pluginName;
        this.driver = driver;
    }

    /** The plugin's name, as provisioners have it, such as {@code kubernetes.io/aws-ebs}. */
    public String pluginName() {
        return pluginName;
    }

    /** The CSI driver that has taken over. */
    public String driver() {
        return driver;
    }

    /**
     * A volume as the driver knows it.
     *
     * @param source the source for the driver
     * @param accessModes which modes it is asked for
     */
    public record Translated(CsiSource source, List<AccessMode> accessModes) {
        /** Copies the list. */
        public Translated {
            accessModes = List.copyOf(accessModes);
        }
    }

    /** The volume as its driver knows it; empty if no driver has taken it over, or what it says is not what its plugin takes. */
    public static Optional<Translated> translate(PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(source -> translate(
                        source, volume.spec().accessModes(), volume.metadata().labels()));
    }

    /** The same of a source written in a pod. */
    public static Optional<Translated> translate(VolumeSource inline) {
        return translate(inline, List.of(), Map.of());
    }

    private static Optional<Translated> translate(
            VolumeSource source, List<AccessMode> modes, Map<String, String> labels) {
        return Optional.ofNullable(BY_TYPE.get(source.type())).flatMap(plugin -> {
            String handle = plugin.handle(source, labels);
            boolean readOnly = source.flag("readOnly");
            CsiSource csi =
                    new CsiSource(plugin.driver, handle, source.text("fsType"), readOnly, plugin.attributes(source));
            return handle.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Translated(csi, plugin.modes(modes, readOnly)));
        });
    }

    /** The volume's name for the driver; empty if it is unknown. */
    abstract String handle(VolumeSource source, Map<String, String> labels);

    Map<String, String> attributes(VolumeSource source) {
        return Map.of();
    }

    /** The modes for the driver; none are given of a volume that is written in a pod. */
    List<AccessMode> modes(List<AccessMode> modes, boolean readOnly) {
        return modes.isEmpty() ? ONE_WRITER : modes;
    }

    private static void putUnlessEmpty(Map<String, String> attributes, String key, String value) {
        if (!value.isEmpty()) {
            attributes.put(key, value);
        }
    }

    /** The one region of several zones; empty if that is not what they are. */
    private static Optional<String> region(String zones) {
        List<String> regions = Stream.of(zones.split(BETWEEN_ZONES, -1))
                .map(GCE_ZONE::matcher)
                .map(zone -> zone.matches() ? zone.group(1) : "")
                .distinct()
                .toList();
        return regions.size() == 1 ? Optional.of(regions.get(0)).filter(region -> !region.isEmpty()) : Optional.empty();
    }
}

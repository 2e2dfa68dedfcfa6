// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InTreePluginTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final AccessMode ROX = AccessMode.READ_ONLY_MANY;
    private static final AccessMode RWX = AccessMode.READ_WRITE_MANY;

    private static PersistentVolume volume(VolumeSource source, Map<String, String> labels, AccessMode... modes) {
        PersistentVolume volume = PersistentVolume.of("v", PersistentVolumeSpec.EMPTY);
        return volume.withMetadata(ObjectMeta.named("v").withLabels(labels))
                .withSpec(volume.spec().withSource(Optional.of(source)).withAccessModes(List.of(modes)));
    }

    private static VolumeSource source(String type, Object... fields) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            attributes.put((String) fields[i], fields[i + 1]);
        }
        return new VolumeSource(type, Document.of(attributes));
    }

    private static String handle(VolumeSource source) {
        return InTreePlugin.translate(source)
                .map(known -> known.source().driver() + " " + known.source().volumeHandle())
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource({
        "awsElasticBlockStore, volumeID,   vol-1,                  ebs.csi.aws.com vol-1",
        "awsElasticBlockStore, volumeID,   aws://eu-west-1a/vol-1, ebs.csi.aws.com vol-1",
        "awsElasticBlockStore, volumeID,   aws:///vol-1,           ebs.csi.aws.com vol-1",
        "awsElasticBlockStore, volumeID,   aws://eu-west-1a/snap-1, ''",
        "awsElasticBlockStore, volumeID,   aws://a/b/vol-1,        ''",
        "azureDisk,            diskURI,    /subscriptions/s/disks/d, disk.csi.azure.com /subscriptions/s/disks/d",
        "azureDisk,            diskName,   d,                      ''",
        "cinder,               volumeID,   0a1b,                   cinder.csi.openstack.org 0a1b",
        "gcePersistentDisk,    pdName,     d,     pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d",
        "portworxVolume,       volumeID,   7,                      pxd.portworx.com 7",
        "vsphereVolume,        volumePath, '[store] kube/d.vmdk',  csi.vsphere.vmware.com [store] kube/d.vmdk",
        "nfs,                  server,     s,                      ''",
        "csi,                  driver,     d,                      ''",
    })
    void allProgramsDeriveTheSameHandle(String type, String field, String value, String expected) {
        assertThat(handle(source(type, field, value))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "topology.kubernetes.io/zone,            us-east1-b,             zones/us-east1-b",
        "failure-domain.beta.kubernetes.io/zone, us-east1-b,             zones/us-east1-b",
        "topology.kubernetes.io/zone,            us-east1-b__us-east1-c, regions/us-east1",
        "topology.kubernetes.io/zone,            us-east1-b__us-west1-c, ''",
        "topology.kubernetes.io/zone,            here__there,            ''",
        "elsewhere,                              us-east1-b,             zones/UNSPECIFIED",
    })
    void aDiskOfGoogleIsWhereItsLabelsSay(String label, String zones, String place) {
        Optional<InTreePlugin.Translated> known =
                InTreePlugin.translate(volume(source("gcePersistentDisk", "pdName", "d"), Map.of(label, zones), RWO));
        assertThat(known.map(translated -> translated.source().volumeHandle()))
                .isEqualTo(
                        place.isEmpty() ? Optional.empty() : Optional.of("projects/UNSPECIFIED/" + place + "/disks/d"));
    }

    @Test
    void aDiskOfGoogleHasOneWriterWhateverItsModesAre() {
        VolumeSource disk = source("gcePersistentDisk", "pdName", "d");
        assertThat(modes(disk, RWX)).containsExactly(RWO);
        assertThat(modes(disk, RWO, ROX)).containsExactly(RWO);
        assertThat(modes(disk, ROX)).containsExactly(ROX);
        assertThat(modes(source("cinder", "volumeID", "d"), RWX)).containsExactly(RWX);
    }

    private static List<AccessMode> modes(VolumeSource source, AccessMode... modes) {
        return InTreePlugin.translate(volume(source, Map.of(), modes))
                .orElseThrow()
                .accessModes();
    }

    @Test
    void whatAPodSaysOfADiskReachesTheDriver() {
        InTreePlugin.Translated ebs = InTreePlugin.translate(
                        source("awsElasticBlockStore", "volumeID", "vol-1", "fsType", "xfs", "partition", 2L))
                .orElseThrow();
        assertThat(ebs.source())
                .isEqualTo(new CsiSource("ebs.csi.aws.com", "vol-1", "xfs", false, Map.of("partition", "2")));
        assertThat(ebs.accessModes()).containsExactly(RWO);
        InTreePlugin.Translated azure = InTreePlugin.translate(
                        source("azureDisk", "diskURI", "u", "fsType", "ext4", "cachingMode", "None", "readOnly", true))
                .orElseThrow();
        assertThat(azure.source())
                .isEqualTo(new CsiSource(
                        "disk.csi.azure.com",
                        "u",
                        "ext4",
                        true,
                        Map.of("kind", "Managed", "cachingMode", "None", "fsType", "ext4")));
        InTreePlugin.Translated google = InTreePlugin.translate(
                        source("gcePersistentDisk", "pdName", "d", "readOnly", true))
                .orElseThrow();
        assertThat(google.accessModes()).containsExactly(ROX);
    }
}

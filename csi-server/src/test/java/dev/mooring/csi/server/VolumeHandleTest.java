// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeHandleTest {
    private static final String NAME = "pvc-0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";

    private static VolumeRecord made(String name, String server, String share) {
        VolumeHandle handle = VolumeHandle.ofName(name);
        return new VolumeRecord(
                handle,
                VolumeRecord.Phase.READY,
                new VolumeRecord.Request(
                        name,
                        List.of(AccessMode.READ_WRITE_MANY),
                        VolumeMode.FILESYSTEM,
                        new TreeMap<>(),
                        new TreeMap<>()),
                name,
                new VolumeSource("nfs", Document.of(Map.of("path", share + "/" + name, "server", server))),
                Quantity.parse("10Gi"),
                Map.of(
                        "mooring.dev/nfs-share",
                        server + ":" + share,
                        "mooring.dev/nfs-ledger",
                        name,
                        "mooring.dev/on-delete",
                        "delete",
                        "mooring.dev/capacity-enforced",
                        "false"),
                Map.of(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    @Test
    void anIdHoldsWhatTheVolumeIs() {
        VolumeRecord volume = made(NAME, "nfs-1.storage.example.com", "/exports/kubernetes/production");
        VolumeHandle handle = VolumeHandle.ofVolume(volume);
        assertThat(handle.kind()).isEqualTo(VolumeHandle.Kind.PACKED);
        assertThat(handle.text().getBytes(StandardCharsets.US_ASCII)).hasSizeLessThanOrEqualTo(128);
        assertThat(handle.key()).isEqualTo(VolumeHandle.ofName(NAME).key());
        assertThat(VolumeHandle.parse(handle.text())).contains(handle);
        VolumeRecord read = PackedVolume.unpack(handle).orElseThrow();
        assertThat(read.source()).isEqualTo(volume.source());
        assertThat(read.annotations()).isEqualTo(volume.annotations());
        assertThat(read.capacity()).isEqualTo(volume.capacity());
        assertThat(read.volumeName()).isEqualTo(NAME);
    }

    /** Ids stand in PersistentVolumes for ever, so that a later version has to read what this one wrote. */
    @Test
    void idsOfThisFormatAreReadForEver() {
        VolumeRecord read = VolumeHandle.parse(
                        "m2-AQobLD1OX2BxgpOktcbX6PlD4TAq4bQJm_GgYIe5AMlv-hCjsFlNkyhgxBMHyK4lNgLgwQ4A")
                .flatMap(PackedVolume::unpack)
                .orElseThrow();
        VolumeRecord meant = made(NAME, "192.168.10.4", "/srv/exports");
        assertThat(read.volumeName()).isEqualTo(NAME);
        assertThat(read.source()).isEqualTo(meant.source());
        assertThat(read.annotations()).isEqualTo(meant.annotations());
    }

    @Test
    void whatDoesNotFitIsADigest() {
        VolumeRecord volume =
                made(NAME, "a-long-name-of-a-server.q7w.zx9.example.org", "/k3v/9xq/zt7/jw2/8hb/yy4/mm1/pf6/d0u");
        assertThat(VolumeHandle.ofVolume(volume)).isEqualTo(VolumeHandle.ofName(NAME));
    }

    @Test
    void oneNameHasOneKey() {
        String odd = "größe / 大";
        VolumeHandle handle = VolumeHandle.ofName(odd);
        assertThat(VolumeHandle.ofName(handle.key())).isEqualTo(handle);
        VolumeHandle packed = VolumeHandle.ofVolume(made(handle.key(), "10.0.0.1", "/e"));
        assertThat(packed.key()).isEqualTo(handle.key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fake-vol-id",
                "vol-0123456789abcdef0",
                "m1-0123",
                "m1-0123456789abcdef0123456789abcdef0123456Z",
                "m2-",
                "m2-AAAA",
                "m2-not base64!",
                "m3-0123456789abcdef0123456789abcdef01234567",
                "static-",
                "static-../../etc",
                "static-UPPER",
                "csi-0123",
                "nfs.example.com#exports#pvc-1##"
            })
    void anIdOfAnotherDriverIsNone(String text) {
        assertThat(VolumeHandle.parse(text)).isEmpty();
    }
}

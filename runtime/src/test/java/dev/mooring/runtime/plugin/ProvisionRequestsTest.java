// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimSpec;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.ProvisionRequest;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProvisionRequestsTest {
    @Test
    void saysWhatClaimAndClassSayWithKubernetesDefaults() {
        PersistentVolumeClaim claim = PersistentVolumeClaim.of("ns", "data", PersistentVolumeClaimSpec.EMPTY);
        StorageClass fast = StorageClass.of("fast", "example.com/fake").withParameters(Map.of("tier", "1"));

        ProvisionRequest request = ProvisionRequests.of(
                claim.withMetadata(claim.metadata().withUid("u1").withAnnotation("a", "b")),
                fast.withReclaimPolicy(Optional.empty()),
                Map.of("iops", "3000"),
                "pvc-u1",
                Optional.of(new NodeRef("n1", "nu")));

        assertThat(request.volumeName()).isEqualTo("pvc-u1");
        assertThat(request.claim()).isEqualTo(ObjectKey.of("ns", "data"));
        assertThat(request.claimUid()).isEqualTo("u1");
        assertThat(request.claimAnnotations()).containsEntry("a", "b");
        assertThat(request.mode()).isEqualTo(VolumeMode.FILESYSTEM);
        assertThat(request.className()).isEqualTo("fast");
        assertThat(request.parameters()).containsExactly(Map.entry("tier", "1"));
        assertThat(request.attributes()).containsExactly(Map.entry("iops", "3000"));
        assertThat(request.reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(request.selectedNode()).contains(new NodeRef("n1", "nu"));
    }
}

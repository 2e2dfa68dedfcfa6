// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.BinderOptions;
import dev.mooring.runtime.plugin.ProvisionRequests;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.StorageClass;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the volume object of storage that a plugin made shows (semantics/binder §1.10). */
class ProvisionedVolumeTest {
    private static PersistentVolume madeWith(List<AccessMode> modes) {
        PersistentVolumeClaim claim = BinderObjects.ofClass(BinderObjects.data(), "gold");
        StorageClass gold = StorageClass.of("gold", ToyPlugin.NAME);
        ProvisionRequest request = ProvisionRequests.of(claim, gold, Map.of(), "pv", Optional.empty());
        VolumeTemplate template = new VolumeTemplate(
                BinderObjects.volume("pv", "1Gi").spec().source().orElseThrow(),
                Quantity.parse("1Gi"),
                modes,
                Optional.empty(),
                Map.of());
        return ProvisionedVolume.of(
                BinderOptions.DEFAULT,
                claim,
                new ClaimStorage.Made(ToyPlugin.NAME, request, template, ClaimStorage.Certainty.MADE));
    }

    @Test
    void hasTheAccessModesThatItsPluginTellsElseThoseOfTheClaim() {
        List<AccessMode> more = List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_MANY);
        assertThat(madeWith(more).spec().accessModes()).isEqualTo(more);
        assertThat(madeWith(List.of()).spec().accessModes()).containsExactly(AccessMode.READ_WRITE_ONCE);
    }
}

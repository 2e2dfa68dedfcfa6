// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A plugin may go on changing a map that it gave away: the receiver sees no change. */
class CopiedMapsTest {
    private static final VolumeSource SOURCE = new VolumeSource("disk", Document.empty());

    private final Map<String, String> plugins = new LinkedHashMap<>();

    private void stays(Map<String, String> handed) {
        plugins.put("a", "changed");
        assertThat(handed).containsExactly(Map.entry("z", "1"), Map.entry("a", "2"));
        assertThatThrownBy(() -> handed.put("b", "3")).isInstanceOf(UnsupportedOperationException.class);
    }

    private Map<String, String> fresh() {
        plugins.clear();
        plugins.put("z", "1");
        plugins.put("a", "2");
        return plugins;
    }

    private static VolumeSpec volume(Map<String, String> annotations) {
        return new VolumeSpec(
                "pv", "uid", SOURCE, List.of(), VolumeMode.FILESYSTEM, Quantity.ZERO, List.of(), annotations);
    }

    private ProvisionRequest request() {
        Map<String, String> map = fresh();
        return new ProvisionRequest(
                "pvc-a",
                ObjectKey.of("ns", "a"),
                "a",
                map,
                map,
                Quantity.ZERO,
                List.of(),
                VolumeMode.FILESYSTEM,
                "fast",
                map,
                map,
                List.of(),
                ReclaimPolicy.DELETE,
                Optional.empty(),
                map);
    }

    @Test
    void theAnnotationsOfAPlannedVolumeStay() {
        stays(new VolumeTemplate(SOURCE, Quantity.ZERO, List.of(), Optional.empty(), fresh()).annotations());
    }

    @Test
    void theAnnotationsOfAVolumeStay() {
        stays(volume(fresh()).annotations());
    }

    @Test
    void whatAnAttachmentSaysStays() {
        stays(new StageRequest(volume(Map.of()), Path.of("/staging"), fresh(), false).attached());
    }

    @Test
    void whatAClaimWishesStays() {
        stays(request().claimLabels());
        stays(request().claimAnnotations());
        stays(request().parameters());
        stays(request().attributes());
        stays(request().nodeLabels());
    }
}

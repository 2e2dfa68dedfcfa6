// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodSpec;
import dev.mooring.storage.model.PodVolume;
import dev.mooring.storage.model.VolumeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A pod is deleted with what its emptyDir volumes hold, of which no claim tells. */
class PodRemediesTest {
    private static Pod pod(String name, String... emptied) {
        VolumeSource claim = new VolumeSource("persistentVolumeClaim", Document.of(Map.of("claimName", "data")));
        VolumeSource empty = new VolumeSource("emptyDir", Document.of(Map.of()));
        return Pod.of(
                "default",
                name,
                PodSpec.EMPTY.withVolumes(Stream.concat(
                                Stream.of(new PodVolume("v", Optional.of(claim))),
                                Stream.of(emptied).map(volume -> new PodVolume(volume, Optional.of(empty))))
                        .toList()));
    }

    @Test
    void whatIsLostWithAPodIsNamed() {
        assertThat(PodRemedies.lost(List.of(pod("web", "cache", "spool"))))
                .isEqualTo(" Lost with it: the data of emptyDir cache, spool.");
        assertThat(PodRemedies.lost(List.of(pod("a", "cache"), pod("b", "cache"))))
                .isEqualTo(" Lost with them: the data of emptyDir cache of pod a, cache of pod b.");
        assertThat(PodRemedies.lost(List.of(pod("web", "a", "b", "c", "d", "e", "f", "g"))))
                .endsWith("a, b, c, d, e and 2 more.");
    }

    @Test
    void nothingIsSaidOfAPodThatHasNone() {
        assertThat(PodRemedies.lost(List.of(pod("web")))).isEmpty();
    }
}

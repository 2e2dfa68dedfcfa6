// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumePhase;
import dev.mooring.storage.model.PersistentVolumeSpec;
import dev.mooring.storage.model.PersistentVolumeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageMapTest {
    private static final Instant NOW = Instant.parse("2000-01-01T00:00:00Z");

    private static PersistentVolume volume(String name, String storageClass, PersistentVolumePhase phase, int since) {
        return new PersistentVolume(
                ObjectMeta.named(name).withUid(name),
                PersistentVolumeSpec.EMPTY.withStorageClassName(Optional.of(storageClass)),
                PersistentVolumeStatus.EMPTY
                        .withPhase(phase)
                        .withLastPhaseTransitionTime(Optional.of(NOW.minusSeconds(since))));
    }

    private static List<Map<?, ?>> groups(List<PersistentVolume> volumes, long left) {
        PageObjects objects =
                new PageObjects(List.of(), volumes, List.of(), List.of(), List.of(), List.of(), List.of());
        Document map = PageMap.of(new PageMoment("1", objects, List.of(), NOW), PageMap.By.CLASS);
        assertThat(map.at("left")).contains(left);
        List<Map<?, ?>> groups = new ArrayList<>();
        ((List<?>) map.at("groups").orElseThrow()).forEach(each -> groups.add((Map<?, ?>) each));
        return groups;
    }

    @Test
    void whatIsWellIsCountedAndWhatIsNotStandsForItselfTheLongestWaitFirst() {
        List<PersistentVolume> volumes = new ArrayList<>();
        for (int number = 0; number < 5_000; number++) {
            volumes.add(volume("v" + number, "fast", PersistentVolumePhase.AVAILABLE, 1));
        }
        volumes.add(volume("late", "slow", PersistentVolumePhase.RELEASED, 10));
        volumes.add(volume("early", "slow", PersistentVolumePhase.FAILED, 90));

        List<Map<?, ?>> groups = groups(volumes, 0);

        assertThat(groups).extracting(each -> String.valueOf(each.get("name"))).containsExactly("slow", "fast");
        assertThat((List<?>) groups.get(0).get("alone"))
                .extracting(each -> String.valueOf(((Map<?, ?>) each).get("name")))
                .containsExactly("early", "late");
        assertThat((List<?>) groups.get(1).get("alone")).isEmpty();
        assertThat(groups.get(1).get("states"))
                .isEqualTo(List.of(Map.of("kind", "volumes", "state", "Available", "count", 5_000L)));
    }

    @Test
    void isBoundedHoweverMuchThereIs() {
        List<PersistentVolume> volumes = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            for (int of = 0; of <= PageMap.MOST_ALONE; of++) {
                volumes.add(volume("v" + number + "-" + of, "class" + number, PersistentVolumePhase.RELEASED, of));
            }
        }

        List<Map<?, ?>> groups = groups(volumes, 40 - PageMap.MOST_GROUPS);

        assertThat(groups).hasSize(PageMap.MOST_GROUPS).allSatisfy(group -> {
            assertThat((List<?>) group.get("alone")).hasSize(PageMap.MOST_ALONE);
            assertThat(group.get("attention")).isEqualTo(PageMap.MOST_ALONE + 1L);
        });
    }
}

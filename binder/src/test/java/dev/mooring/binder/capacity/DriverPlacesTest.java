// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.CSINodeDriver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverPlacesTest {
    private final DriverPlaces places = new DriverPlaces();

    private static CSINodeDriver driver(String name, String... keys) {
        return new CSINodeDriver(name, "id", List.of(keys), Optional.empty());
    }

    @Test
    void thePlacesAreTheDistinctLabelsOfTheNodesThatHaveTheDriver() {
        places.learnDrivers("a", List.of(driver("disks", "zone")));
        places.learnLabels("a", Optional.of(Map.of("zone", "east", "other", "x")));
        places.learnLabels("b", Optional.of(Map.of("zone", "east")));
        places.learnDrivers("b", List.of(driver("disks", "zone")));
        places.learnLabels("c", Optional.of(Map.of("zone", "west")));
        places.learnDrivers("c", List.of(driver("disks", "zone"), driver("others", "zone")));

        assertThat(places.of("disks")).containsOnly(Map.of("zone", "east"), Map.of("zone", "west"));
        assertThat(places.of("others")).containsOnly(Map.of("zone", "west"));
        assertThat(places.of("unknown")).isEmpty();
    }

    @Test
    void aPlaceGoesWithItsLastNode() {
        places.learnDrivers("a", List.of(driver("disks", "zone")));
        places.learnLabels("a", Optional.of(Map.of("zone", "east")));
        places.learnDrivers("b", List.of(driver("disks", "zone")));
        places.learnLabels("b", Optional.of(Map.of("zone", "east")));

        assertThat(places.learnLabels("a", Optional.empty())).containsOnly("disks");
        assertThat(places.of("disks")).containsOnly(Map.of("zone", "east"));
        assertThat(places.learnDrivers("b", List.of())).containsOnly("disks");
        assertThat(places.of("disks")).isEmpty();
    }

    @Test
    void aNodeThatLacksALabelIsInNoPlace() {
        places.learnDrivers("a", List.of(driver("disks", "zone", "rack")));
        places.learnLabels("a", Optional.of(Map.of("zone", "east")));

        assertThat(places.of("disks")).isEmpty();
    }

    @Test
    void aDriverWithoutTopologyHasOnePlaceUnlessAnotherVersionHasOne() {
        places.learnDrivers("a", List.of(driver("disks")));
        assertThat(places.of("disks")).containsOnly(Map.of());

        places.learnLabels("b", Optional.of(Map.of("zone", "east")));
        places.learnDrivers("b", List.of(driver("disks", "zone")));
        assertThat(places.of("disks")).containsOnly(Map.of("zone", "east"));
    }
}

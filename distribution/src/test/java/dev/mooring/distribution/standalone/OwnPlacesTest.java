// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.mooring.host.linux.KeptPlace;
import dev.mooring.host.linux.KeptPlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server tells the other processes of its machine what it keeps, as long as it runs. */
class OwnPlacesTest {
    @TempDir
    Path directory;

    private List<KeptPlace> noted() {
        return KeptPlaces.in(directory.resolve("places")).all().result().orElseThrow();
    }

    @Test
    void aServerNotesItsPlacesAndTakesThemBack() throws IOException {
        Path data = directory.resolve("data");
        try (Standalone server = Standalone.start(StandaloneServers.options(data), List.of())) {
            assertThat(server.sickness()).isEmpty();
            assertThat(noted())
                    .extracting(KeptPlace::path, KeptPlace::visible)
                    .contains(
                            tuple(data, false),
                            tuple(data.resolve("kubeconfig"), false),
                            tuple(data.resolve("kubelet"), true),
                            tuple(directory.resolve("places"), false));
            assertThat(noted()).extracting(KeptPlace::owner).anyMatch(owner -> owner.startsWith("mooring standalone"));
        }
        assertThat(noted()).extracting(KeptPlace::path).containsExactly(directory.resolve("places"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/** Where the scenarios of the tests lie. */
final class ScenarioFolder {
    private ScenarioFolder() {}

    static Path path() {
        URL folder = Objects.requireNonNull(ScenarioFolder.class.getResource("/scenarios/life-cycle.yaml"));
        try {
            return Objects.requireNonNull(Path.of(folder.toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Path example(String name) {
        return path().resolve("examples").resolve(name + ".yaml");
    }
}

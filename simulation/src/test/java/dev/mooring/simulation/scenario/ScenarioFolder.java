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
        return folderOf("/scenarios/life-cycle.yaml");
    }

    /** The scenarios of known bugs, which are a part of the module. */
    static Path corpus() {
        return folderOf("/corpus/hole-h1-uncertain-attachment-occupies.yaml");
    }

    private static Path folderOf(String file) {
        URL folder = Objects.requireNonNull(ScenarioFolder.class.getResource(file));
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

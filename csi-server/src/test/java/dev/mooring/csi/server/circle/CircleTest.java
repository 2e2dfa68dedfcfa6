// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server.circle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.NodeRef;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CircleTest {
    @TempDir
    private Path machine = Path.of("");

    @Test
    void aCircleThatHasEndedLeavesNothing() {
        Circle circle = new Circle(
                ServedPlugins.named("kubernetes.io/host-path"), machine, new NodeRef("node-1", "node-uid-1"));
        assertThat(circle.directory).isNotEmptyDirectory();

        circle.close();

        assertThat(circle.directory).doesNotExist();
    }
}

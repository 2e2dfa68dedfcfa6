// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.iscsi;

import static dev.mooring.plugin.iscsi.Volumes.IQN;
import static dev.mooring.plugin.iscsi.Volumes.PORTAL;

import dev.mooring.storage.spi.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Stages volumes of one target, by two portals and with two units, on a machine that is all pretence. */
abstract class FakeStaging {
    static final String SECOND = "127.0.0.2:3260";
    static final Portal FIRST = Portal.parse(PORTAL).orElseThrow();

    @TempDir
    Path root = Path.of("");

    FakeNode node;

    @BeforeEach
    void setUp() throws IOException {
        Files.createDirectories(root.resolve("run/lock"));
        node = new FakeNode(root);
        node.world.target(IQN, PORTAL, SECOND);
        node.world.unit(IQN, 0, "naa.1");
        node.world.unit(IQN, 1, "naa.2");
    }

    static VolumeSpec volume(long lun, String... portals) {
        return Volumes.fileSystem(Volumes.source(IQN, lun, portals).toSource());
    }

    List<String> commands(String part) {
        return node.tools.ran.stream().filter(command -> command.contains(part)).toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.CsiEndpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketWatchTest {
    @TempDir
    private Path temp;

    @Test
    void aSocketIsToldOfWhenItComesAndWhenAnotherTakesItsPlaceThoughItsDirectoryWasNotThere() throws Exception {
        Path socket = temp.resolve("run/driver/csi.sock");
        LinkedBlockingQueue<String> came = new LinkedBlockingQueue<>();
        try (SocketWatch watch = SocketWatch.start(
                Map.of("disks", new CsiEndpoint(socket), "others", new CsiEndpoint(temp.resolve("others.sock"))),
                came::add)) {
            assertThat(watch).isNotNull();
            Files.createDirectories(socket.getParent());
            Files.createFile(socket);
            assertThat(came.poll(1, TimeUnit.MINUTES)).isEqualTo("disks");

            Path next = Files.createFile(socket.resolveSibling("next"));
            Files.move(next, socket, StandardCopyOption.REPLACE_EXISTING);
            assertThat(came.poll(1, TimeUnit.MINUTES)).isEqualTo("disks");
        }
    }

    /** Each directory comes while the one above it begins to be watched. */
    @Test
    void noSocketIsMissedWhenItsDirectoriesComeOneAfterTheOther() throws Exception {
        for (int round = 0; round < 300; round++) {
            Path socket = temp.resolve(round + "/a/b/c/csi.sock");
            LinkedBlockingQueue<String> came = new LinkedBlockingQueue<>();
            try (SocketWatch watch = SocketWatch.start(Map.of("disks", new CsiEndpoint(socket)), came::add)) {
                assertThat(watch).isNotNull();
                Files.createDirectories(socket.getParent());
                Files.createFile(socket);
                assertThat(came.poll(1, TimeUnit.MINUTES)).as("round %d", round).isEqualTo("disks");
            }
        }
    }
}

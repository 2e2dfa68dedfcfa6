// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.testkit.host.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same contract at fewer points, against the kernel's own NFS server. */
@Tag("guest")
@Tag("kit")
class KernelConformanceTest extends ImaginedConformanceTest {
    @BeforeAll
    static void canRun() {
        new NfsNode().close();
    }

    @Override
    public StoragePlugin plugin(Machine machine) {
        return new NfsPlugin();
    }

    @Override
    public Machine machine() {
        NfsNode guest = new NfsNode();
        Path export = guest.exported("kit");
        return new Machine(guest.base, guest.host, () -> {
            guest.close();
            NfsNode.run("rm", "-rf", export.toString());
        });
    }

    /** To have the plugin make its directories on the share again and again takes longer than the tests. */
    @Override
    public boolean sharesMachine() {
        return true;
    }

    @Override
    String server() {
        return NfsNode.SERVER;
    }

    @Override
    String share(Machine machine) {
        return files(machine).toString();
    }

    @Override
    Path files(Machine machine) {
        return NfsNode.EXPORT.resolve(machine.directory().getFileName() + "-kit");
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("server", NfsNode.SERVER, "share", NfsNode.EXPORT.toString(), "mountPermissions", "0777");
    }

    /** Each call takes a second or more here. */
    @Override
    public int points() {
        return 2;
    }

    @Override
    public List<String> backendInventory(Machine machine) {
        try (Stream<Path> files = Files.walk(NfsNode.EXPORT)) {
            return files.map(Path::toString).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

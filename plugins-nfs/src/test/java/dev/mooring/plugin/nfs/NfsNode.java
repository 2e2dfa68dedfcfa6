// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.MountEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A node on a real kernel with a real NFS server on it, in a directory of its own. Needs the guest of the end-to-end kit, since it starts
 * and stops the machine's NFS server; anywhere else the test is skipped.
 */
final class NfsNode implements AutoCloseable {
    static final String SERVER = "127.0.0.1";
    static final Path EXPORT = Path.of("/srv/nfs");

    private static final Optional<Path> SERVICES = tool("services").or(() -> tool("services.sh"));

    final Path base;
    final LinuxHost host;
    final NfsPlugin plugin = new NfsPlugin();

    NfsNode() {
        assumeTrue(SERVICES.isPresent() && tool("mount.nfs").isPresent(), "needs the guest with its NFS server");
        try {
            base = Files.createTempDirectory("mooring-nfs").toRealPath();
            Files.createDirectories(base.resolve("pods"));
            Files.createDirectories(base.resolve("state/nfs"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        start();
    }

    private static Optional<Path> tool(String name) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    void start() {
        if (isRunning()) {
            return;
        }
        run(SERVICES.orElseThrow().toString(), "nfs-start", EXPORT.toString());
        run("sh", "-c", "echo Y >/proc/fs/nfsd/v4_end_grace || true");
    }

    private static boolean isRunning() {
        Path threads = Path.of("/proc/fs/nfsd/threads");
        try {
            return Files.exists(threads) && !Files.readString(threads).strip().equals("0");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void stop() {
        run(SERVICES.orElseThrow().toString(), "nfs-stop");
    }

    /** A fresh directory of the export. */
    Path exported(String name) {
        return directory(EXPORT.resolve(base.getFileName() + "-" + name));
    }

    static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path target(String name) {
        return base.resolve("pods").resolve(name);
    }

    static VolumeSpec volume(Path export, String... options) {
        return Calls.volume(Calls.source(SERVER, export.toString()), options);
    }

    Outcome<PluginState> publish(VolumeSpec volume, String target) {
        return publish(volume, target, false);
    }

    Outcome<PluginState> publish(VolumeSpec volume, String target, boolean readOnly) {
        return plugin.publish(
                new Calls.Context(host),
                Calls.request(volume, target(target), readOnly, PublishRequest.Occasion.INITIAL));
    }

    Outcome<Nothing> unpublish(VolumeSpec volume, String target, PluginState state) {
        return plugin.unpublish(
                new Calls.Context(host), plugin.identify(volume.source()), Calls.POD, target(target), state);
    }

    Outcome<Nothing> recycle(VolumeSpec volume) {
        return plugin.recycle(new Calls.Context(host), volume);
    }

    Outcome<VolumeTemplate> provision(ProvisionRequest request) {
        return plugin.plan(request).then(plan -> plugin.provision(new Calls.Context(host), request, plan));
    }

    Outcome<Nothing> delete(VolumeSpec volume) {
        return plugin.delete(new Calls.Context(host), volume);
    }

    Outcome<Quantity> expand(VolumeSpec volume, String size) {
        return plugin.expand(new Calls.Context(host), volume, Quantity.parse(size))
                .map(expansion -> expansion.size());
    }

    List<MountEntry> mounts() {
        return Calls.value(host.mounts().table()).below(base);
    }

    static String run(String... words) {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(new java.io.File("/dev/null"))
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        List<MountEntry> left = mounts();
        for (int i = left.size() - 1; i >= 0; i--) {
            run("umount", "-l", left.get(i).mountPoint().toString());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.DirectoryQuotas;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.HostCapabilities;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.HostFiles;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import dev.mooring.storage.spi.host.Sysfs;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A machine whose mount table, NFS client and servers are imagined, while files are real: an export is a directory, and what is opened
 * at a mount point is the export's directory.
 */
final class FakeHost implements HostServices, AutoCloseable {
    final Path base;
    final LinuxHost real;
    final List<MountEntry> table = new CopyOnWriteArrayList<>();
    /** What was done to mounts, in order. */
    final List<String> done = new CopyOnWriteArrayList<>();
    /** Servers that do not answer. */
    final Set<String> dead = new LinkedHashSet<>();
    /** Mount points in which a process works. */
    final Set<Path> busy = new LinkedHashSet<>();
    /** File systems that the kernel still holds although they are not mounted any more. */
    final Set<String> draining = new LinkedHashSet<>();
    /** What the next runs of a tool say instead of working, by tool. */
    final Map<String, List<ScriptedRun>> scripts = new LinkedHashMap<>();

    /** What commands change that have not ended. */
    final Set<String> occupied = new LinkedHashSet<>();

    final List<String> commands = new CopyOnWriteArrayList<>();
    final MovingClock clock = new MovingClock();
    String boot = "boot-1";
    /** Whether each tool takes all the time that it is given. */
    boolean slow;

    /** Whether an unmount that aborts requests helps. */
    boolean abortHelps = true;
    /** Options that every mount gets whatever was asked for. */
    String forcedVersion = "";

    FakeHost() {
        Optional<LinuxHost> here = LinuxHost.ofThisMachine(LinuxHostLayout.below(Path.of("/nowhere")));
        assumeTrue(here.isPresent(), "needs Linux on x86_64 or aarch64");
        HostCapabilities capabilities = here.orElseThrow().capabilities();
        for (HostFeature feature : List.of(HostFeature.ROOT, HostFeature.RESOLVE_RULES, HostFeature.MOUNT_IDENTITY)) {
            assumeTrue(
                    capabilities.has(feature),
                    () -> feature + ": " + capabilities.whyMissing(feature).orElse(""));
        }
        try {
            base = Files.createTempDirectory("mooring-nfs").toRealPath();
            Files.createDirectories(base.resolve("pods"));
            Files.createDirectories(base.resolve("state/nfs"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        real = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
    }

    /** Makes a directory that every server exports under this path. */
    Path export(String path) {
        try {
            return Files.createDirectories(directoryOf(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path directoryOf(String path) {
        return base.resolve("server" + path);
    }

    Path target(String name) {
        return base.resolve("pods").resolve(name);
    }

    Calls.Context context() {
        return new Calls.Context(
                this,
                clock,
                clock.instant().plusSeconds(120),
                new java.util.concurrent.atomic.AtomicReference<>(dev.mooring.storage.spi.PluginState.NONE));
    }

    void script(String tool, ScriptedRun... runs) {
        scripts.computeIfAbsent(tool, name -> new ArrayList<>()).addAll(List.of(runs));
    }

    List<MountEntry> at(Path path) {
        return table.stream().filter(entry -> entry.mountPoint().equals(path)).toList();
    }

    @Override
    public HostCapabilities capabilities() {
        return real.capabilities();
    }

    @Override
    public ProcessRunner processes() {
        return new FakeProcesses(this);
    }

    @Override
    public Mounts mounts() {
        return new FakeMounts(this);
    }

    @Override
    public HostFiles files() {
        return ExportFiles.of(this);
    }

    @Override
    public BlockDevices blockDevices() {
        return real.blockDevices();
    }

    @Override
    public FileSystems fileSystems() {
        return real.fileSystems();
    }

    @Override
    public DirectoryQuotas quotas() {
        return real.quotas();
    }

    @Override
    public Sysfs sysfs() {
        return new FakeSysfs(this);
    }

    @Override
    public Outcome<Path> stateDirectory(PluginName plugin) {
        return real.stateDirectory(plugin);
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(base, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A clock that stands still unless it is moved. */
    static final class MovingClock implements java.time.InstantSource {
        private Instant now = Instant.parse("2030-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        void pass(java.time.Duration time) {
            now = now.plus(time);
        }
    }
}
